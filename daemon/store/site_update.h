#pragma once

#include <optional>
#include <string>

#include "common/wire/retention.h"

namespace analytics::store {

/// New settings of a site. Settings that are nullopt stay unchanged.
struct SiteUpdate {
  std::optional<std::string> domain{};
  std::optional<std::string> timezone{};
  std::optional<Retention> keep{};
  std::optional<bool> keep_totals{};
  std::optional<bool> languages{};
};

}  // namespace analytics::store
