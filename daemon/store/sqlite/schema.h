#pragma once

#include <string_view>

#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Brings the file to the schema of this program: each step in one transaction together with its
/// number. Throws store::StoreUnusable for a foreign file or one of a newer version.
void migrate(Connection& connection);

/// The kinds of texts that events have. The numbers are stored: never change one.
enum class StringKind {
  kName = 1,
  kHostname = 2,
  kPath = 3,
  kReferrer = 4,
  kUtmSource = 5,  // the five of UtmTag in their order
  kUtmMedium = 6,
  kUtmCampaign = 7,
  kUtmContent = 8,
  kUtmTerm = 9,
  kProps = 10,
  kCurrency = 11,
  kSource = 12,
  kClient = 13,  // to_text(Client); its parts are in clients
  kPlace = 14,   // to_text(Place); its parts are in places
};
/// For people: "path", "utm_source".
[[nodiscard]] std::string_view kind_name(StringKind kind);

}  // namespace analytics::sqlite
