#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace analytics {

/// The fields that events and visits can be grouped and filtered by.
enum class Field {
  // Fields of an event.
  kName,
  kPage,
  kHostname,
  kGoal,
  kProp,
  kPropKey,  ///< Key of a property, for the list of keys on a shared page; has no name on the wire.
  // Fields of a visit, from the visit's first event.
  kSource,
  kChannel,
  kReferrer,
  kUtmSource,
  kUtmMedium,
  kUtmCampaign,
  kUtmContent,
  kUtmTerm,
  kDevice,
  kScreen,  ///< Class of the screen's width: see ScreenClass.
  kBrowser,
  kBrowserVersion,
  kOs,
  kOsVersion,
  kCountry,
  kRegion,
  kCity,
  kCountryName,  ///< The country's name in English.
  kRegionName,
  kCityName,  ///< The same as kCity, because cities have no code here.
  kLanguage,
  // Fields of a visit, from the visit's first and last pageview.
  kEntryPage,
  kExitPage,
  kEntryHostname,
  kExitHostname,
  // Parts of an event's time, in the site's time zone.
  kMinute,  ///< Minute; only for short ranges, such as the last half hour.
  kHour,
  kDay,
  kWeek,
  kMonth,
};

/// The wire name and texts of a field.
struct FieldInfo {
  Field field;
  /// Name on the wire: "visit:source". For kProp, the property's key follows "event:props:".
  std::string_view name;
  std::string_view empty;  ///< Text for an empty value, such as "Direct / None".
};
/// Returns all fields, in enum order. A field without a name is not on the wire.
[[nodiscard]] std::span<const FieldInfo> all_fields();

struct Dimension {
  Field field = Field::kName;
  std::string key;  ///< Key of the property if `field` is kProp; else empty.
  bool operator==(const Dimension&) const = default;
};

/// Returns the name on the wire: "visit:source", "event:props:plan", "time:day".
[[nodiscard]] std::string dimension_name(const Dimension& dimension);
[[nodiscard]] std::optional<Dimension> parse_dimension(std::string_view name);

[[nodiscard]] bool is_time(Field field);
/// Returns true if all events of a visit share the field's value.
[[nodiscard]] bool is_of_visit(Field field);

/// Returns the text for an empty value, such as "Direct / None"; empty if the field always has a
/// value.
[[nodiscard]] std::string_view empty_value(Field field);
/// Returns true if `text`, in a condition on the field, means an empty value. `any_case` ignores
/// the case of ASCII letters.
[[nodiscard]] bool reads_as_empty(Field field, std::string_view text, bool any_case = false);

}  // namespace analytics
