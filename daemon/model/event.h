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

/// Hostname stored for an event whose URL has none, such as a file, an app screen or a bare path.
inline constexpr std::string_view kNoHostname = "(none)";

/// The five campaign tags of a URL, in the order of kUtmNames.
enum class UtmTag { kSource, kMedium, kCampaign, kContent, kTerm };
inline constexpr std::size_t kUtmTags = 5;
inline constexpr std::array<std::string_view, kUtmTags> kUtmNames = {
    "utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"};
using Utm = std::array<std::string, kUtmTags>;

/// A hash of the Idempotency-Key that a client sent with an event. Until the key expires, another
/// event with an equal hash is a duplicate.
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
  std::string source;  ///< Source of the visit; empty for direct visits.
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

/// An event of a site on its way to the store. It does not contain the client's address or
/// User-Agent. `identity` is a hash of both that is never stored; the writer hashes it with the
/// salt of the event's day to get `visitor`, which is stored.
struct Event : EventData {
  SiteId site = 0;
  /// Import that the event belongs to, set by the store; 0 for no import.
  std::int64_t import = 0;
  UnixMillis time{};
  Digest identity{};
  /// Hash of the name that an import gives the visit; nullopt if the visit has no name.
  std::optional<Digest> visit_identity;
  std::uint64_t visitor = 0;  ///< Id of the visitor on the event's day, set by the writer.
  VisitKeys visit_keys;       ///< Ids by which the visit is found, set by the writer.
  std::optional<IdempotencyKey> idempotency;
  /// Hash of the id that an import gives the event. A site stores an event with the same id only
  /// once.
  std::optional<Digest> record_id;
  // The members below limit the new texts that a client can add. They are not stored.
  std::uint64_t sender = 0;   ///< Hash of the client's address, or IPv6 /64; 0 for no limit.
  std::uint64_t network = 0;  ///< Hash of the client's IPv6 /48; 0 for no limit.
  bool spends_texts = true;   ///< False for imports, whose new texts are not limited.
};

[[nodiscard]] VisitRole visit_role(const EventData& event);
[[nodiscard]] Activity activity_of(const Event& event);

/// Returns the bytes that events occupy in memory; used to bound queues.
[[nodiscard]] std::size_t memory_of(const Event& event);
[[nodiscard]] std::size_t memory_of(std::span<const Event> events);

}  // namespace analytics
