#pragma once

#include <string>
#include <string_view>

#include "daemon/enrich/source_table.h"
#include "daemon/model/channel.h"
#include "daemon/model/event.h"

namespace analytics {

/// Source of an event as it is shown.
struct Source {
  std::string name;                    ///< Empty for direct visits.
  const KnownSource* known = nullptr;  ///< Null if no table has the name.
  /// True if the tag or host belongs to a network's advertisements.
  bool is_advertisement = false;
};

/// Returns the known source of a host, or of a tag; null if unknown. Case is ignored.
[[nodiscard]] const KnownSource* source_of_host(std::string_view host);
[[nodiscard]] const KnownSource* source_of_tag(std::string_view tag);

/// Returns the source that the tag names (utm_source, source, ref), under its known name if it has
/// one. Without a tag, the referrer's host decides; without a referrer, a click id in `query`.
/// `referrer` is the stored one: host and path.
[[nodiscard]] Source find_source(const Utm& utm, std::string_view referrer, std::string_view query);

/// Returns the medium that a click id implies if utm_medium is missing: "(gclid)" from Google,
/// "(msclkid)" from Bing; else empty.
[[nodiscard]] std::string_view medium_of_click(const Source& source, std::string_view query);

/// Returns the channel by rules like those of Google Analytics 4. The first rule that applies
/// decides.
[[nodiscard]] Channel find_channel(const Source& source, const Utm& utm, std::string_view query);

}  // namespace analytics
