#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "daemon/model/event.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/own_columns.h"

/// The fields of an event whose values are texts: each text is stored once, and events refer to it
/// by id. Inserts, joins, views, scans, sweeps and exports are generated from kEventFields: a new
/// field needs a row in kEventFields, a row in query::kOwnColumns and a column in schema.sql.
namespace analytics::sqlite {

/// The kinds of texts in a site's dictionary. The numbers are stored: never change one.
enum class StringKind {
  kName = 1,
  kHostname = 2,
  kPath = 3,
  kReferrer = 4,
  kUtmSource = 5,
  kUtmMedium = 6,
  kUtmCampaign = 7,
  kUtmContent = 8,
  kUtmTerm = 9,
  kProps = 10,
  kCurrency = 11,
  kSource = 12,
  kClient = 13,
  kPlace = 14,
  kTotal = 15,  ///< Value of a dimension in daily totals; not a field of an event.
};

/// A field of an event, and where its value is in EventData and in the table events.
struct EventField {
  StringKind kind;
  query::Column scan;  ///< Column of the field in queries, one of query::kOwnColumns.
  // Where EventData has the value; at most one of the three is set. `text`: a member for this
  // field alone; `tag`: a UTM tag; `parts`: a Client or Place, whose texts are columns of the
  // table named here. If none is set, the value is the currency of the revenue.
  std::string EventData::*text = nullptr;
  std::optional<UtmTag> tag{};
  const char* parts = nullptr;
  /// True if the column is never NULL, so that an empty text has an id, too.
  bool is_required = false;

  /// Returns the name of the field's column in the table events, where 0 and NULL mean an empty
  /// text.
  [[nodiscard]] constexpr const char* column() const {
    return query::kOwnColumns[query::own_place(scan)].name;
  }
};

/// All text fields, in the order in which views and exports list them.
inline constexpr std::array kEventFields = [] {
  using enum StringKind;
  using query::Column;
  return std::array{
      EventField{kName, Column::kName, &EventData::name, {}, {}, true},
      EventField{kHostname, Column::kHostname, &EventData::hostname, {}, {}, true},
      EventField{kPath, Column::kPath, &EventData::path, {}, {}, true},
      EventField{kReferrer, Column::kReferrer, &EventData::referrer},
      EventField{kSource, Column::kSource, &EventData::source},
      EventField{kUtmSource, Column::kUtmSource, {}, UtmTag::kSource},
      EventField{kUtmMedium, Column::kUtmMedium, {}, UtmTag::kMedium},
      EventField{kUtmCampaign, Column::kUtmCampaign, {}, UtmTag::kCampaign},
      EventField{kUtmContent, Column::kUtmContent, {}, UtmTag::kContent},
      EventField{kUtmTerm, Column::kUtmTerm, {}, UtmTag::kTerm},
      EventField{kClient, Column::kClient, {}, {}, "clients"},
      EventField{kPlace, Column::kPlace, {}, {}, "places"},
      EventField{kProps, Column::kProps, &EventData::props},
      EventField{kCurrency, Column::kCurrency},
  };
}();

/// Returns true if columns of this kind contain values themselves, such as the number of a
/// channel, instead of ids of texts, clients or places.
[[nodiscard]] constexpr bool is_value(query::ValueKind kind) {
  using enum query::ValueKind;
  return kind == kChannel || kind == kScreen || kind == kLanguage;
}

/// The ids of an event's texts, client and place, in the order of kEventFields; nullopt if the
/// field has no value.
using FieldNumbers = std::array<std::optional<std::int64_t>, kEventFields.size()>;

/// Returns the field whose texts have this kind; null if no field does, as for kTotal and for
/// kinds that newer versions have added.
[[nodiscard]] const EventField* find_field(StringKind kind);
/// Like find_field(), but throws std::logic_error instead of returning null.
[[nodiscard]] const EventField& field_of(StringKind kind);
/// Returns the field whose text ids a column of queries contains. REQUIRES: the column has texts.
[[nodiscard]] const EventField& field_of(query::Column column);

/// Returns a pointer to the field's text in the event; null for the currency of an event without
/// revenue. REQUIRES: the field has no `parts`.
template <typename Data>
[[nodiscard]] auto text_in(Data& event, const EventField& field) {
  if (field.text != nullptr) return &(event.*field.text);
  if (field.tag) return &event.utm[static_cast<std::size_t>(*field.tag)];
  return event.revenue ? &event.revenue->currency : nullptr;
}

/// Returns the columns of all fields, as ", name, hostname, …", to append to a list of columns.
[[nodiscard]] std::string field_columns();

/// Returns the SQL expressions for the values of a visit. `visit`: alias of the table visits in the
/// statement.
[[nodiscard]] VisitSql visit_sql(const std::string& visit);

/// Returns " LEFT JOIN strings …", which looks up the text whose id is in `column` of `event`, the
/// alias of the table events. `table`: alias for the joined row, whose `value` is the text.
[[nodiscard]] std::string join_text(const std::string& table, StringKind kind,
                                    const std::string& event, const std::string& column);

/// SQL that selects the texts of some fields for a row of the table events.
struct FieldTexts {
  /// Columns to append to a list: ", t1.value AS name, p13.device AS device".
  std::string columns;
  std::string joins;  ///< The LEFT JOINs that `columns` needs.
};
/// Returns SQL for the fields from `first` to `last` of kEventFields. `event`: alias of the table
/// events in the statement.
[[nodiscard]] FieldTexts select_texts(const std::string& event, StringKind first, StringKind last);

}  // namespace analytics::sqlite
