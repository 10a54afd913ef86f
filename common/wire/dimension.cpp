#include "common/wire/dimension.h"

#include <array>

#include "common/text/text.h"
#include "common/wire/catalogue.h"

namespace analytics {
namespace {

constexpr std::string_view kNotSet = "(not set)";
constexpr std::string_view kPropPrefix = "event:props:";
// Maximum size of a property's key in bytes, as in events.
constexpr std::size_t kMaxPropKey = 300;

// One row for each field, in enum order.
constexpr auto kFields = [] {
  using enum Field;
  return std::array{
      FieldInfo{kName, "event:name", ""},
      FieldInfo{kPage, "event:page", ""},
      FieldInfo{kHostname, "event:hostname", ""},
      FieldInfo{kGoal, "event:goal", ""},
      FieldInfo{kProp, "event:props", "(none)"},
      FieldInfo{kPropKey, "", ""},
      FieldInfo{kSource, "visit:source", "Direct / None"},
      FieldInfo{kChannel, "visit:channel", "Direct"},
      FieldInfo{kReferrer, "visit:referrer", "Direct / None"},
      FieldInfo{kUtmSource, "visit:utm_source", kNotSet},
      FieldInfo{kUtmMedium, "visit:utm_medium", kNotSet},
      FieldInfo{kUtmCampaign, "visit:utm_campaign", kNotSet},
      FieldInfo{kUtmContent, "visit:utm_content", kNotSet},
      FieldInfo{kUtmTerm, "visit:utm_term", kNotSet},
      FieldInfo{kDevice, "visit:device", kNotSet},
      FieldInfo{kScreen, "visit:screen", kNotSet},
      FieldInfo{kBrowser, "visit:browser", kNotSet},
      FieldInfo{kBrowserVersion, "visit:browser_version", kNotSet},
      FieldInfo{kOs, "visit:os", kNotSet},
      FieldInfo{kOsVersion, "visit:os_version", kNotSet},
      FieldInfo{kCountry, "visit:country", kNotSet},
      FieldInfo{kRegion, "visit:region", kNotSet},
      FieldInfo{kCity, "visit:city", kNotSet},
      FieldInfo{kCountryName, "visit:country_name", kNotSet},
      FieldInfo{kRegionName, "visit:region_name", kNotSet},
      FieldInfo{kCityName, "visit:city_name", kNotSet},
      FieldInfo{kLanguage, "visit:language", kNotSet},
      FieldInfo{kEntryPage, "visit:entry_page", kNotSet},
      FieldInfo{kExitPage, "visit:exit_page", kNotSet},
      FieldInfo{kEntryHostname, "visit:entry_page_hostname", kNotSet},
      FieldInfo{kExitHostname, "visit:exit_page_hostname", kNotSet},
      FieldInfo{kMinute, "time:minute", ""},
      FieldInfo{kHour, "time:hour", ""},
      FieldInfo{kDay, "time:day", ""},
      FieldInfo{kWeek, "time:week", ""},
      FieldInfo{kMonth, "time:month", ""},
  };
}();

static_assert(is_complete(kFields, &FieldInfo::field, Field::kMonth));

const FieldInfo& info_of(Field field) { return kFields[static_cast<std::size_t>(field)]; }

}  // namespace

std::span<const FieldInfo> all_fields() { return kFields; }

std::string dimension_name(const Dimension& dimension) {
  if (dimension.field == Field::kProp) return std::string(kPropPrefix) + dimension.key;
  return std::string(info_of(dimension.field).name);
}

std::optional<Dimension> parse_dimension(std::string_view name) {
  if (name.starts_with(kPropPrefix)) {
    const auto key = name.substr(kPropPrefix.size());
    if (key.empty() || key.size() > kMaxPropKey) return std::nullopt;
    return Dimension{Field::kProp, std::string(key)};
  }
  const auto* row = name.empty() ? nullptr : find_row(kFields, name);
  if (row == nullptr || row->field == Field::kProp) return std::nullopt;
  return Dimension{row->field, {}};
}

bool is_time(Field field) { return field >= Field::kMinute; }
bool is_of_visit(Field field) { return field >= Field::kSource && field <= Field::kExitHostname; }

std::string_view empty_value(Field field) { return info_of(field).empty; }

bool reads_as_empty(Field field, std::string_view text, bool any_case) {
  if (field == Field::kChannel) return false;  // Direct is a channel, not an empty value
  const auto is = [&](std::string_view name) {
    return any_case ? iequals(text, name) : text == name;
  };
  return !text.empty() && (is(empty_value(field)) || (is_of_visit(field) && is(kNotSet)));
}

}  // namespace analytics
