#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/event/engagement.h"
#include "common/event/revenue.h"
#include "common/event/screen_class.h"
#include "common/run/secret.h"
#include "common/run/shared_value.h"
#include "common/text/time.h"
#include "common/wire/event_outcome.h"
#include "daemon/model/channel.h"
#include "daemon/model/client.h"
#include "daemon/model/names/language.h"
#include "daemon/model/site.h"
#include "daemon/model/visit.h"

namespace analytics {

/// Hostname of events whose page has no hostname: files, app screens, bare paths.
inline constexpr std::string_view kNoHostname = "(none)";

/// The five campaign tags, in the order of their columns.
enum class UtmTag { kSource, kMedium, kCampaign, kContent, kTerm };
inline constexpr std::size_t kUtmTags = 5;
inline constexpr std::array<std::string_view, kUtmTags> kUtmNames = {
    "utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"};
using Utm = std::array<std::string, kUtmTags>;

/// A client's key for an event. Events with equal keys are the same event.
struct IdempotencyKey {
  Digest hash{};
  UnixSeconds expires_at{};
};

/// The stored and exported part of an event: everything about its page and visitor.
struct EventData {
  std::string name;
  std::string hostname;
  std::string path;
  std::string referrer;
  std::string source;  ///< Empty for direct visits.
  Channel channel = Channel::kDirect;
  Utm utm;
  SharedValue<Client> client;
  SharedValue<Place> place;
  std::string props;  ///< JSON object; empty if the event has no properties.
  bool interactive = true;
  ScreenClass screen = ScreenClass::kUnknown;
  LanguageNumber language = 0;
  std::optional<Revenue> revenue;
  Engagement engagement;
};

/// An event of a site on its way to the store. It contains neither address nor User-Agent:
/// `identity` represents both, and leaves memory only as `visitor`, hashed with the salt of the
/// event's day.
struct Event : EventData {
  SiteId site = 0;
  std::int64_t import = 0;  ///< Import that the event belongs to, set by the store; 0: no import.
  UnixMillis time{};
  Digest identity{};
  std::optional<Digest> visit_identity;  ///< Identifies the visit that an import names.
  std::uint64_t visitor = 0;             ///< Visitor number, set by the writer.
  VisitKeys visit_keys;                  ///< Ids by which the visit is found, set by the writer.
  std::optional<IdempotencyKey> idempotency;
  std::optional<Digest> record_id;  ///< The record's id in its import; kept as long as the import.
  // For limits on the new texts that clients may add; not stored.
  /// Hash of the client's address (of the /64 for IPv6); 0: no limit per client.
  std::uint64_t sender = 0;
  std::uint64_t network = 0;  ///< Hash of the sender's /48 for IPv6; 0: no limit per network.
  bool spends_texts = true;   ///< False for imports, whose new texts are not limited.
};

[[nodiscard]] VisitRole visit_role(const EventData& event);
[[nodiscard]] Activity activity_of(const Event& event);

/// Returns the bytes that events occupy in memory; used to bound queues.
[[nodiscard]] std::size_t memory_of(const Event& event);
[[nodiscard]] std::size_t memory_of(std::span<const Event> events);

}  // namespace analytics
