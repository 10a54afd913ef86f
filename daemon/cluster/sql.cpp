#include "daemon/cluster/sql.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cluster {

std::string of_node(NodeNumber node) { return "node = " + std::to_string(node); }

std::string node_in(std::span<const NodeNumber> nodes) {
  return "node IN (" + comma_list(nodes) + ")";
}

std::string sql_day(Days day) {
  constexpr std::int64_t kLast = UINT32_MAX / 86'400;
  const std::int64_t number = day.time_since_epoch().count();
  return "toDate(" + std::to_string(std::clamp<std::int64_t>(number, 0, kLast)) + ")";
}

std::string sql_text(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  return "unhex('" + to_hex(bytes, text.size()) + "')";
}

void NumbersByNode::add(NodeNumber node, std::uint64_t number) {
  auto& list = lists_[node];
  list += (list.empty() ? "" : ",") + std::to_string(number);
  ++size_;
}

std::string NumbersByNode::sql() const {
  std::string any;
  for (const auto& [node, list] : lists_) {
    any +=
        (any.empty() ? "((" : " OR (") + of_node(node) + " AND " + column_ + " IN (" + list + "))";
  }
  return any.empty() ? "0" : any + ")";
}

}  // namespace analytics::cluster
