#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/event/engagement.h"
#include "common/event/revenue.h"
#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics {

/// Event names with a built-in meaning; sites choose all other names.
inline constexpr std::string_view kPageview = "pageview";
inline constexpr std::string_view kEngagement = "engagement";

struct Property {
  std::string key;
  std::string value;
  bool operator==(const Property&) const = default;
};

/// The body of POST /api/event. Its field names and rules are in event_payload*.cpp.
struct EventPayload {
  std::vector<std::string> domains;  ///< 1 to 10 domains as sent, trimmed.
  std::string name;
  std::string url;
  std::string referrer;  ///< At most 2,000 bytes; empty if absent.
  std::optional<int> screen_width;
  std::vector<Property> props;  ///< At most 30 properties.
  /// True if a custom event counts as an interaction, so that its visit is not a bounce; ignored
  /// for a pageview.
  bool interactive = true;
  bool hash_mode = false;  ///< True if the fragment of the URL belongs to the page's path.
  std::optional<Revenue> revenue;
  Engagement engagement;  ///< Time and scroll depth; empty unless the event is named kEngagement.

  // Import fields, which need the scope events:import.
  std::optional<UnixMillis> timestamp;
  std::optional<std::string> ip;  ///< Address of the visitor.
  std::optional<std::string> user_agent;
  std::optional<std::string> visitor;  ///< Token that replaces address and User-Agent.
  std::optional<std::string> visit;    ///< Token shared by all events of a visit.
  std::optional<bool> keep_bots;       ///< True to store the event even if a bot sent it.
  /// Id of the record at its origin; without the scope it is ignored silently.
  std::optional<std::string> id;
  /// Values that replace those which the daemon would derive from address and User-Agent.
  struct Derived {
    std::optional<std::string> country, region, city, device, browser, browser_version, os,
        os_version, screen, language;
  };
  Derived derived;
  /// True if the body has an import field that the sender may use.
  bool uses_import_rights = false;

  /// Names of ignored fields, at most 20: import fields that the sender lacks the right to use, and
  /// unknown fields.
  std::vector<std::string> ignored;
  std::size_t withheld = 0;  ///< Number of values redacted or left out: see event_privacy.h.
};

/// Rights of the sender, and the time to check timestamps against.
struct PayloadRights {
  bool import = false;  ///< True to accept import fields; otherwise they are ignored.
  UnixMillis now{};     ///< A timestamp may be at most kFuture after this time.
};

/// Parses the body of an event. Errors: kMalformedBody; kInvalidEvent with every wrong field;
/// kInvalidTimestamp if only the timestamp is wrong.
[[nodiscard]] Result<EventPayload> parse_event_payload(std::string_view body,
                                                       const PayloadRights& rights);

/// Returns true if a payload converted from another format is certainly valid:
/// parse_event_payload() would return it unchanged. A cheap check that may return false for valid
/// payloads.
[[nodiscard]] bool is_plainly_valid(const EventPayload& payload, const PayloadRights& rights);

/// Removes the fields that need the right to import.
void drop_import_fields(EventPayload& payload);

/// Returns the payload as a body to send, with long field names and without absent fields.
[[nodiscard]] std::string to_json(const EventPayload& payload);

/// Returns the properties as a JSON object in their order; an empty text if `props` is empty.
[[nodiscard]] std::string props_to_json(const std::vector<Property>& props);

}  // namespace analytics
