#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/engagement.h"
#include "common/event_outcome.h"
#include "common/revenue.h"
#include "common/screen_class.h"
#include "common/secret.h"
#include "common/shared_value.h"
#include "common/time.h"
#include "daemon/model/channel.h"
#include "daemon/model/client.h"
#include "daemon/model/language.h"
#include "daemon/model/site.h"
#include "daemon/model/visit.h"

namespace analytics {

/// The hostname of events whose page has none: files, screens of apps, paths alone.
inline constexpr std::string_view kNoHostname = "(none)";

/// The five tags of a campaign, in the order of their columns.
enum class UtmTag { kSource, kMedium, kCampaign, kContent, kTerm };
inline constexpr std::size_t kUtmTags = 5;
inline constexpr std::array<std::string_view, kUtmTags> kUtmNames = {
    "utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"};
using Utm = std::array<std::string, kUtmTags>;

/// A client's promise that equal keys are the same event.
struct IdempotencyKey {
  Digest hash{};
  UnixSeconds expires_at{};
};

/// The part of an event that is stored and exported: all it tells of a page and its visitor.
struct EventData {
  std::string name;
  std::string hostname;
  std::string path;
  std::string referrer;
  std::string source;  ///< Empty: direct.
  Channel channel = Channel::kDirect;
  Utm utm;
  SharedValue<Client> client;
  SharedValue<Place> place;
  std::string props;  ///< JSON object, empty when there are none.
  bool interactive = true;
  ScreenClass screen = ScreenClass::kUnknown;
  LanguageNumber language = 0;
  std::optional<Revenue> revenue;
  Engagement engagement;
};

/// One event of one site on its way to the store. Holds neither address nor User-Agent: `identity`
/// stands for them and leaves memory only as `visitor`, hashed with the salt of the event's day.
struct Event : EventData {
  SiteId site = 0;
  std::int64_t import = 0;  ///< The import the event belongs to, set by the store; 0: none.
  UnixMillis time{};
  Digest identity{};
  std::optional<Digest> visit_identity;  ///< Identifies a visit that an import names.
  std::uint64_t visitor = 0;             ///< Set by the writer.
  VisitKeys visit_keys;                  ///< Set by the writer.
  std::optional<IdempotencyKey> idempotency;
  std::optional<Digest> record_id;  ///< Under which an import knows it, kept as long as that.
  // For bounds on what strangers bring; only in memory.
  std::uint64_t sender = 0;  ///< Stands for the client's address, IPv6 by its /64; 0: no share.
  bool spends_texts = true;  ///< False: an import, whose new texts are not counted.
};

[[nodiscard]] VisitRole visit_role(const EventData& event);
[[nodiscard]] Activity activity_of(const Event& event);

/// Bytes the event holds in memory, for bounding queues.
[[nodiscard]] std::size_t memory_of(const Event& event);
[[nodiscard]] std::size_t memory_of(std::span<const Event> events);

}  // namespace analytics
