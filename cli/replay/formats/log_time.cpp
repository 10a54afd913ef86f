#include "cli/replay/formats/log_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string>

#include "common/text/local_time.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::string_view kUtc = "Etc/UTC";
constexpr double kMaxStamp = 1e20;  // about 3,000 years in nanoseconds
constexpr std::size_t kMaxText = 64;
constexpr int kFirstYear = 1970;
constexpr int kLastYear = 2199;
constexpr int kHalfDay = 12;  // hours, and also the number of months

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
};
struct Clock {
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::chrono::milliseconds fraction{0};
  std::optional<std::chrono::minutes> offset;  ///< Offset from UTC, if the text names a zone.
};

/// Removes a number from the front of `text` and returns it; nullopt if `text` begins with no
/// digit, or with more than `most` digits.
std::optional<int> take_digits(std::string_view& text, std::size_t most) {
  std::size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
  if (size == 0 || size > most) return std::nullopt;
  const auto number = parse_int(text.substr(0, size));
  text.remove_prefix(size);
  return static_cast<int>(number.value_or(0));
}

bool take(std::string_view& text, std::string_view expected) {
  if (!istarts_with(text, expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

/// Removes the name of a month and returns its number: "May", "Oct." or "October", but not "Maybe".
std::optional<unsigned> take_month(std::string_view& text) {
  constexpr std::string_view kNames[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
  std::size_t size = 0;
  while (size < text.size() && ((text[size] | 0x20) >= 'a' && (text[size] | 0x20) <= 'z')) ++size;
  const auto word = text.substr(0, size);
  for (unsigned i = 0; i < std::size(kNames); ++i) {
    if (!iequals(word, kNames[i]) && !iequals(word, kNames[i].substr(0, 3))) continue;
    text.remove_prefix(size);
    (void)take(text, ".");
    return i + 1;
  }
  return std::nullopt;
}

/// Removes a fraction of a second such as ".25" or ",25" and returns it in milliseconds; 0
/// without a fraction, nullopt if no digit follows the point or comma.
std::optional<std::chrono::milliseconds> take_fraction(std::string_view& text) {
  if (!take(text, ".") && !take(text, ",")) return std::chrono::milliseconds(0);
  const auto size = std::min(text.find_first_not_of("0123456789"), text.size());
  if (size == 0) return std::nullopt;
  const auto digits = (std::string(text.substr(0, size)) + "000").substr(0, 3);
  text.remove_prefix(size);
  return std::chrono::milliseconds(parse_int(digits).value_or(0));
}

/// Removes the name of a weekday, as in "Mon, ", from the front of `text`.
void skip_weekday(std::string_view& text) {
  constexpr std::string_view kDays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  for (const auto day : kDays) {
    if (!istarts_with(text, day)) continue;
    const auto end = text.find_first_of(", ");
    if (end == std::string_view::npos) return;
    text.remove_prefix(end);
    (void)take(text, ",");
    return skip_blanks(text);
  }
}

/// Removes and returns a date that begins with a number: "2015-05-17", "17.05.2015", "17 May 2015".
std::optional<Date> take_numbered_date(std::string_view& text) {
  const auto first_size = std::min(text.find_first_not_of("0123456789"), text.size());
  auto first = take_digits(text, 4);
  if (!first || text.empty()) return std::nullopt;
  const char separator = text.front();
  if (std::string_view("./- ").find(separator) == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  const auto name = take_month(text);
  const auto second = name ? std::optional(static_cast<int>(*name)) : take_digits(text, 2);
  if (!second || text.empty() || text.front() != separator) return std::nullopt;
  text.remove_prefix(1);
  const bool year_first = first_size == 4;
  const auto third = take_digits(text, year_first ? 2 : 4);
  if (!third) return std::nullopt;
  const auto make = [](int year, int month, int day) {
    return Date{year, static_cast<unsigned>(month), static_cast<unsigned>(day)};
  };
  if (year_first) return make(*first, *second, *third);
  if (name || separator == '.') return make(*third, *second, *first);
  if (separator == ' ') return std::nullopt;
  // Day and month can be told apart only if either is over 12 or both are equal.
  if (*first > kHalfDay || *first == *second) return make(*third, *second, *first);
  return *second > kHalfDay ? std::optional(make(*third, *first, *second)) : std::nullopt;
}

/// Removes and returns a date such as "May 17, 2015".
std::optional<Date> take_named_date(std::string_view& text) {
  const auto month = take_month(text);
  if (!month) return std::nullopt;
  skip_blanks(text);
  const auto day = take_digits(text, 2);
  (void)take(text, ",");
  skip_blanks(text);
  const auto year = take_digits(text, 4);
  if (!day || !year) return std::nullopt;
  return Date{*year, *month, static_cast<unsigned>(*day)};
}

/// Removes a zone such as "Z", "UTC", "+02", "+0200" or "+02:00" and returns its offset from UTC.
std::optional<std::chrono::minutes> take_zone(std::string_view& text) {
  for (const std::string_view name : {"Z", "UTC", "GMT"}) {
    if (take(text, name)) return std::chrono::minutes(0);
  }
  const bool minus = text.starts_with('-');
  if (!minus && !text.starts_with('+')) return std::nullopt;
  auto digits = std::string(text.substr(1));
  digits.erase(std::remove(digits.begin(), digits.end(), ':'), digits.end());
  if (digits.size() == 2) digits += "00";
  const auto number = digits.size() == 4 ? parse_int(digits) : std::nullopt;
  if (!number || *number < 0 || *number / 100 > 23 || *number % 100 > 59) return std::nullopt;
  text = {};
  const std::chrono::minutes offset(*number / 100 * 60 + *number % 100);
  return minus ? -offset : offset;
}

/// Parses the whole text as a time of day such as "10:05" or "10:05:03.25 PM +0200".
std::optional<Clock> parse_clock(std::string_view text) {
  Clock clock;
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute) return std::nullopt;
  clock.hour = *hour;
  clock.minute = *minute;
  if (take(text, ":")) {
    const auto second = take_digits(text, 2);
    if (!second) return std::nullopt;
    clock.second = *second;
  }
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  clock.fraction = *fraction;
  skip_blanks(text);
  const bool is_pm = take(text, "PM");
  if (is_pm || take(text, "AM")) {
    if (clock.hour < 1 || clock.hour > kHalfDay) return std::nullopt;
    clock.hour = clock.hour % kHalfDay + (is_pm ? kHalfDay : 0);
    skip_blanks(text);
  }
  if (!text.empty() && !(clock.offset = take_zone(text))) return std::nullopt;
  return text.empty() ? std::optional(clock) : std::nullopt;
}

std::optional<UnixMillis> moment_of(const Date& date, const Clock& clock, const TimeForms& forms) {
  if (date.year < kFirstYear || date.year > kLastYear) return std::nullopt;
  const auto shown = civil_time(date.year, date.month, date.day, clock.hour, clock.minute,
                                clock.second, clock.offset.value_or(std::chrono::minutes(0)));
  if (!shown) return std::nullopt;
  const auto time = UnixMillis(*shown) + clock.fraction;
  return clock.offset ? time : from_local(time, forms);
}

/// Parses a date, with or without a time of day after it.
std::optional<UnixMillis> parse_civil(std::string_view text, const TimeForms& forms) {
  skip_weekday(text);
  const bool has_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto date = has_digit ? take_numbered_date(text) : take_named_date(text);
  if (!date) return std::nullopt;
  if (text.empty()) return moment_of(*date, {}, forms);
  if (std::string_view(" Tt:,").find(text.front()) == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  skip_blanks(text);
  const auto clock = parse_clock(text);
  return clock ? moment_of(*date, *clock, forms) : std::nullopt;
}

/// Returns true for a time written as digits only, such as "20150517" or "20150517100503". No Unix
/// time of this century has 8 or 14 digits.
bool is_packed(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return (text.size() == 8 || text.size() == 14) && std::all_of(text.begin(), text.end(), is_digit);
}

std::optional<UnixMillis> parse_packed(std::string_view text, const TimeForms& forms) {
  const auto number = [&](std::size_t at, std::size_t size) {
    return static_cast<int>(parse_int(text.substr(at, size)).value_or(0));
  };
  const Date date{number(0, 4), static_cast<unsigned>(number(4, 2)),
                  static_cast<unsigned>(number(6, 2))};
  Clock clock;
  if (text.size() == 14) clock = {number(8, 2), number(10, 2), number(12, 2), {}, {}};
  return moment_of(date, clock, forms);
}

std::optional<UnixMillis> parse_stamp(std::string_view text) {
  const auto number = parse_double(text);
  if (!number || !(*number >= 0 && *number < kMaxStamp)) return std::nullopt;
  double millis = *number * 1e3;
  while (millis >= 1e14) millis /= 1e3;  // the text counts milliseconds or smaller units
  return UnixMillis(std::chrono::milliseconds(static_cast<std::int64_t>(std::floor(millis))));
}

/// Returns true for the forms by which GoAccess describes a Unix time in seconds, milliseconds or
/// microseconds. parse_stamp() distinguishes these units by magnitude.
bool is_stamp_form(std::string_view form) { return form == "%s" || form == "%*" || form == "%f"; }

/// Returns true for a strptime(3) format without a time of day.
bool is_date_form(std::string_view form) {
  for (const std::string_view clock : {"%H", "%I", "%T", "%R", "%c", "%k", "%l", "%r", "%X"}) {
    if (form.find(clock) != std::string_view::npos) return false;
  }
  return true;
}

/// Parses the whole text by the strptime(3) format `form`. If that has only a date, a time of day
/// in a common form may follow.
std::optional<UnixMillis> parse_as(const std::string& text, const std::string& form,
                                   const TimeForms& forms) {
  if (is_stamp_form(form)) return parse_stamp(text);
  std::tm parts{};
  parts.tm_mday = 1;
  const char* end = strptime(text.c_str(), form.c_str(), &parts);
  if (end == nullptr) return std::nullopt;
  std::string_view rest(end);
  const Date date{parts.tm_year + 1900, static_cast<unsigned>(parts.tm_mon + 1),
                  static_cast<unsigned>(parts.tm_mday)};
  if (!rest.empty() && is_date_form(form)) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" Tt:,"), rest.size()));
    const auto clock = parse_clock(rest);
    return clock ? moment_of(date, *clock, forms) : std::nullopt;
  }
  Clock clock{parts.tm_hour, parts.tm_min, parts.tm_sec, {}, {}};
  clock.fraction = take_fraction(rest).value_or(std::chrono::milliseconds(0));
  skip_blanks(rest);
  if (form.find("%z") != std::string::npos) {
    clock.offset = std::chrono::floor<std::chrono::minutes>(std::chrono::seconds(parts.tm_gmtoff));
  } else if (!rest.empty()) {
    clock.offset = take_zone(rest);
  }
  if (!rest.empty()) return std::nullopt;
  return moment_of(date, clock, forms);
}

/// Parses a text that contains a date and maybe a time of day, in the given forms.
std::optional<UnixMillis> parse_given(const std::string& text, const TimeForms& forms) {
  if (forms.time.empty() || is_stamp_form(forms.date)) return parse_as(text, forms.date, forms);
  // With strptime(3), the space between date and time of day also matches an empty text.
  for (const auto* between : {" ", "T", ":", ", "}) {
    if (auto time = parse_as(text, forms.date + between + forms.time, forms)) return time;
  }
  return std::nullopt;
}

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

std::optional<UnixMillis> parse_log_time(std::string_view text, const TimeForms& forms) {
  text = trim(text);
  if (text.starts_with('[') && text.ends_with(']')) text = trim(text.substr(1, text.size() - 2));
  if (!forms.date.empty()) return parse_given(std::string(text), forms);
  if (const auto time = parse_common_log_time(text)) return time;
  if (const auto time = parse_rfc3339(text)) return time;
  if (is_packed(text)) return parse_packed(text, forms);
  if (const auto time = parse_stamp(text)) return time;
  return text.size() <= kMaxText ? parse_civil(text, forms) : std::nullopt;
}

std::optional<UnixMillis> parse_log_time(std::string_view text) {
  static const TimeForms kFound;
  return parse_log_time(text, kFound);
}

std::optional<std::chrono::minutes> parse_zone(std::string_view text) {
  const auto offset = take_zone(text);
  return text.empty() ? offset : std::nullopt;
}

std::string problem_of(const TimeForms& forms) {
  for (const auto* form : {&forms.date, &forms.time}) {
    if (form->find("%Z") != std::string::npos) {
      return "%Z is a name that several zones have: use %z, or --timezone";
    }
    if (form->find("%s") != std::string::npos && !is_stamp_form(*form)) {
      return "%s must stand alone";
    }
  }
  return {};
}

UnixMillis from_local(UnixMillis shown, const TimeForms& forms) {
  if (forms.zone == kUtc) return shown;
  const auto second = std::chrono::floor<std::chrono::seconds>(shown);
  return UnixMillis(analytics::from_local(second, forms.zone)) + (shown - second);
}

}  // namespace analytics::cli
