#pragma once

#include <string>
#include <string_view>

#include "daemon/enrich/source_table.h"
#include "daemon/model/channel.h"
#include "daemon/model/event.h"

namespace analytics {

/// The source of an event, as it is shown.
struct Source {
  std::string name;                    ///< Empty: direct.
  const KnownSource* known = nullptr;  ///< Null when the name stands in no table.
  bool is_advertisement = false;       ///< The tag or host is one of the network's advertisements.
};

/// The row of the table that a host belongs to, or a tag means; null when there is none. Any case.
[[nodiscard]] const KnownSource* source_of_host(std::string_view host);
[[nodiscard]] const KnownSource* source_of_tag(std::string_view tag);

/// Returns the source that the tag names (utm_source, source, ref), by its known name if it has
/// one. Without a tag, the referrer's host decides likewise; without a referrer, a click id in
/// `query`. `referrer` is the stored one: host and path.
[[nodiscard]] Source find_source(const Utm& utm, std::string_view referrer, std::string_view query);

/// The medium that a click id stands for where no utm_medium is given: "(gclid)" from Google,
/// "(msclkid)" from Bing; else empty.
[[nodiscard]] std::string_view medium_of_click(const Source& source, std::string_view query);

/// Returns the channel by rules like those of Google Analytics 4, of which the first that applies
/// counts.
[[nodiscard]] Channel find_channel(const Source& source, const Utm& utm, std::string_view query);

}  // namespace analytics
