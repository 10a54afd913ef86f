#include "daemon/cluster/reading/answer_rows.h"

#include <array>

namespace analytics::cluster {
namespace {

std::vector<NativeReader::Type> types_of(const std::vector<AskedColumn>& columns) {
  std::vector<NativeReader::Type> types;
  types.reserve(columns.size());
  for (const auto& column : columns) types.push_back(column.type);
  return types;
}

std::string select(const std::vector<AskedColumn>& columns, const std::string& from) {
  std::string sql = "SELECT ";
  for (const auto& column : columns) {
    if (&column != columns.data()) sql += ", ";
    sql += column.sql;
  }
  return sql + " " + from;
}

/// Returns true if the message of ClickHouse, of any version, says that a query has exceeded its
/// time or memory, or that there are too many queries.
bool is_over_limit(std::string_view message) {
  constexpr std::array<std::string_view, 3> kCodes = {"Code: 159", "Code: 241", "Code: 202"};
  for (const auto code : kCodes) {
    if (message.find(code) != message.npos) return true;
  }
  return false;
}

[[noreturn]] void refuse(const Error& error) { throw ReadFailed{read_error(error)}; }

}  // namespace

Error read_error(const Error& error) {
  const auto* sentence = is_over_limit(error.message)
                             ? query::kTimeIsOver
                             : "The events of the cluster cannot be read now; try again.";
  return {ErrorCode::kOverloaded, sentence, {}, error.message};
}

Marks marks_of(ClickHouse& server, const std::string& cluster,
               const Published<RegisteredNodes>& registered) {
  auto marks = read_marks(server, cluster);
  if (!marks) refuse(marks.error());
  marks->registered = *registered.snapshot();
  return std::move(*marks);
}

AnswerRows::AnswerRows(const ReadAccess& access, const std::vector<AskedColumn>& columns,
                       const std::string& from)
    : budget_(access.budget),
      reader_(types_of(columns)),
      answer_(access.config, select(columns, from), access.limits,
              [this] { budget_.check(reader_.memory()); }) {}

bool AnswerRows::next() {
  while (true) {
    const auto is_there = reader_.next();
    if (!is_there) refuse(is_there.error());
    if (*is_there && reader_.rows() > 0) return true;
    if (*is_there) continue;
    budget_.check(reader_.memory());
    const auto is_more = answer_.read(reader_.input());
    if (!is_more) refuse(is_more.error());
    if (*is_more) continue;
    if (reader_.is_at_end()) return false;
    refuse({ErrorCode::kInternal, "ClickHouse ended an answer within a block.", {}});
  }
}

}  // namespace analytics::cluster
