#pragma once

#include <string>
#include <string_view>

#include "daemon/enrich/source_table.h"
#include "daemon/model/channel.h"
#include "daemon/model/event.h"

namespace analytics {

/// Source of an event, as statistics show it.
struct Source {
  std::string name;  ///< Name of the source; empty for direct visits.
  /// Entry of the source in known_sources(); null if it has none.
  const KnownSource* known = nullptr;
  /// True if the tag or host shows that the visitor came from an advertisement.
  bool is_advertisement = false;
};

/// Return the known source of a referrer's host, or of a tag such as utm_source; null if unknown.
/// Both functions ignore case.
[[nodiscard]] const KnownSource* source_of_host(std::string_view host);
[[nodiscard]] const KnownSource* source_of_tag(std::string_view tag);

/// Returns the source of an event, under its known name if it has one. The tag in `utm` decides;
/// without a tag, the referrer; without a referrer, a click id such as `gclid` in the URL's
/// `query`. `referrer`: host and path, as stored_referrer() returns them.
[[nodiscard]] Source find_source(const Utm& utm, std::string_view referrer, std::string_view query);

/// Returns the medium that a click id in the URL's query implies, for events without utm_medium:
/// "(gclid)" from Google, "(msclkid)" from Bing, otherwise empty.
[[nodiscard]] std::string_view medium_of_click(const Source& source, std::string_view query);

/// Returns the channel of an event, such as Organic Search, by rules like those of Google
/// Analytics 4. The first rule that applies decides.
[[nodiscard]] Channel find_channel(const Source& source, const Utm& utm, std::string_view query);

}  // namespace analytics
