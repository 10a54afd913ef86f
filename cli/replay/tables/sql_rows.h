#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/tables/row_sink.h"
#include "cli/replay/tables/sql_tokens.h"

namespace analytics::cli {

/// The rows in an SQL dump: those of INSERT, as mysqldump, mariadb-dump and pg_dump --inserts write
/// them, and of COPY, as pg_dump does. Columns that a statement does not name are those of CREATE
/// TABLE. Everything else in a dump is left out.
class SqlRows {
 public:
  /// The most bytes of a value, and of a row of COPY.
  static constexpr std::size_t kMostValue = 262'144;

  /// `sink` must outlive this object.
  explicit SqlRows(RowSink& sink);
  /// True if a file that begins with this line is a dump.
  [[nodiscard]] static bool fits(std::string_view first_line);

  /// Takes the bytes behind those of the calls before. Returns what is wrong; empty: nothing.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// At the end of the bytes.
  [[nodiscard]] std::string finish();
  /// Some of the tables that it has.
  [[nodiscard]] const std::vector<std::string>& tables() const { return tables_; }

 private:
  enum class Statement { kInsert, kCopy, kCreate };
  enum class State {
    kStart,    ///< Before a statement.
    kSkipped,  ///< In one that has no rows.
    kTable,    ///< Where the table is named.
    kColumns,  ///< Between the brackets behind it.
    kBehindColumns,
    kDefinitions,     ///< Between the brackets of CREATE TABLE.
    kRows,            ///< Behind VALUES, between rows.
    kValues,          ///< In a row.
    kCopied,          ///< In the lines of COPY.
    kOtherDelimiter,  ///< In lines whose statements do not end with ";".
  };
  void take(SqlToken token);
  void take_comment(std::string_view text);
  void begin_statement(const SqlToken& token);
  void take_table(const SqlToken& token);
  void take_columns(const SqlToken& token);
  void take_behind_columns(const SqlToken& token);
  void take_definition(const SqlToken& token);
  void begin_rows();
  void take_between_rows(const SqlToken& token);
  void take_value(const SqlToken& token);
  void begin_value();
  void end_value();
  void take_copied(const SqlToken& token);
  void give_row();
  [[nodiscard]] std::string table_name() const;  ///< Without its schema.
  [[nodiscard]] std::vector<std::string> created_columns() const;
  void misunderstand();
  void report(std::string problem);

  RowSink& sink_;
  SqlTokens tokens_;
  State state_ = State::kStart;
  Statement statement_ = Statement::kInsert;
  bool is_table_ = false;  ///< CREATE makes a table.
  std::string table_;
  std::vector<std::string> columns_;
  /// The columns of tables that the sink knows, by their names with schemas.
  std::map<std::string, std::vector<std::string>, std::less<>> created_;
  std::string only_table_;   ///< The one that must be one.
  std::string begun_table_;  ///< What the sink was told last.
  std::vector<std::string> begun_columns_;
  bool is_wanted_ = false;
  TableValues row_;
  std::string value_;
  bool has_value_ = false;
  bool is_cast_ = false;   ///< What follows of the value is its type.
  std::size_t depth_ = 0;  ///< Brackets that are open inside a row or definition.
  bool is_item_start_ = false;
  std::vector<std::string> tables_;
  bool has_begun_ = false;
  int unfinished_ = 0;  ///< Dumps that said at their beginning that they would say when complete.
  std::string problem_;
};

}  // namespace analytics::cli
