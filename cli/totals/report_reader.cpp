#include "cli/totals/report_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/replay/formats/csv_fields.h"
#include "cli/totals/report_values.h"
#include "common/event/event_limits.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kShownHeader = 200;

/// Returns true if the line has only separators and spaces, as spreadsheets write for an empty
/// line.
bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t,;") == std::string_view::npos;
}

std::string_view without_padding(std::string_view line) {
  line = trim(line);
  while (line.ends_with(',') || line.ends_with(';')) line.remove_suffix(1);
  return trim(line);
}

/// Returns the text between `word` and the next `;` in a Matomo segment; nullopt if the segment
/// does not contain `word`.
std::optional<std::string_view> in_segment(std::string_view segment, std::string_view word) {
  const auto at = segment.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = segment.substr(at + word.size());
  return rest.substr(0, rest.find(';'));
}

bool is_of(const std::vector<std::optional<Column>>& columns, ColumnKind kind) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return column && column->kind == kind; });
}

/// Reads the columns of a header. If several columns have the same count, only the first is
/// imported: in a table of visits, "Unique Pageviews" means something else.
std::vector<std::optional<Column>> columns_of(std::string_view header, char delimiter) {
  std::vector<std::optional<Column>> columns;
  const auto names = csv_fields(header, delimiter);
  if (!names) return columns;
  for (const auto& name : *names) {
    auto column = find_column(without_guard(name));
    const bool is_second =
        column && column->kind == ColumnKind::kCount &&
        std::any_of(columns.begin(), columns.end(), [&](const auto& before) {
          return before && before->kind == ColumnKind::kCount && before->count == column->count;
        });
    columns.push_back(is_second ? std::optional(Column{}) : column);
  }
  return columns;
}

bool is_dimension(const std::optional<Column>& column) {
  return column &&
         (column->kind == ColumnKind::kDimension || column->kind == ColumnKind::kSourceMedium ||
          column->kind == ColumnKind::kPropertyName || column->kind == ColumnKind::kLabel);
}

/// Returns why a table cannot be imported; empty if it can.
std::string_view problem_of(const std::vector<std::optional<Column>>& columns) {
  if (!is_of(columns, ColumnKind::kDate) && !is_of(columns, ColumnKind::kDayNumber)) {
    return "it has no dates";
  }
  if (!is_of(columns, ColumnKind::kCount)) return "it counts nothing that is known";
  const bool is_labelled = is_of(columns, ColumnKind::kLabel);
  if (is_labelled && !is_of(columns, ColumnKind::kMetadata))
    return "it does not say what it reports on";
  // If the first column is unknown, each row may count only one value of that column, not a whole
  // day.
  if (!columns.front() && !is_labelled) return "its first column is not known";
  return {};
}

struct MatomoSegment {
  std::string_view begin;
  std::string_view dimension;
};
constexpr MatomoSegment kSegments[] = {
    {"referrerName==", "visit:source"},    {"referrerKeyword==", "visit:utm_term"},
    {"browserCode==", "visit:browser"},    {"deviceType==", "visit:device"},
    {"operatingSystemCode==", "visit:os"}, {"pageUrl==", "event:page"}};

}  // namespace

bool ReportReader::is_whole(std::string_view record) const { return is_whole_csv(record); }

bool ReportReader::is_report(const std::vector<std::string>& head) {
  for (const auto& line : head) {
    if (is_blank(line)) continue;
    if (trim(line).starts_with("# --")) return true;
    return problem_of(columns_of(line, guess_delimiter(line))).empty();
  }
  return false;
}

ReadReportRow ReportReader::read(std::string_view record) {
  if (is_blank(record)) {
    expects_header_ = true;
    return NoReportRow{};
  }
  if (trim(record).starts_with('#')) {
    read_comment(without_padding(record));
    return NoReportRow{};
  }
  if (expects_header_) {
    begin_table(record);
    return NoReportRow{};
  }
  if (is_passed_over_) return ReportRow{};
  const auto cells = csv_fields(record, delimiter_);
  if (!cells) return BadReportRow{"The record's quotes are unbalanced."};
  find_divider(*cells);
  return read_row(*cells);
}

/// Finds unknown columns with texts, because they divide the counts of a day among several rows.
/// Ignores Matomo's reports, in which texts also describe the counts.
void ReportReader::find_divider(const std::vector<std::string>& cells) {
  if (is_of(columns_, ColumnKind::kLabel) || is_of(columns_, ColumnKind::kMetadata)) return;
  for (std::size_t i = 0; i < std::min(columns_.size(), cells.size()); ++i) {
    if (!columns_[i] && !number_of(cells[i]) && !rate_of(cells[i])) {
      dividers_.emplace(table_, names_[i]);
    }
  }
}

