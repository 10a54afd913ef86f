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
  for (const auto& field : kEventFields) columns += std::string(", ") + field.column();
  return columns;
}

VisitSql visit_sql(const std::string& visit) {
  const auto of = visit + ".";
  return {of + "started", "(" + of + "started + " + of + "length)", of + "pageviews",
          of + "interactive"};
}

std::string join_text(const std::string& table, StringKind kind, const std::string& event,
                      const std::string& column) {
  return " LEFT JOIN strings " + table + " ON " + table + ".site = " + event + ".site AND " +
         table + ".kind = " + std::to_string(static_cast<int>(kind)) + " AND " + table +
         ".id = " + event + "." + column;
}

FieldTexts select_texts(const std::string& event, StringKind first, StringKind last) {
  FieldTexts sql;
  for (const auto* field = find_field(first); field <= find_field(last); ++field) {
    const auto kind = std::to_string(static_cast<int>(field->kind));
    if (field->parts == nullptr) {
      const auto table = "t" + kind;
      sql.columns += ", " + table + ".value AS " + field->column();
      sql.joins += join_text(table, field->kind, event, field->column());
      continue;
    }
    const auto table = "p" + kind;
    if (field->kind == StringKind::kClient) {
      select_parts(kClientParts, table, sql.columns);
    } else {
      select_parts(kPlaceParts, table, sql.columns);
    }
    sql.joins += std::string(" LEFT JOIN ") + field->parts + " " + table + " ON " + table +
                 ".site = " + event + ".site AND " + table + ".id = " + event + "." +
                 field->column();
  }
  return sql;
}

}  // namespace analytics::sqlite
