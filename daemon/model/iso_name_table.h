#pragma once

#include <span>
#include <string_view>

namespace analytics {

struct IsoName {
  std::string_view
      code;  ///< Of a country or subdivision in capitals, of a language in small letters.
  std::string_view name;
};

/// Returns all names, in order of their codes. make_iso_names.cpp writes its source.
[[nodiscard]] std::span<const IsoName> iso_name_table();

}  // namespace analytics
