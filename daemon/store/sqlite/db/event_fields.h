#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "daemon/model/event.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/own_columns.h"

/// The fields of an event that are stored as numbers of texts. Inserts, joins, views, scans, sweeps
/// and exports are generated from this table: a new field needs a row here, a row in
/// query::kOwnColumns and a column in schema.sql.
namespace analytics::sqlite {

/// The kinds of texts that events have. The numbers are stored: never change one.
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
  kTotal = 15,  ///< Not a field of an event: a dimension's value in daily totals.
};

struct EventField {
  StringKind kind;
  query::Column scan;  ///< One of query::kOwnColumns, whose name the table events uses, too.
  // At most one of the next three is set: the field is a text, a UTM tag, or a Client or Place in a
  // table of parts. Otherwise it is the revenue's currency.
  std::string EventData::*text = nullptr;
  std::optional<UtmTag> tag{};
  const char* parts = nullptr;
  bool is_required = false;  ///< The column is never NULL: an empty text has a number, too.

  /// Returns the column of the table events; 0 and NULL in it mean an empty text.
  [[nodiscard]] constexpr const char* column() const {
    return query::kOwnColumns[query::own_place(scan)].name;
  }
};

/// All fields, in the order in which people see them.
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

/// Returns true if a column's numbers are values themselves, not numbers of texts or parts.
[[nodiscard]] constexpr bool is_value(query::ValueKind kind) {
  using enum query::ValueKind;
  return kind == kChannel || kind == kScreen || kind == kLanguage;
}

/// The numbers of an event's texts, in the order of kEventFields; nullopt for an empty text.
using FieldNumbers = std::array<std::optional<std::int64_t>, kEventFields.size()>;

/// Returns the field of a kind; null if it is no field's kind, such as kTotal or one of a newer
/// version.
[[nodiscard]] const EventField* find_field(StringKind kind);
[[nodiscard]] const EventField& field_of(StringKind kind);
/// Returns the field whose texts the column contains as numbers. REQUIRES: a column of texts.
[[nodiscard]] const EventField& field_of(query::Column column);

/// Returns the event's text in a field without `parts`; null for the currency if the event has no
/// revenue.
template <typename Data>
[[nodiscard]] auto text_in(Data& event, const EventField& field) {
  if (field.text != nullptr) return &(event.*field.text);
  if (field.tag) return &event.utm[static_cast<std::size_t>(*field.tag)];
  return event.revenue ? &event.revenue->currency : nullptr;
}

/// Returns ", name, hostname", the columns of all fields, to append to a list.
[[nodiscard]] std::string field_columns();

/// Returns the SQL for a visit's duration and bounce. `visit`: the name of its row in the
/// statement.
[[nodiscard]] VisitSql visit_sql(const std::string& visit);

/// Returns " LEFT JOIN strings …", which looks up the text whose number is in `column` of the row
/// `event`, under the name `table`.
[[nodiscard]] std::string join_text(const std::string& table, StringKind kind,
                                    const std::string& event, const std::string& column);

/// SQL that selects the texts and parts of some fields of a row of events.
struct FieldTexts {
  std::string columns;  ///< ", t1.value AS name, p13.device AS device", to append to a list.
  std::string joins;
};
/// Selects the fields from `first` to `last`. `event` is the row's name in the statement.
[[nodiscard]] FieldTexts select_texts(const std::string& event, StringKind first, StringKind last);

}  // namespace analytics::sqlite
