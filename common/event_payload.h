#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/engagement.h"
#include "common/result.h"
#include "common/revenue.h"
#include "common/time.h"

namespace analytics {

/// Names with a meaning of their own; every other name is a custom event.
inline constexpr std::string_view kPageview = "pageview";
inline constexpr std::string_view kEngagement = "engagement";

struct Property {
  std::string key;
  std::string value;
  bool operator==(const Property&) const = default;
};

/// The body of POST /api/event. Only this file knows its field names and rules.
struct EventPayload {
  std::vector<std::string> domains;  ///< The domains as sent, trimmed; 1 to 10 of them.
  std::string name;
  std::string url;
  std::string referrer;  ///< Empty when absent; at most 2000 bytes.
  std::optional<int> screen_width;
  std::vector<Property> props;  ///< At most 30.
  bool interactive = true;
  bool hash_mode = false;
  std::optional<Revenue> revenue;
  Engagement engagement;  ///< Only of events named kEngagement.

  // Only under the right events:import.
  std::optional<UnixMillis> timestamp;
  std::optional<std::string> ip;  ///< An address.
  std::optional<std::string> user_agent;
  std::optional<std::string> visitor;  ///< Stands for address and User-Agent of another server.
  std::optional<std::string> visit;    ///< Its events are one visit.
  std::optional<bool> keep_bots;
  std::optional<std::string> id;  ///< The record's id at its origin; needs no special right.
  /// Values that override those which would be derived.
  struct Derived {
    std::optional<std::string> country, region, city, device, browser, browser_version, os,
        os_version, screen, language;
  };
  Derived derived;
  bool uses_import_rights = false;  ///< Any of these was sent.

  /// Import fields that stood in the body without the right to use them.
  std::vector<std::string> ignored;
};

/// The members that the sender is allowed to set.
struct PayloadRights {
  bool import = false;  ///< The import fields are read and checked; else they are ignored.
  UnixMillis now{};     ///< Against which a timestamp's future is judged.
};

/// Errors: kMalformedBody; kInvalidEvent with every field to blame; kInvalidTimestamp when only
/// the timestamp is wrong.
[[nodiscard]] Result<EventPayload> parse_event_payload(std::string_view body,
                                                       const PayloadRights& rights);

/// True if an event made from a record of another form is certainly valid in this form. A cheap
/// check: parse_event_payload() would return the same payload.
[[nodiscard]] bool is_plainly_valid(const EventPayload& payload, const PayloadRights& rights);

/// Takes away what needs the right to import.
void drop_import_fields(EventPayload& payload);

/// The payload as a body to send: long names, absent fields left out.
[[nodiscard]] std::string to_json(const EventPayload& payload);

/// The properties as a JSON object in their order; empty text when there are none.
[[nodiscard]] std::string props_to_json(const std::vector<Property>& props);

}  // namespace analytics
