// A new column of events begins as a row of query::kOwnColumns. These tests fail until the other
// places that must know the column have it, too, and name them.
#include "daemon/query/events/own_columns.h"

#include <algorithm>

#include "daemon/cluster/rows.h"
#include "daemon/model/client.h"
#include "daemon/parts/part.h"
#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::own_columns_test {

namespace {

using query::Column;
using query::ValueKind;

/// Returns the names under which a column is shown: its own name, or one for each of its parts.
Lines names_of(const query::OwnColumn& own) {
  Lines names;
  if (own.kind == ValueKind::kClient) {
    for (const auto& part : kClientParts) names.emplace_back(part.name);
  } else if (own.kind == ValueKind::kPlace) {
    for (const auto& part : kPlaceParts) names.emplace_back(part.name);
  } else {
    names.emplace_back(own.name);
  }
  return names;
}

bool has(const Lines& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Lines names_in(std::span<const cluster::NativeBlock::Column> columns) {
  Lines names;
  for (const auto& column : columns) names.emplace_back(column.name);
  return names;
}

bool is_dimension(Column column) {
  const auto& fields = all_fields();
  return std::any_of(fields.begin(), fields.end(), [&](const FieldInfo& info) {
    query::ColumnSet columns;
    query::add_columns_of(info.field, columns);
    return columns.has(column);
  });
}

}  // namespace

TEST_CASE("own columns: schema, views, parts, queries and cluster tables have each column",
          "[store]") {
  Store store;
  const auto rows = store.rows("SELECT name FROM pragma_table_info('events')");
  const auto event_view = store.rows("SELECT name FROM pragma_table_info('event_text')");
  const auto visit_view = store.rows("SELECT name FROM pragma_table_info('visit_text')");
  const auto cluster_events = names_in(cluster::event_columns());
  const auto cluster_visits = names_in(cluster::visit_columns());
  Lines missing;
  for (std::size_t i = 0; i < query::kOwnColumns.size(); ++i) {
    const auto& own = query::kOwnColumns[i];
    const bool is_of_visit = i >= query::kFirstOfVisit;
    const auto require = [&](bool is_there, const std::string& name, const char* place) {
      if (!is_there) missing.push_back(name + " in " + place);
    };
    require(has(rows, own.name), own.name, "schema.sql");
    const bool is_packed =
        std::any_of(parts::kPartColumns.begin(), parts::kPartColumns.end(),
                    [&](const parts::PartColumn& part) { return part.column == own.column; });
    // A part stores the currency together with the revenue.
    require(is_packed || own.column == Column::kCurrency, own.name, "kPartColumns");
    require(is_dimension(own.column) || own.column == Column::kCurrency, own.name, "column_of()");
    for (const auto& name : names_of(own)) {
      require(has(event_view, name), name, "event_text");
      require(!is_of_visit || has(visit_view, name), name, "visit_text");
      require(has(cluster_events, name), name, "the cluster's events");
      require(!is_of_visit || has(cluster_visits, name), name, "the cluster's visits");
    }
  }
  CHECK(missing == Lines{});
}

}  // namespace analytics::test::own_columns_test
