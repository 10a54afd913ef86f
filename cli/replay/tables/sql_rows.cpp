#include "cli/replay/tables/sql_rows.h"

#include <algorithm>
#include <utility>

#include "cli/replay/formats/csv_fields.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kShortToken = 256;  // bytes kept of a token that is not a value
constexpr std::size_t kLongestBeginning = 24;
constexpr std::size_t kMaxColumns = 1'000;
constexpr std::size_t kShownTables = 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return iequals(word, each); });
}

bool is_word(const SqlToken& token, std::initializer_list<std::string_view> words) {
  return token.kind == SqlToken::Kind::kWord && is_one_of(token.text, words);
}

bool is_mark(const SqlToken& token, char mark) {
  return token.kind == SqlToken::Kind::kMark && token.text[0] == mark;
}

std::string without_schema(const std::string& table) { return table.substr(table.rfind('.') + 1); }

bool is_name(const SqlToken& token) {
  return token.kind == SqlToken::Kind::kWord || token.kind == SqlToken::Kind::kName;
}

/// Returns true for words such as PRIMARY, which begin an item of CREATE TABLE that is not a
/// column.
bool is_of_table(const SqlToken& token) {
  return is_word(token, {"PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "FOREIGN", "CHECK", "INDEX",
                         "FULLTEXT", "SPATIAL", "LIKE", "EXCLUDE", "PERIOD"});
}

}  // namespace

SqlRows::SqlRows(RowSink& sink)
    : sink_(sink), tokens_([this](SqlToken token) { take(std::move(token)); }) {
  tokens_.keep(kShortToken);
}

bool SqlRows::fits(std::string_view first_line) {
  if (first_line.starts_with(kByteOrderMark)) first_line.remove_prefix(kByteOrderMark.size());
  first_line = trim(first_line);
  if (first_line == "--" || first_line.starts_with("-- ") || first_line.starts_with("/*!") ||
      first_line.starts_with("/*M!")) {
    return true;
  }
  constexpr std::string_view kBeginnings[] = {
      "insert into ",          "create table ", "drop table ", "begin;",
      "begin transaction;",    "lock tables ",  "use `",       "start trans",
      "set statement_timeout", "set names "};
  const auto beginning = ascii_lower(first_line.substr(0, kLongestBeginning));
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view begin) { return beginning.starts_with(begin); }) ||
         (beginning.starts_with("copy ") && first_line.ends_with(" FROM stdin;"));
}

std::string SqlRows::feed(std::string_view bytes) {
  tokens_.feed(bytes);
  return problem_;
}

std::string SqlRows::finish() {
  const bool is_closed = tokens_.finish() && state_ == State::kStart;
  if (!problem_.empty()) return problem_;
  if (!is_closed) {
    return "the dump ends in the middle of a statement" +
           (table_.empty() ? "" : " of the table " + table_name());
  }
  if (unfinished_ > 0) {
    return "the dump is not whole: the comment that says it is complete is missing at its end";
  }
  return {};
}

std::string SqlRows::table_name() const { return without_schema(table_); }

/// Skips a statement of an unknown form. Reports an error if the sink may want its rows.
void SqlRows::skip_unknown_statement() {
  if (sink_.knows(table_name())) {
    report("a statement about the table " + table_name() + " has a form that is not read");
  }
  state_ = State::kSkipped;
}

