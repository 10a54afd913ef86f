#pragma once

#include <string>

namespace analytics::sqlite {

/// Returns the statements that create the views for people: event_text and visit_text, with a row
/// for each stored event or visit. They are created again whenever the schema has changed.
[[nodiscard]] std::string views_sql();

}  // namespace analytics::sqlite
