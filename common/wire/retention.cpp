#include "common/wire/retention.h"

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::int64_t kMaxDays = 36'500;
constexpr std::int64_t kMaxMonths = 1'200;

std::optional<Retention> parse(std::string_view text) {
  using enum Retention::Unit;
  if (text == "forever") return Retention{};
  const bool is_months = text.ends_with("mo");
  if (!is_months && !text.ends_with('d')) return std::nullopt;
  const auto count = parse_int(text.substr(0, text.size() - (is_months ? 2 : 1)));
  if (!count || *count < 1 || *count > (is_months ? kMaxMonths : kMaxDays)) return std::nullopt;
  return Retention{is_months ? kMonths : kDays, static_cast<int>(*count)};
}

}  // namespace

Result<Retention> parse_retention(std::string_view text) {
  if (const auto retention = parse(trim(text))) return *retention;
  const std::string problem = "must be \"forever\", days such as 90d, or months such as 25mo";
  return fail({ErrorCode::kInvalidParameter, "keep " + problem + ".", {{"keep", problem}}});
}

std::string to_text(const Retention& retention) {
  switch (retention.unit) {
    case Retention::Unit::kForever: break;
    case Retention::Unit::kDays: return std::to_string(retention.count) + "d";
    case Retention::Unit::kMonths: return std::to_string(retention.count) + "mo";
  }
  return "forever";
}

std::optional<Days> first_kept(const Retention& retention, Days today) {
  switch (retention.unit) {
    case Retention::Unit::kForever: break;
    case Retention::Unit::kDays: return today - std::chrono::days(retention.count);
    case Retention::Unit::kMonths: {
      const auto day = std::chrono::year_month_day(today) - std::chrono::months(retention.count);
      return day.ok() ? Days(day) : Days(day.year() / day.month() / std::chrono::last);
    }
  }
  return std::nullopt;
}

bool is_shorter(const Retention& a, const Retention& b, Days today) {
  const auto first = first_kept(a, today);
  return first && *first > first_kept(b, today).value_or(Days::min());
}

}  // namespace analytics