/// Reads "# Start date: 20260801" in any language, and "# 20260801-20260831". The first date in a
/// block of comments is the first day of its tables, the second is the last day.
void ReportReader::read_comment(std::string_view line) {
  expects_header_ = true;
  const auto day = parse_compact_day(trim(line.substr(line.find_last_of(":#") + 1)));
  if (!day) return;
  if (!has_first_day_) first_day_ = day;
  has_first_day_ = !has_first_day_;
}

void ReportReader::begin_table(std::string_view header) {
  expects_header_ = false;
  has_first_day_ = false;
  delimiter_ = guess_delimiter(header);
  columns_ = columns_of(header, delimiter_);
  names_ = csv_fields(header, delimiter_).value_or(std::vector<std::string>());
  is_passed_over_ = false;
  ++table_;
  const bool is_numbered = is_of(columns_, ColumnKind::kDayNumber);
  if (const auto why = problem_of(columns_); !why.empty()) return pass_over(header, why);
  if (is_numbered && !first_day_) return pass_over(header, "nothing says when it begins");
  if (const auto divider = known_.find(table_); divider != known_.end()) {
    return pass_over(header,
                     "its counts are divided by " + divider->second + ", which is not known");
  }
  const auto begin = is_numbered ? format_day(*first_day_) : std::string();
  // Google Analytics' overviews may contain the same card, and so the same table, twice.
  if (is_numbered && !seen_.insert(begin + ' ' + std::string(header)).second) {
    pass_over(header, "the file has it twice");
  }
}

void ReportReader::pass_over(std::string_view header, std::string_view why) {
  is_passed_over_ = true;
  passed_over_.insert(std::string(cut_utf8(without_padding(header), kShownHeader)) + ": " +
                      std::string(why));
}

std::optional<std::string> ReportReader::day_of(std::string_view cell, ColumnKind kind) const {
  cell = trim(cell);
  if (kind == ColumnKind::kDayNumber) {
    const auto number = are_digits(cell) && cell.size() <= 5 ? parse_int(cell) : std::nullopt;
    if (!number) return std::nullopt;
    return format_day(*first_day_ + std::chrono::days(*number));
  }
  auto day = parse_day(cell);
  if (!day && are_digits(cell) && (cell.size() == kDayDigits || cell.size() == kDayDigits + 2)) {
    day = parse_compact_day(cell);
  }
  if (!day) return std::nullopt;
  return format_day(*day);
}

ReadReportRow ReportReader::read_row(const std::vector<std::string>& cells) const {
  TotalsLine counted;
  std::optional<double> bounce_rate;
  std::optional<double> mean_seconds;
  std::optional<double> engaged_seconds;
  std::optional<double> engaged;
  bool has_events = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    // Rows are shorter for days on which the service did not have the last columns yet.
    const std::string_view cell = i < cells.size() ? std::string_view(cells[i]) : "";
    const auto column = columns_[i].value_or(Column{});
    const auto refuse = [&](const char* rule) {
      return BadReportRow{"\"" + std::string(cut_utf8(cell, kShownHeader)) + "\" " + rule};
    };
    switch (column.kind) {
      case ColumnKind::kDate:
      case ColumnKind::kDayNumber: {
        if (cell.empty() && cells.back() == "Grand total") return ReportRow{};
        auto day = day_of(cell, column.kind);
        if (!day) return refuse("is not a day.");
        counted.day = std::move(*day);
        break;
      }
      case ColumnKind::kCount: {
        const auto number = number_of(cell);
        if (!number) return refuse("is not a count.");
        counted.sums.*column.count = std::llround(*number);
        has_events = has_events || column.count == &DaySums::events;
        break;
      }
      case ColumnKind::kBounceRate: bounce_rate = rate_of(cell); break;
      case ColumnKind::kMeanSeconds: mean_seconds = number_of(cell); break;
      case ColumnKind::kEngagedSeconds: engaged_seconds = number_of(cell); break;
      case ColumnKind::kEngagedVisits: engaged = number_of(cell); break;
      default: break;
    }
  }
  auto& counts = counted.sums;
  const auto visits = static_cast<double>(counts.visits);
  if (counts.bounces == 0 && engaged)
    counts.bounces = std::llround(std::max(0.0, visits - *engaged));
  if (counts.bounces == 0 && bounce_rate) counts.bounces = std::llround(visits * *bounce_rate);
  if (counts.seconds == 0 && mean_seconds)
    counts.seconds = std::llround(std::min(visits * *mean_seconds, kMaxCounted));
  if (counts.seconds == 0 && engaged_seconds) counts.seconds = std::llround(*engaged_seconds);
  // Without a count of events, pageviews count as events; not in cards of an overview, which have
  // a single count.
  if (!has_events && !is_of(columns_, ColumnKind::kDayNumber)) counts.events = counts.pageviews;
  ReportRow row;
  if (counts != DaySums{}) add_values(cells, counted, row);
  for (const auto& line : row.lines) {
    if (line.dimension != "visit:country" || line.value.empty() ||
        event_limits::is_country(line.value)) {
      continue;
    }
    return BadReportRow{line.value + " is neither a country's English name nor its code"};
  }
  return row;
}

