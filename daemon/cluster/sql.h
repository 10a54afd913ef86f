#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "common/text/time.h"
#include "daemon/cluster/rows.h"

/// Pieces of SQL statements for ClickHouse.
namespace analytics::cluster {

/// Returns the SQL condition that selects a node's rows. Every ALTER … DELETE of a node's rows
/// contains this text, by which removals_under_way() recognises the statement.
[[nodiscard]] std::string of_node(NodeNumber node);
/// Returns the SQL condition that selects the rows of these nodes. REQUIRES: `nodes` is not empty.
[[nodiscard]] std::string node_in(std::span<const NodeNumber> nodes);
/// Returns the SQL expression for a day as a Date. Dates range from 1970 to 2106; a day outside
/// that range is replaced with the nearest date.
[[nodiscard]] std::string sql_day(Days day);
/// Returns the SQL expression for a text. It contains only the text's hexadecimal digits, so that
/// nothing in the text can be read as SQL.
[[nodiscard]] std::string sql_text(std::string_view text);

/// SQL for the size of a visit: milliseconds plus pageviews plus events. The journal's visits are
/// compared with ClickHouse's by the sums of their sizes. Must equal JournalCount::sum for visits.
inline constexpr char kVisitSize[] = "toUInt64(ended - started) + pageviews + events";

/// Returns the numbers as a list in SQL: "1,2,3".
template <typename Numbers>
[[nodiscard]] std::string comma_list(const Numbers& numbers) {
  std::string list;
  for (const auto number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
  return list;
}

/// Builds an SQL condition that selects rows by numbers that are unique only within a node, such
/// as event ids.
class NumbersByNode {
 public:
  explicit NumbersByNode(std::string column) : column_(std::move(column)) {}

  void add(NodeNumber node, std::uint64_t number);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the condition, to be combined with others by AND. It selects nothing if no number was
  /// added.
  [[nodiscard]] std::string sql() const;

 private:
  std::string column_;
  std::map<NodeNumber, std::string> lists_;
  std::size_t size_ = 0;
};

}  // namespace analytics::cluster
