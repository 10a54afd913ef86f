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

/// Passes the rows in an SQL dump to a sink: those of INSERT, as mysqldump, mariadb-dump and
/// pg_dump --inserts write them, and those of COPY, as pg_dump writes them. Takes the columns from
/// CREATE TABLE if a statement names none. Ignores everything else in a dump.
class SqlRows {
 public:
  /// Maximum size in bytes of a value of INSERT, and of a row of COPY.
  static constexpr std::size_t kMostValue = 262'144;

  /// `sink` must outlive this object.
  explicit SqlRows(RowSink& sink);
  /// Returns true if a file that begins with this line is a dump.
  [[nodiscard]] static bool fits(std::string_view first_line);

  /// Reads the next bytes of the dump. Returns what is wrong with it, or an empty text.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// Ends the dump and checks that it is complete. Returns what is wrong, or an empty text.
  [[nodiscard]] std::string finish();
  /// Returns the names of the first 20 tables created in the dump, for messages.
  [[nodiscard]] const std::vector<std::string>& tables() const { return tables_; }

 private:
  enum class Statement { kInsert, kCopy, kCreate };
  enum class State {
    kStart,           ///< Before a statement.
    kSkipped,         ///< In a statement whose rows, if any, are not read.
    kTable,           ///< Before or in the table's name.
    kColumns,         ///< Between the brackets after the table's name.
    kBehindColumns,   ///< After the columns, before VALUES or the end of the statement.
    kDefinitions,     ///< Between the brackets of CREATE TABLE.
    kRows,            ///< After VALUES, between rows.
    kValues,          ///< Between the brackets of a row.
    kCopied,          ///< In the lines after COPY.
    kOtherDelimiter,  ///< After DELIMITER, where statements do not end with ";".
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
  [[nodiscard]] std::string table_name() const;  ///< Returns table_ without its schema.
  [[nodiscard]] std::vector<std::string> created_columns() const;
  void skip_unknown_statement();
  void report(std::string problem);

  RowSink& sink_;
  SqlTokens tokens_;
  State state_ = State::kStart;
  Statement statement_ = Statement::kInsert;
  bool is_table_ = false;  ///< True if the CREATE statement creates a table.
  std::string table_;      ///< Table of the statement, with its schema.
  std::vector<std::string> columns_;
  /// From CREATE TABLE: columns of each table that the sink knows, by its name with schema.
  std::map<std::string, std::vector<std::string>, std::less<>> created_;
  std::string only_table_;   ///< Full name of the table for which the sink allows no second one.
  std::string begun_table_;  ///< Table that was last passed to the sink's begin().
  std::vector<std::string> begun_columns_;
  bool is_wanted_ = false;  ///< True if the sink wants the rows of the statement.
  TableValues row_;
  std::string value_;
  bool has_value_ = false;
  bool is_cast_ = false;        ///< True in a type after a value, as in 'a'::text.
  std::size_t depth_ = 0;       ///< Number of open brackets inside the row or table definition.
  bool is_item_start_ = false;  ///< True before the first word of an item of CREATE TABLE.
  std::vector<std::string> tables_;
  bool has_begun_ = false;
  /// Number of dumps in the file whose final comment, that they are complete, is still missing.
  int unfinished_ = 0;
  std::string problem_;
};

}  // namespace analytics::cli