void SqlRows::report(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

void SqlRows::take(SqlToken token) {
  if (token.kind == SqlToken::Kind::kComment) return take_comment(trim(token.text));
  if (!problem_.empty()) return;
  if (!std::exchange(has_begun_, true) && token.text.starts_with(kByteOrderMark)) {
    token.text.erase(0, kByteOrderMark.size());
    if (token.text.empty()) return;
  }
  switch (state_) {
    case State::kStart: return begin_statement(token);
    case State::kSkipped:
      if (is_mark(token, ';')) state_ = State::kStart;
      return;
    case State::kTable: return take_table(token);
    case State::kColumns: return take_columns(token);
    case State::kBehindColumns: return take_behind_columns(token);
    case State::kDefinitions: return take_definition(token);
    case State::kRows: return take_between_rows(token);
    case State::kValues: return take_value(token);
    case State::kCopied: return take_copied(token);
    case State::kOtherDelimiter:
      if (token.kind != SqlToken::Kind::kLine) return;  // the new delimiter after DELIMITER
      if (is_one_of(trim(token.text), {"DELIMITER ;"})) {
        tokens_.take_tokens();
        state_ = State::kStart;
      }
      return;
  }
}

/// Counts the dumps that have begun but not ended, in unfinished_: a dump that begins with a
/// comment that names its program ends with a comment that says it is complete.
void SqlRows::take_comment(std::string_view text) {
  const bool is_mysql = text.starts_with("MySQL dump ") || text.starts_with("MariaDB dump ");
  const bool is_postgres =
      text == "PostgreSQL database dump" || text == "PostgreSQL database cluster dump";
  if (is_mysql || is_postgres) {
    ++unfinished_;
    tokens_.assume_mysql(is_mysql);
  } else if (text == "PostgreSQL database dump complete" ||
             text == "PostgreSQL database cluster dump complete" ||
             text.starts_with("Dump completed")) {
    --unfinished_;
  }
}

void SqlRows::begin_statement(const SqlToken& token) {
  table_.clear();
  columns_.clear();
  is_table_ = false;
  state_ = State::kTable;
  if (is_word(token, {"INSERT", "REPLACE"})) {
    statement_ = Statement::kInsert;
  } else if (is_word(token, {"COPY"})) {
    statement_ = Statement::kCopy;
  } else if (is_word(token, {"CREATE"})) {
    statement_ = Statement::kCreate;
  } else if (is_word(token, {"DELIMITER"})) {
    state_ = State::kOtherDelimiter;
    tokens_.take_lines();
  } else {
    // `\` begins a psql command and `#` a comment of MySQL; both end with the line.
    const bool is_line = is_mark(token, '\\') || is_mark(token, '#');
    state_ = is_line || is_mark(token, ';') ? State::kStart : State::kSkipped;
    if (is_line) tokens_.leave_line();
  }
}

void SqlRows::take_table(const SqlToken& token) {
  const bool creates = statement_ == Statement::kCreate;
  if (is_mark(token, '(') && (!creates || is_table_)) {
    state_ = creates ? State::kDefinitions : State::kColumns;
    is_item_start_ = true;
    depth_ = 0;
  } else if (is_mark(token, ';')) {
    state_ = State::kStart;
  } else if (creates && !is_table_) {
    is_table_ = is_word(token, {"TABLE"});
    const bool may_be =
        is_word(token, {"UNLOGGED", "TEMPORARY", "GLOBAL", "LOCAL", "OR", "REPLACE"});
    if (!is_table_ && !may_be) state_ = State::kSkipped;
  } else if (is_word(token, {"VALUES", "VALUE", "FROM", "SELECT", "SET", "WITH"})) {
    take_behind_columns(token);
  } else if (!is_name(token) || table_.size() > kShortToken) {
    state_ = State::kSkipped;
  } else if (!table_.empty() || !is_word(token, {"INTO", "IGNORE", "ONLY", "IF", "NOT", "EXISTS",
                                                 "DELAYED", "LOW_PRIORITY", "HIGH_PRIORITY"})) {
    table_ += token.text;
  }
}

void SqlRows::take_columns(const SqlToken& token) {
  if (is_name(token)) columns_.push_back(token.text);
  if (columns_.size() > kMaxColumns) return skip_unknown_statement();
  if (is_mark(token, ')')) state_ = State::kBehindColumns;
}

void SqlRows::take_behind_columns(const SqlToken& token) {
  if (is_word(token, {"VALUES", "VALUE"})) {
    begin_rows();
    state_ = State::kRows;
  } else if (is_word(token, {"SELECT", "SET", "PROGRAM", "WITH"})) {
    skip_unknown_statement();
  } else if (is_mark(token, ';') && statement_ == Statement::kCopy) {
    begin_rows();
    tokens_.take_lines();
    state_ = State::kCopied;
  } else if (is_mark(token, ';')) {
    state_ = State::kStart;
  } else {
    state_ = State::kBehindColumns;
  }
}

void SqlRows::take_definition(const SqlToken& token) {
  if (is_mark(token, '(')) ++depth_;
  if (is_mark(token, ')') && depth_-- == 0) {
    const auto name = table_name();
    if (tables_.size() < kShownTables) tables_.push_back(name);
    const bool is_second = std::any_of(created_.begin(), created_.end(), [&](const auto& each) {
      return without_schema(each.first) == name;
    });
    if (is_second && sink_.must_be_one(name)) {
      report("there are two tables " + name + ": dump one database or schema alone");
    }
    if (sink_.knows(name)) created_[table_] = columns_;
    state_ = State::kSkipped;
    return;
  }
  const bool is_column = is_item_start_ && is_name(token) && !is_of_table(token);
  if (is_column && columns_.size() < kMaxColumns) columns_.push_back(token.text);
  is_item_start_ = depth_ == 0 && is_mark(token, ',');
}

/// Returns the columns of table_ from its CREATE TABLE, or else those of the only table of the
/// same name in another schema. Empty if there is no such table or several.
std::vector<std::string> SqlRows::created_columns() const {
  if (const auto exact = created_.find(table_); exact != created_.end()) return exact->second;
  const std::vector<std::string>* found = nullptr;
  for (const auto& [name, columns] : created_) {
    if (without_schema(name) != table_name()) continue;
    if (found != nullptr) return {};
    found = &columns;
  }
  return found == nullptr ? std::vector<std::string>() : *found;
}

void SqlRows::begin_rows() {
  if (columns_.empty()) columns_ = created_columns();
  if (sink_.must_be_one(table_name())) {
    if (only_table_.empty()) only_table_ = table_;
    if (only_table_ != table_) {
      report("there are rows of " + only_table_ + " and of " + table_ +
             ": dump one database or schema alone");
    }
  }
  if (table_ != begun_table_ || columns_ != begun_columns_) {
    is_wanted_ = sink_.begin(table_name(), columns_);
    begun_table_ = table_;
    begun_columns_ = columns_;
  }
  tokens_.keep(is_wanted_ ? kMaxValue : kShortToken);
  if (is_wanted_ && columns_.empty()) {
    report("the dump does not say which columns the table " + table_name() +
           " has: make one with its definition (without --data-only or --no-create-info)");
  }
}

void SqlRows::take_between_rows(const SqlToken& token) {
  if (is_mark(token, '(')) {
    state_ = State::kValues;
    row_.clear();
    depth_ = 0;
    begin_value();
  } else if (is_mark(token, ';')) {
    state_ = State::kStart;
    tokens_.keep(kShortToken);
  } else if (!is_mark(token, ',') && !is_word(token, {"ROW"})) {
    state_ = State::kSkipped;
  }
}

void SqlRows::take_value(const SqlToken& token) {
  if (is_mark(token, '(')) {
    ++depth_;
  } else if (is_mark(token, ')') && depth_ == 0) {
    if (is_wanted_) {
      end_value();
      give_row();
    }
    state_ = State::kRows;
  } else if (is_mark(token, ')')) {
    --depth_;
  } else if (!is_wanted_ || depth_ > 0) {
    return;
  } else if (is_mark(token, ',')) {
    end_value();
  } else if (is_mark(token, ':')) {
    is_cast_ = true;
  } else if (is_mark(token, '-')) {
    value_ = "-";
  } else if (!is_cast_) {
    if (token.is_cut) report("a value of the table " + table_name() + " is over 256 KiB");
    // A word before a text names its encoding, as in _binary 'a'; the text replaces it.
    value_ = (value_ == "-" ? "-" : "") + token.text;
    has_value_ = token.kind != SqlToken::Kind::kWord || !iequals(token.text, "NULL");
  }
}

void SqlRows::end_value() {
  // One value too many suffices for give_row() to report the row, so no further values are stored.
  if (row_.size() <= columns_.size()) {
    row_.push_back(has_value_ ? std::optional(std::move(value_)) : std::nullopt);
  }
  begin_value();
}

void SqlRows::begin_value() {
  value_.clear();
  has_value_ = false;
  is_cast_ = false;
}

void SqlRows::take_copied(const SqlToken& token) {
  if (token.kind != SqlToken::Kind::kLine) return;
  if (token.text == kEndOfRows) {
    tokens_.take_tokens();
    tokens_.keep(kShortToken);
    state_ = State::kStart;
    return;
  }
  if (!is_wanted_) return;
  if (token.is_cut) return report("a row of the table " + table_name() + " is over 256 KiB");
  row_.clear();
  for (const auto field : split(token.text, '\t')) {
    row_.push_back(field == "\\N" ? std::nullopt : std::optional(unescaped(field)));
  }
  give_row();
}

void SqlRows::give_row() {
  if (row_.size() != columns_.size()) {
    return report("a row of the table " + table_name() + " has " + std::to_string(row_.size()) +
                  " values, the table " + std::to_string(columns_.size()) + " columns");
  }
  report(sink_.take(std::move(row_)));
  row_.clear();
}

}  // namespace analytics::cli
