#include "daemon/backends.h"

#include <array>

#include "daemon/store/sqlite/backend.h"

namespace analytics {

std::span<const BackendKind> backends() {
  static constexpr std::array kBackends{
      BackendKind{"sqlite", &sqlite::open_backend, &sqlite::place_problem},
  };
  return kBackends;
}

}  // namespace analytics
