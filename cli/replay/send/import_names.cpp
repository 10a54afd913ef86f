#include "cli/replay/send/import_names.h"

#include <array>
#include <filesystem>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/replay/send/reply_text.h"
#include "common/json.h"
#include "common/secret.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kDigits = 16;  // of a name that is made
constexpr std::size_t kHostBytes = 256;

std::string made_name(std::initializer_list<std::string_view> parts) {
  return to_hex(digest_of(parts)).substr(0, kDigits);
}

/// The member, if it is a list; else one without elements.
const nlohmann::json& list_in(const nlohmann::json& object, const char* name) {
  static const auto kNothing = nlohmann::json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kNothing;
}

/// Adds what one import has.
void add_import(const nlohmann::json& import, const std::string& source, StoredSource& stored) {
  for (const auto& each : list_in(import, "sources")) {
    if (!each.is_object() || reply_text(each, "source") != source_id(source)) continue;
    for (const auto& range : list_in(each, "ranges")) {
      if (!range.is_object()) continue;
      stored.ranges.push_back(
          {range.value("from", std::uint64_t{0}), range.value("to", std::uint64_t{0})});
      stored.imports.insert(reply_text(import, "id"));
    }
  }
}

}  // namespace

std::string source_id(const std::string& source) {
  // A name that is longer stands for the second of two files that begin alike.
  return source.size() == 2 * sizeof(Digest) ? source : to_hex(digest_of({source}));
}

std::string ImportNames::of(const std::string& source) const {
  if (!given.empty()) return given;
  if (!log.empty()) return "log-" + made_name({"log", log, sites});
  return made_name({"import", source_id(source), sites});
}

std::string name_of_log(const std::string& path) {
  std::array<char, kHostBytes> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
  return std::string(host.data()) + ":" + absolute.string();
}

std::string import_path(std::string_view site, std::string_view import) {
  return "/api/v1/sites/" + percent_encode(site) + "/imports/" + percent_encode(import);
}

std::string ranges_path(std::string_view site, std::string_view import) {
  return import_path(site, import) + "?ranges=1";
}

std::string stored_path(std::string_view site, const std::string& source) {
  return "/api/v1/sites/" + percent_encode(site) + "/imports?ranges=1&source=" + source_id(source);
}

StoredSource stored_source(std::string_view text, const std::string& source) {
  StoredSource stored;
  const auto body = json::parse_document(text);
  if (!body || !body->is_object()) return stored;
  add_import(*body, source, stored);  // the only one
  for (const auto& import : list_in(*body, "imports")) {
    if (import.is_object()) add_import(import, source, stored);
  }
  return stored;
}

}  // namespace analytics::cli
