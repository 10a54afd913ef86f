#pragma once

#include <span>
#include <string_view>

namespace analytics {

struct PlaceName {
  std::string_view code;
  std::string_view name;
};

/// Returns all names, in order of their codes. make_place_names.cpp writes its source.
[[nodiscard]] std::span<const PlaceName> place_name_table();

}  // namespace analytics
