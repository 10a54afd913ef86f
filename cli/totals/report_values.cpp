#include "cli/totals/report_values.h"

#include <algorithm>

#include "cli/replay/formats/country_code.h"
#include "cli/replay/formats/export_draft.h"
#include "common/event/event_limits.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

// Texts that other services write if a value is missing.
constexpr std::string_view kNothings[] = {"(not set)",     "(none)",  "(direct)",
                                          "direct / none", "unknown", "xx"};

std::string path_of(std::string_view text) {
  const auto parts = text.starts_with('/') ? std::nullopt : split_url(text);
  const auto path = parts ? std::string_view(parts->path) : text;
  const auto bare = path.substr(0, path.find_first_of("?#"));
  return (bare.starts_with('/') ? "" : "/") + std::string(bare);
}

}  // namespace

bool are_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Days> parse_compact_day(std::string_view text) {
  if (text.size() < kDayDigits || !are_digits(text.substr(0, kDayDigits))) return std::nullopt;
  return parse_day(std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" +
                   std::string(text.substr(6, 2)));
}

std::optional<double> number_of(std::string_view cell) {
  cell = trim(cell);
  if (cell.empty()) return 0.0;
  const auto number = parse_double(cell);
  if (!number || !(*number >= 0 && *number <= kMaxCounted)) return std::nullopt;
  return number;
}

std::optional<double> rate_of(std::string_view cell) {
  cell = trim(cell);
  const bool is_percent = cell.ends_with('%');
  if (is_percent) cell.remove_suffix(1);
  const auto rate = number_of(trim(cell));
  if (!rate || *rate > (is_percent ? 100 : 1)) return std::nullopt;
  return is_percent ? *rate / 100 : *rate;
}

std::string_view without_guard(std::string_view cell) {
  const bool is_guarded = cell.size() > 1 && cell.front() == '\'' &&
                          std::string_view("=+-@").find(cell[1]) != std::string_view::npos;
  return is_guarded ? cell.substr(1) : cell;
}

std::string stored_value(std::string_view dimension, std::string_view cell) {
  cell = without_guard(trim(cell));
  const auto lower = ascii_lower(cell);
  if (std::find(std::begin(kNothings), std::end(kNothings), lower) != std::end(kNothings)) {
    return {};
  }
  if (dimension == "event:page" || dimension == "visit:entry_page" ||
      dimension == "visit:exit_page") {
    return cell.empty() ? std::string() : path_of(cell);
  }
  if (dimension == "visit:country") return country_code(cell).value_or(std::string(cell));
  if (dimension == "visit:device") {
    const auto device = device_name(cell);
    return std::string(device.empty() ? cell : device);
  }
  return std::string(cell);
}

std::string source_of_url(std::string_view url) {
  const auto host = ascii_lower(split_url(url).value_or(UrlParts{}).host);
  return host.starts_with("www.") ? host.substr(4) : host;
}

bool is_region_code(std::string_view text) {
  return text.size() > 3 && text[2] == '-' && event_limits::is_country(text.substr(0, 2));
}

}  // namespace analytics::cli
