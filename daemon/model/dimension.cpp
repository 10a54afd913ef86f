#include "daemon/model/dimension.h"

#include <algorithm>
#include <array>

#include "common/text.h"

namespace analytics {
namespace {

constexpr std::string_view kNotSet = "(not set)";
constexpr std::string_view kPropPrefix = "event:props:";
constexpr std::size_t kMaxPropKey = 300;  // bytes, as of an event's

struct Row {
  Field field;
  std::string_view name;
  std::string_view empty;
};
// In the order of Field.
constexpr std::array<Row, 28> kRows = {{
    {Field::kName, "event:name", ""},
    {Field::kPage, "event:page", ""},
    {Field::kHostname, "event:hostname", ""},
    {Field::kGoal, "event:goal", ""},
    {Field::kProp, "event:props", "(none)"},
    {Field::kPropKey, "", ""},
    {Field::kSource, "visit:source", "Direct / None"},
    {Field::kChannel, "visit:channel", "Direct"},
    {Field::kReferrer, "visit:referrer", "Direct / None"},
    {Field::kUtmSource, "visit:utm_source", kNotSet},
    {Field::kUtmMedium, "visit:utm_medium", kNotSet},
    {Field::kUtmCampaign, "visit:utm_campaign", kNotSet},
    {Field::kUtmContent, "visit:utm_content", kNotSet},
    {Field::kUtmTerm, "visit:utm_term", kNotSet},
    {Field::kDevice, "visit:device", kNotSet},
    {Field::kBrowser, "visit:browser", kNotSet},
    {Field::kBrowserVersion, "visit:browser_version", kNotSet},
    {Field::kOs, "visit:os", kNotSet},
    {Field::kOsVersion, "visit:os_version", kNotSet},
    {Field::kCountry, "visit:country", kNotSet},
    {Field::kRegion, "visit:region", kNotSet},
    {Field::kCity, "visit:city", kNotSet},
    {Field::kEntryPage, "visit:entry_page", kNotSet},
    {Field::kExitPage, "visit:exit_page", kNotSet},
    {Field::kHour, "time:hour", ""},
    {Field::kDay, "time:day", ""},
    {Field::kWeek, "time:week", ""},
    {Field::kMonth, "time:month", ""},
}};

const Row& row_of(Field field) { return kRows[static_cast<std::size_t>(field)]; }

}  // namespace

std::string dimension_name(const Dimension& dimension) {
  if (dimension.field == Field::kProp) return std::string(kPropPrefix) + dimension.key;
  return std::string(row_of(dimension.field).name);
}

std::optional<Dimension> parse_dimension(std::string_view name) {
  if (name.starts_with(kPropPrefix)) {
    const auto key = name.substr(kPropPrefix.size());
    if (key.empty() || key.size() > kMaxPropKey) return std::nullopt;
    return Dimension{Field::kProp, std::string(key)};
  }
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) {
    return each.name == name && each.field != Field::kProp && !name.empty();
  });
  return row == kRows.end() ? std::nullopt : std::optional(Dimension{row->field, {}});
}

bool is_time(Field field) { return field >= Field::kHour; }
bool is_of_visit(Field field) { return field >= Field::kSource && field <= Field::kExitPage; }

std::string_view empty_value(Field field) { return row_of(field).empty; }

bool reads_as_empty(Field field, std::string_view text, bool any_case) {
  if (field == Field::kChannel) return false;  // Direct is a channel, and no lack of one
  const auto is = [&](std::string_view name) {
    return any_case ? iequals(text, name) : text == name;
  };
  return !text.empty() && (is(empty_value(field)) || (is_of_visit(field) && is(kNotSet)));
}

}  // namespace analytics
