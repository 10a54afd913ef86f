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
  static constexpr std::size_t kMaxValue = 262'144;

  /// `sink` must outlive this object.
  explicit SqlRows(RowSink& sink);
  /// Returns true if a file that begins with this line is a dump.
  [[nodiscard]] static bool fits(std::string_view first_line);

  /// Reads the next bytes of the dump. Returns an error message, or an empty text.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// Ends the dump and checks that it is complete. Returns an error message, or an empty text.
  [[nodiscard]] std::string finish();
  /// Returns the names of the first 20 tables created in the dump, for messages.
  [[nodiscard]] const std::vector<std::string>& tables() const { return tables_; }

 private:
  enum class Statement { kInsert, kCopy, kCreate };
  /// The part of the dump that the next token belongs to.
  enum class State {
    kStart,           ///< Between statements.
    kSkipped,         ///< In a statement whose rows, if any, are not read.
    kTable,           ///< In a statement, before or in its table's name.
    kColumns,         ///< In the list of columns after the table's name.
    kBehindColumns,   ///< After the list of columns, before VALUES or the statement's end.
    kDefinitions,     ///< In the column definitions of CREATE TABLE.
    kRows,            ///< After VALUES, between two rows.
    kValues,          ///< In the list of a row's values.
    kCopied,          ///< In the lines of rows after COPY.
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
  std::string table_;      ///< Name of the statement's table, with its schema.
  std::vector<std::string> columns_;
  /// From CREATE TABLE: columns of each table that the sink knows, by its name with schema.
  std::map<std::string, std::vector<std::string>, std::less<>> created_;
  /// Name, with schema, of the table whose name only one table may have; see
  /// RowSink::must_be_one().
  std::string only_table_;
  std::string begun_table_;  ///< Table that was last passed to the sink's begin().
  std::vector<std::string> begun_columns_;
  bool is_wanted_ = false;  ///< True if the sink wants the rows of the statement.
  TableValues row_;
  std::string value_;
  bool has_value_ = false;
  bool is_cast_ = false;        ///< True while the type after a value is read, as in 'a'::text.
  std::size_t depth_ = 0;       ///< Number of open brackets inside the row or table definition.
  bool is_item_start_ = false;  ///< True if the next token begins an item of CREATE TABLE.
  std::vector<std::string> tables_;
  bool has_begun_ = false;
  /// Number of dumps begun in this file whose final comment "dump complete" was not read yet.
  int unfinished_ = 0;
  std::string problem_;
};

}  // namespace analytics::cli
