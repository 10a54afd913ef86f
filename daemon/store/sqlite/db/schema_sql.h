#pragma once

#include <string_view>

namespace analytics::sqlite {

/// Returns the text of schema.sql.
[[nodiscard]] std::string_view schema_sql();

}  // namespace analytics::sqlite
