#include "common/text/time.h"

#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Reads a fixed number of digits, or a literal, from the start of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<int> digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  bool literal(char c) {
    if (rest_.empty() || ascii_lower(rest_.front()) != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Reads the digits after a decimal point as milliseconds; ignores further digits.
  std::optional<std::chrono::milliseconds> fraction() {
    int value = 0;
    std::size_t count = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; ++count) {
      if (count < 3) value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    if (count == 0) return std::nullopt;
    for (; count < 3; ++count) value *= 10;
    return std::chrono::milliseconds(value);
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// Parses "Z" or "+hh:mm", to the end of the text.
std::optional<std::chrono::minutes> parse_offset(Scanner scan) {
  using std::chrono::minutes;
  if (scan.literal('z')) return scan.rest().empty() ? std::optional(minutes(0)) : std::nullopt;
  const bool minus = scan.literal('-');
  if (!minus && !scan.literal('+')) return std::nullopt;
  const auto hours = scan.digits(2);
  if (!hours || !scan.literal(':')) return std::nullopt;
  const auto mins = scan.digits(2);
  if (!mins || *hours > 23 || *mins > 59 || !scan.rest().empty()) return std::nullopt;
  const minutes offset(*hours * 60 + *mins);
  return minus ? -offset : offset;
}

std::set<std::string, std::less<>> read_time_zones() {
  std::set<std::string, std::less<>> names{"UTC", "Etc/UTC"};
  std::ifstream file("/usr/share/zoneinfo/tzdata.zi");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, first, second;
    words >> kind >> first >> second;
    if (kind == "Z") names.insert(first);
    if (kind == "L") names.insert(second);
  }
  return names;
}

}  // namespace

UnixMillis SystemClock::now() const {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::chrono::steady_clock::time_point SystemClock::steady() const {
  return std::chrono::steady_clock::now();
}

void SystemClock::sleep(std::chrono::nanoseconds time) const { std::this_thread::sleep_for(time); }

std::string format_rfc3339(UnixSeconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const auto year = static_cast<int>(date.year());
  if (year < 0 || year > 9999) {
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year,
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  }
  std::string text = "0000-00-00T00:00:00Z";  // formatted by hand for speed, because events need it
  const auto put = [&](std::size_t end, std::int64_t number) {
    for (; number > 0; number /= 10) text[--end] = static_cast<char>('0' + number % 10);
  };
  put(4, year);
  put(7, static_cast<unsigned>(date.month()));
  put(10, static_cast<unsigned>(date.day()));
  put(13, clock.hours().count());
  put(16, clock.minutes().count());
  put(19, clock.seconds().count());
  return text;
}

std::string format_compact(UnixSeconds time) {
  auto text = format_rfc3339(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::optional<UnixSeconds> civil_time(int year, unsigned month, unsigned day, int hour, int minute,
                                      int second, std::chrono::minutes offset) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(month),
                            std::chrono::day(day)};
  // Second 60 is a leap second; it counts as second 59.
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return std::nullopt;
  }
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second == 60 ? 59 : second) -
         offset;
}

std::optional<UnixMillis> parse_rfc3339(std::string_view text) {
  Scanner scan(text);
  std::array<int, 6> part{};
  static constexpr std::array<char, 6> kAfter{'-', '-', 't', ':', ':', '\0'};
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto value = scan.digits(i == 0 ? 4 : 2);
    if (!value) return std::nullopt;
    part[i] = *value;
    if (kAfter[i] == '\0') break;
    if (!scan.literal(kAfter[i]) && !(kAfter[i] == 't' && scan.literal(' '))) return std::nullopt;
  }
  std::chrono::milliseconds fraction{0};
  if (scan.literal('.')) {
    const auto parsed = scan.fraction();
    if (!parsed) return std::nullopt;
    fraction = *parsed;
  }
  const auto offset = parse_offset(scan);
  if (!offset) return std::nullopt;
  const auto time = civil_time(part[0], static_cast<unsigned>(part[1]),
                               static_cast<unsigned>(part[2]), part[3], part[4], part[5], *offset);
  if (!time) return std::nullopt;
  return *time + fraction;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double millis;
  };
  static constexpr Unit kUnits[] = {{"ms", 1},      {"s", 1e3},      {"m", 60e3},
                                    {"h", 3'600e3}, {"d", 86'400e3}, {"", 1e3}};
  for (const auto& unit : kUnits) {
    if (!text.ends_with(unit.suffix)) continue;
    const auto number = parse_double(text.substr(0, text.size() - unit.suffix.size()));
    if (!number || !(*number >= 0) || *number * unit.millis > 1e15) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*number * unit.millis));
  }
  return std::nullopt;
}

bool is_time_zone(std::string_view name) {
  static const auto names = read_time_zones();
  return names.contains(name);
}

}  // namespace analytics
