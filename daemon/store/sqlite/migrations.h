#pragma once

#include <span>

namespace analytics::sqlite {

/// Returns the steps that made the schema what it is, in order: each brings a file of one version
/// to the next. They never change, because there are files that have gone through them.
[[nodiscard]] std::span<const char* const> migrations();

}  // namespace analytics::sqlite
