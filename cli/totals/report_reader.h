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
#include "common/local_time.h"

namespace analytics::cli {

/// Reads tables of totals with a date in each row: Plausible's export, reports of Matomo, reports
/// and explorations of Google Analytics 4, whose files may have several tables. What a column has,
/// its name says; a table without dates, or without anything that is counted, is passed over.
class ReportReader final : public TotalsReader {
 public:
  /// The number of a table in its text, and the unknown column that divides the counts of its days.
  using Dividers = std::map<std::size_t, std::string>;
  /// `known`: what an earlier reading of the text has found. Such tables are passed over: their
  /// rows cannot be added up.
  explicit ReportReader(Dividers known = {}) : known_(std::move(known)) {}
  /// Reads a record: a line, or several where a quoted field goes on.
  [[nodiscard]] ReadReportRow read(std::string_view record) override;
  [[nodiscard]] bool is_whole(std::string_view record) const override;
  /// True if the text begins as such a file does. `head`: its first lines.
  [[nodiscard]] static bool is_report(const std::vector<std::string>& head);

  [[nodiscard]] std::set<std::string> passed_over() const override { return passed_over_; }
  /// What this reading has found.
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
  /// A dimension, and the value of it that a row is about.
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
  std::vector<std::string> names_;  ///< What the columns are called.
  char delimiter_ = ',';
  bool expects_header_ = true;
  bool is_passed_over_ = false;
  std::optional<Days> first_day_;  ///< Of the table, as a comment says.
  bool has_first_day_ = false;     ///< In this block of comments.
  std::set<std::string> seen_;     ///< Tables with the day that they begin with.
  std::set<std::string> passed_over_;
};

}  // namespace analytics::cli