/// Adds a line for each dimension that the row has a value of, or a line with the day's total if
/// the table has no dimension.
void ReportReader::add_values(const std::vector<std::string>& cells, const TotalsLine& counted,
                              ReportRow& row) const {
  const auto add = [&](std::string_view dimension, std::string value) {
    auto line = counted;
    line.dimension = dimension;
    line.value = std::move(value);
    row.lines.push_back(std::move(line));
  };
  for (std::size_t i = 0; i < std::min(columns_.size(), cells.size()); ++i) {
    const auto column = columns_[i].value_or(Column{});
    if (column.kind == ColumnKind::kSourceMedium) {
      const auto slash = std::min(cells[i].find(" / "), cells[i].size());
      add("visit:source",
          stored_value("visit:source", std::string_view(cells[i]).substr(0, slash)));
    }
    if (column.kind == ColumnKind::kPropertyName) {
      const auto value = cell_of(cells, ColumnKind::kPropertyValue);
      if (!cells[i].empty()) add("event:props:" + cells[i], stored_value("event:props", value));
    }
    if (column.kind == ColumnKind::kDimension) {
      auto value = stored_value(column.dimension, cells[i]);
      if (column.dimension == "visit:region" && !value.empty() && !is_region_code(value)) continue;
      // Rows without a value of the property are not imported for the property.
      if (column.dimension.starts_with("event:props:") && value.empty()) continue;
      if (column.dimension == "event:name") add("event:goal", value);
      add(column.dimension, std::move(value));
    }
  }
  if (is_of(columns_, ColumnKind::kLabel)) {
    if (cell_of(cells, ColumnKind::kMetadata, "is_aggregate") == "1") return;
    if (auto what = labelled(cells, counted)) add(what->dimension, std::move(what->value));
  }
  if (std::any_of(columns_.begin(), columns_.end(), is_dimension)) return;
  // A text in a column that is not imported shows that the row counts a part of the day, not its
  // total.
  for (std::size_t i = 0; i < std::min(columns_.size(), cells.size()); ++i) {
    const bool is_known = columns_[i] && columns_[i]->kind != ColumnKind::kNothing;
    if (!is_known && !number_of(cells[i]) && !rate_of(cells[i])) return;
  }
  add(kTotalDimension, {});
}

/// Returns the dimension and value that a row of Matomo's reports describes, using its label and
/// segment.
std::optional<ReportReader::Labelled> ReportReader::labelled(const std::vector<std::string>& cells,
                                                             const TotalsLine& counted) const {
  const auto of = [](std::string_view dimension, std::string_view value) {
    return Labelled{dimension, stored_value(dimension, value)};
  };
  const auto label = cell_of(cells, ColumnKind::kLabel);
  const auto url = cell_of(cells, ColumnKind::kMetadata, "url");
  const auto code = cell_of(cells, ColumnKind::kMetadata, "code");
  const auto segment = cell_of(cells, ColumnKind::kMetadata, "segment");
  if (const auto version = in_segment(segment, "browserVersion==")) {
    return of("visit:browser_version", *version);
  }
  if (const auto version = in_segment(segment, "operatingSystemVersion==")) {
    return of("visit:os_version", *version);
  }
  const auto* known =
      std::find_if(std::begin(kSegments), std::end(kSegments),
                   [&](const MatomoSegment& each) { return segment.starts_with(each.begin); });
  if (known != std::end(kSegments)) {
    const bool is_page = known->dimension == "event:page";
    return of(known->dimension, is_page && !url.empty() ? url : label);
  }
  if (segment.starts_with("countryCode==") || (segment.empty() && code.size() == 2)) {
    return of("visit:country", code);
  }
  if (!segment.empty() || url.empty()) return std::nullopt;
  if (counted.sums.pageviews > 0) return of("event:page", url);
  // The URL is that of another site, from which the visits came.
  return Labelled{"visit:source", source_of_url(url)};
}

/// Returns the cell in the column of that kind and, unless `name` is empty, that name; empty if
/// no column matches.
std::string_view ReportReader::cell_of(const std::vector<std::string>& cells, ColumnKind kind,
                                       std::string_view name) const {
  for (std::size_t i = 0; i < std::min(columns_.size(), cells.size()); ++i) {
    const auto& column = columns_[i];
    if (column && column->kind == kind && (name.empty() || column->dimension == name)) {
      return cells[i];
    }
  }
  return {};
}

}  // namespace analytics::cli
