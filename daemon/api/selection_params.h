#pragma once

#include <optional>
#include <string>

#include "daemon/call/params.h"
#include "daemon/model/event_selection.h"
#include "daemon/model/site.h"
#include "daemon/store/backend.h"

namespace analytics::api {

/// A selection of events as a request describes it.
struct AskedSelection {
  EventSelection what;                ///< Without what only the store knows.
  std::optional<std::string> import;  ///< The name of the import that they came with.

  /// True if it says anything but the site.
  [[nodiscard]] bool is_limited() const;
};

/// Reads `from`, `to`, `page`, `source`, `prop`, `import` and `visitor_of`. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<AskedSelection> read_selection(const Params& params, const Site& site);

/// Asks the store for the rest. Errors: kImportNotFound; those of EventReader::resolve().
[[nodiscard]] Result<EventSelection> resolve(const AskedSelection& asked, store::Reader& reader);

}  // namespace analytics::api
