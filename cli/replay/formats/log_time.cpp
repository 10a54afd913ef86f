#include "cli/replay/formats/log_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common/text.h"

namespace analytics::cli {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::size_t kLeastBeforeZone = 16;  // "2015-05-17 10:05"
constexpr double kMaxStamp = 1e20;            // nanoseconds of some thousand years

}  // namespace

std::optional<UnixMillis> parse_common_log_time(std::string_view text) {
  if (text.size() != 26 || text[2] != '/' || text[6] != '/' || text[11] != ':' || text[20] != ' ')
    return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) {
    return static_cast<int>(parse_int(text.substr(at, size)).value_or(-1));
  };
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(3, 3)) - kMonths.begin();
  const bool minus = text[21] == '-';
  const int hours = number(22, 2);
  const int minutes = number(24, 2);
  if ((!minus && text[21] != '+') || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
    return std::nullopt;
  }
  const std::chrono::minutes offset(hours * 60 + minutes);
  const auto time = civil_time(number(7, 4), static_cast<unsigned>(month + 1),
                               static_cast<unsigned>(number(0, 2)), number(12, 2), number(15, 2),
                               number(18, 2), minus ? -offset : offset);
  if (!time) return std::nullopt;
  return *time;
}

std::optional<UnixMillis> parse_log_time(std::string_view text) {
  text = trim(text);
  if (const auto number = parse_double(text); number && *number >= 0 && *number < kMaxStamp) {
    double millis = *number * 1e3;
    while (millis >= 1e14) millis /= 1e3;  // it was in milliseconds, micro- or nanoseconds
    return UnixMillis(std::chrono::milliseconds(static_cast<std::int64_t>(std::floor(millis))));
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (const auto time = parse_common_log_time(text)) return time;
  if (const auto time = parse_rfc3339(text)) return time;
  auto civil = std::string(text);
  // "+0200" and PostgreSQL's "+02" behind the hours.
  const auto zone = civil.find_last_of("+-");
  const auto digits = civil.size() - zone;
  if (zone != std::string::npos && zone >= kLeastBeforeZone && (digits == 3 || digits == 5)) {
    civil.insert(zone + 3, ":");
    if (digits == 3) civil += "00";
  }
  if (civil.size() > 10 && civil[10] == ' ') civil[10] = 'T';
  if (const auto time = parse_rfc3339(civil)) return time;
  return parse_rfc3339(civil + 'Z');
}

}  // namespace analytics::cli
