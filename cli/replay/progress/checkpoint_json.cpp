#include "cli/replay/progress/checkpoint_json.h"

#include <nlohmann/json.hpp>

namespace analytics::cli {

nlohmann::json to_json(const ByteRanges& ranges) {
  auto list = nlohmann::json::array();
  for (const auto& [from, to] : ranges.list()) list.push_back({from, to});
  return list;
}

nlohmann::json to_json(const std::map<std::string, ByteRanges>& by_site) {
  auto object = nlohmann::json::object();
  for (const auto& [site, ranges] : by_site) object[site] = to_json(ranges);
  return object;
}

nlohmann::json to_json(const Accounts& accounts) {
  return {{"accepted", accounts.accepted}, {"duplicate", accounts.duplicate},
          {"dropped", accounts.dropped},   {"dropped_by", accounts.dropped_by},
          {"rejected", accounts.rejected}, {"filtered", accounts.filtered},
          {"withheld", accounts.withheld}};
}

ByteRanges to_ranges(const nlohmann::json& list) {
  ByteRanges ranges;
  for (const auto& range : list) {
    ranges.add({range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>()});
  }
  return ranges;
}

std::map<std::string, ByteRanges> to_held(const nlohmann::json& source) {
  std::map<std::string, ByteRanges> held;
  for (const auto& [site, list] : source.at("held").items()) held.emplace(site, to_ranges(list));
  return held;
}

Accounts to_accounts(const nlohmann::json& object) {
  Accounts accounts;
  accounts.accepted = object.at("accepted").get<std::uint64_t>();
  accounts.duplicate = object.at("duplicate").get<std::uint64_t>();
  accounts.dropped = object.at("dropped").get<std::uint64_t>();
  accounts.dropped_by = object.at("dropped_by").get<std::map<std::string, std::uint64_t>>();
  accounts.rejected = object.at("rejected").get<std::uint64_t>();
  accounts.filtered = object.at("filtered").get<std::uint64_t>();
  accounts.withheld = object.at("withheld").get<std::uint64_t>();
  accounts.read = accounts.accepted + accounts.duplicate + accounts.dropped + accounts.rejected +
                  accounts.filtered;
  return accounts;
}

}  // namespace analytics::cli
