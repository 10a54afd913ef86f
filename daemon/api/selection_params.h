#pragma once

#include <optional>
#include <string>

#include "daemon/call/params.h"
#include "daemon/model/event_selection.h"
#include "daemon/model/site.h"
#include "daemon/store/reader.h"

namespace analytics::api {

/// The events that a request selects for export or removal, before resolve().
struct AskedSelection {
  EventSelection what;  ///< The conditions that need no look-up in the store.
  /// Name of the import whose events are selected; nullopt if imports do not matter.
  std::optional<std::string> import;

  /// Returns true if the request has any condition besides the site.
  [[nodiscard]] bool is_limited() const;
};

/// Parses the parameters `from`, `to`, `page`, `source`, `prop`, `import` and `visitor_of`, all
/// optional. Errors: kInvalidParameter.
[[nodiscard]] Result<AskedSelection> read_selection(const Params& params, const Site& site);

/// Completes the selection by looking up the import and the visitor in the store. Errors:
/// kImportNotFound; kInvalidParameter; those of EventReader::resolve().
[[nodiscard]] Result<EventSelection> resolve(const AskedSelection& asked, store::Reader& reader);

}  // namespace analytics::api
