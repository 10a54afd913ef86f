#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace analytics {

/// The properties that events and visits can be grouped and filtered by.
enum class Field {
  // of an event
  kName,
  kPage,
  kHostname,
  kGoal,
  kProp,
  kPropKey,  ///< The keys of its props; for pages that offer them, and without a name on the wire.
  // of a visit: its first event's
  kSource,
  kChannel,
  kReferrer,
  kUtmSource,
  kUtmMedium,
  kUtmCampaign,
  kUtmContent,
  kUtmTerm,
  kDevice,
  kScreen,  ///< Its ScreenClass.
  kBrowser,
  kBrowserVersion,
  kOs,
  kOsVersion,
  kCountry,
  kRegion,
  kCity,
  kCountryName,  ///< In English, of the code.
  kRegionName,
  kCityName,  ///< The city: a city has no code here.
  kLanguage,
  // of a visit: its first and last pageview's
  kEntryPage,
  kExitPage,
  kEntryHostname,
  kExitHostname,
  // of an event's time, in the zone of the site
  kMinute,  ///< For what happens now: ranges are short.
  kHour,
  kDay,
  kWeek,
  kMonth,
};

/// A field as those who parse or show it must know it.
struct FieldInfo {
  Field field;
  std::string_view name;   ///< On the wire: "visit:source"; "event:props" is followed by a key.
  std::string_view empty;  ///< How an empty value reads, such as "Direct / None".
};
/// Returns all fields, in the order of Field. One without a name is not on the wire.
[[nodiscard]] std::span<const FieldInfo> all_fields();

struct Dimension {
  Field field = Field::kName;
  std::string key;  ///< The name of a property; empty for other fields.
  bool operator==(const Dimension&) const = default;
};

/// "visit:source", "event:props:plan", "time:day".
[[nodiscard]] std::string dimension_name(const Dimension& dimension);
[[nodiscard]] std::optional<Dimension> parse_dimension(std::string_view name);

[[nodiscard]] bool is_time(Field field);
/// True if all events of a visit share the value.
[[nodiscard]] bool is_of_visit(Field field);

/// How an empty value reads, such as "Direct / None"; empty where none can be.
[[nodiscard]] std::string_view empty_value(Field field);
/// True if `text`, in a condition on the field, means an empty value.
[[nodiscard]] bool reads_as_empty(Field field, std::string_view text, bool any_case = false);

}  // namespace analytics
