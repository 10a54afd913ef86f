#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/totals/report_columns.h"
#include "cli/totals/totals_reader.h"
#include "common/text/local_time.h"

namespace analytics::cli {

/// Reads tables of totals with a date in each row: Plausible's export, reports of Matomo, and
/// reports and explorations of Google Analytics 4, whose files may contain several tables. The
/// name of a column determines its meaning. Tables without dates, or without any known count, are
/// passed over.
class ReportReader final : public TotalsReader {
 public:
  /// Unknown columns that divide the counts of a day among several rows. The key is the table's
  /// number in its text, the value the column's name.
  using Dividers = std::map<std::size_t, std::string>;
  /// `known` contains the dividers that an earlier reading of the text found. Tables with a
  /// divider are passed over, because their rows cannot be added up.
  explicit ReportReader(Dividers known = {}) : known_(std::move(known)) {}
  /// Reads a record: one line, or several if a quoted field contains line ends.
  [[nodiscard]] ReadReportRow read(std::string_view record) override;
  [[nodiscard]] bool is_whole(std::string_view record) const override;
  /// Returns true if `head`, the first lines of a text, begins like a report that this class
  /// reads.
  [[nodiscard]] static bool is_report(const std::vector<std::string>& head);

  [[nodiscard]] std::set<std::string> passed_over() const override { return passed_over_; }
  /// Returns the dividers that this reading has found.
  [[nodiscard]] const Dividers& dividers() const { return dividers_; }

 private:
  void read_comment(std::string_view line);
  void begin_table(std::string_view header);
  void pass_over(std::string_view header, std::string_view why);
  [[nodiscard]] std::optional<std::string> day_of(std::string_view cell, ColumnKind kind) const;
  void find_divider(const std::vector<std::string>& cells);
  [[nodiscard]] ReadReportRow read_row(const std::vector<std::string>& cells) const;
  void add_values(const std::vector<std::string>& cells, const TotalsLine& counted,
                  ReportRow& row) const;
  /// A dimension, and the value of that dimension that a row describes.
  struct Labelled {
    std::string_view dimension;
    std::string value;
  };
  [[nodiscard]] std::optional<Labelled> labelled(const std::vector<std::string>& cells,
                                                 const TotalsLine& counted) const;
  [[nodiscard]] std::string_view cell_of(const std::vector<std::string>& cells, ColumnKind kind,
                                         std::string_view name = {}) const;

  const Dividers known_;
  Dividers dividers_;
  std::size_t table_ = 0;
  std::vector<std::optional<Column>> columns_;
  std::vector<std::string> names_;  ///< Names of the columns.
  char delimiter_ = ',';
  bool expects_header_ = true;
  bool is_passed_over_ = false;
  std::optional<Days> first_day_;  ///< First day of the table, from a comment before it.
  bool has_first_day_ = false;     ///< True if the current block of comments has set first_day_.
  /// First day and header of each table with numbered days; an equal table is a copy.
  std::set<std::string> seen_;
  std::set<std::string> passed_over_;
};

}  // namespace analytics::cli
