#include "daemon/app/backends.h"

#include <array>

#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/file_check.h"
#include "daemon/store/sqlite/file_copy.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "daemon/store/sqlite/overview.h"
#include "daemon/store/sqlite/registry/shared_registry.h"

namespace analytics {

std::span<const BackendKind> backends() {
  static constexpr std::array kBackends{
      BackendKind{
          "sqlite",
          &sqlite::open_backend,
          &sqlite::place_problem,
          {&sqlite::write_copy, &sqlite::schemas, &sqlite::check_copy, &sqlite::merge_log,
           &sqlite::forget_salts, &sqlite::check_file, &sqlite::overview, &sqlite::open_journal},
          &sqlite::note_deleted_sites},
  };
  return kBackends;
}

}  // namespace analytics
