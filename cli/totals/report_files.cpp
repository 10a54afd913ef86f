#include "cli/totals/report_files.h"

#include <algorithm>
#include <vector>

#include "cli/totals/goatcounter_export.h"
#include "cli/totals/report_reader.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kHeadLines = 20;

std::vector<std::string> head_of(ReportText& text) {
  std::vector<std::string> head;
  ReportText::Line line;
  while (head.size() < kHeadLines && text.next(line)) head.push_back(std::move(line.text));
  return head;
}

/// Returns true if any text of a file or an archive is a report of daily totals.
bool has_reports(const std::vector<ReportPlace>& places) {
  return is_goatcounter_export(places) ||
         std::any_of(places.begin(), places.end(),
                     [](const auto& place) { return is_report_text(place).value_or(false); });
}

}  // namespace

Result<bool> is_report_text(const ReportPlace& place) {
  const auto text = TRY(ReportText::open(place));
  const auto head = head_of(*text);
  if (text->error()) return fail(*text->error());
  return ReportReader::is_report(head);
}

bool has_no_rows(const std::string& file) {
  const auto places = list_texts(file);
  if (!places || places->size() != 1) return false;
  const auto text = ReportText::open(places->front());
  if (!text) return false;
  const auto head = head_of(**text);
  const bool is_line = head.size() == 1 || (head.size() == 2 && trim(head.back()).empty());
  return is_line && (trim(head.front()) == "date" || trim(head.front()) == "No data available");
}

bool is_report_file(const std::string& file) {
  std::error_code failed;
  if (file == "-" || !std::filesystem::is_regular_file(file, failed)) return false;
  const auto places = list_texts(file);
  if (!places) return false;
  return has_reports(*places);
}

bool is_archive_of_events(const std::string& file) {
  std::error_code failed;
  if (file == "-" || !std::filesystem::is_regular_file(file, failed)) return false;
  const auto places = list_texts(file);
  const bool is_archive = places && (places->empty() || !places->front().entry.empty());
  return is_archive && !has_reports(*places);
}

}  // namespace analytics::cli
