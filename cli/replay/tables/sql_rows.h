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

/// Reads the rows in an SQL dump: those of INSERT, as mysqldump, mariadb-dump and pg_dump --inserts
/// write them, and those of COPY, as pg_dump writes them. If a statement names no columns, those of
/// CREATE TABLE count. Ignores everything else in a dump.
class SqlRows {
 public:
  /// Maximum size in bytes of a value, and of a row of COPY.
  static constexpr std::size_t kMostValue = 262'144;

  /// `sink` must outlive this object.
  explicit SqlRows(RowSink& sink);
  /// Returns true if a file that begins with this line is a dump.
  [[nodiscard]] static bool fits(std::string_view first_line);

  /// Reads the next bytes of the dump. Returns the problem, or an empty text.
  [[nodiscard]] std::string feed(std::string_view bytes);
  /// Checks at the end of the dump that it is complete. Returns the problem, or an empty text.
  [[nodiscard]] std::string finish();
  /// Returns the names of the first tables in the dump, for messages.
  [[nodiscard]] const std::vector<std::string>& tables() const { return tables_; }

 private:
  enum class Statement { kInsert, kCopy, kCreate };
  enum class State {
    kStart,    ///< Before a statement.
    kSkipped,  ///< In a statement without rows.
    kTable,    ///< Before the end of the table's name.
    kColumns,  ///< Between the brackets after the name.
    kBehindColumns,
    kDefinitions,     ///< Between the brackets of CREATE TABLE.
    kRows,            ///< After VALUES, between rows.
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
  [[nodiscard]] std::string table_name() const;  ///< Table name without its schema.
  [[nodiscard]] std::vector<std::string> created_columns() const;
  void misunderstand();
  void report(std::string problem);

  RowSink& sink_;
  SqlTokens tokens_;
  State state_ = State::kStart;
  Statement statement_ = Statement::kInsert;
  bool is_table_ = false;  ///< True if CREATE creates a table.
  std::string table_;
  std::vector<std::string> columns_;
  /// Columns of tables that the sink knows, by name with schema.
  std::map<std::string, std::vector<std::string>, std::less<>> created_;
  std::string only_table_;   ///< Full name of the table that may exist only once.
  std::string begun_table_;  ///< Table that was last passed to the sink.
  std::vector<std::string> begun_columns_;
  bool is_wanted_ = false;
  TableValues row_;
  std::string value_;
  bool has_value_ = false;
  bool is_cast_ = false;   ///< True in the type that follows a value.
  std::size_t depth_ = 0;  ///< Number of open brackets inside a row or definition.
  bool is_item_start_ = false;
  std::vector<std::string> tables_;
  bool has_begun_ = false;
  /// Number of dumps that have begun but not yet ended with a comment that they are complete.
  int unfinished_ = 0;
  std::string problem_;
};

}  // namespace analytics::cli
