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
  EventSelection what;  ///< The selection without the parts that only the store can resolve.
  /// Name of the import whose events are selected; nullopt: any.
  std::optional<std::string> import;

  /// Returns true if the selection has a condition besides the site.
  [[nodiscard]] bool is_limited() const;
};

/// Reads `from`, `to`, `page`, `source`, `prop`, `import` and `visitor_of`. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<AskedSelection> read_selection(const Params& params, const Site& site);

/// Completes the selection with the parts that only the store knows. Errors: kImportNotFound; those
/// of EventReader::resolve().
[[nodiscard]] Result<EventSelection> resolve(const AskedSelection& asked, store::Reader& reader);

}  // namespace analytics::api
