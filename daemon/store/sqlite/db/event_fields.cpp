#include "daemon/store/sqlite/db/event_fields.h"

#include <algorithm>
#include <stdexcept>

namespace analytics::sqlite {
namespace {

template <typename Parts>
void select_parts(const Parts& parts, const std::string& table, std::string& columns) {
  for (const auto& part : parts) {
    const std::string name(part.name);
    columns += ", " + table + "." + name + " AS " + name;
  }
}

}  // namespace

const EventField* find_field(StringKind kind) {
  const auto* found = std::find_if(kEventFields.begin(), kEventFields.end(),
                                   [&](const EventField& field) { return field.kind == kind; });
  return found == kEventFields.end() ? nullptr : found;
}

const EventField& field_of(StringKind kind) {
  const auto* field = find_field(kind);
  if (field == nullptr) throw std::logic_error("a kind of texts without a field");
  return *field;
}

const EventField& field_of(query::Column column) {
  const auto texts = query::text_column(column);
  const auto* field = std::find_if(kEventFields.begin(), kEventFields.end(),
                                   [&](const EventField& each) { return each.scan == texts; });
  if (field == kEventFields.end()) throw std::logic_error("a column without texts");
  return *field;
}

std::string field_columns() {
  std::string columns;
  for (const auto& field : kEventFields) columns += std::string(", ") + field.column;
  return columns;
}

FieldTexts select_texts(const std::string& event, StringKind first, StringKind last) {
  FieldTexts sql;
  for (const auto* field = find_field(first); field <= find_field(last); ++field) {
    const auto kind = std::to_string(static_cast<int>(field->kind));
    const auto number = event + "." + field->column;
    if (field->parts == nullptr) {
      const auto table = "t" + kind;
      sql.columns += ", " + table + ".value AS " + field->label;
      sql.joins += " LEFT JOIN strings " + table + " ON " + table + ".site = " + event +
                   ".site AND " + table + ".kind = " + kind + " AND " + table + ".id = " + number;
      continue;
    }
    const auto table = "p" + kind;
    if (field->kind == StringKind::kClient) {
      select_parts(kClientParts, table, sql.columns);
    } else {
      select_parts(kPlaceParts, table, sql.columns);
    }
    sql.joins += std::string(" LEFT JOIN ") + field->parts + " " + table + " ON " + table +
                 ".site = " + event + ".site AND " + table + ".id = " + number;
  }
  return sql;
}

}  // namespace analytics::sqlite
