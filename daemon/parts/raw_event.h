#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/engagement.h"
#include "daemon/model/visit.h"
#include "daemon/query/column.h"

namespace analytics::parts {

/// The columns whose values a RawEvent stores. From kReferrer on, queries see the values of the
/// visit's first event instead.
inline constexpr std::array kOwnColumns = {
    query::Column::kName,      query::Column::kPath,        query::Column::kHostname,
    query::Column::kProps,     query::Column::kCurrency,    query::Column::kReferrer,
    query::Column::kSource,    query::Column::kChannel,     query::Column::kUtmSource,
    query::Column::kUtmMedium, query::Column::kUtmCampaign, query::Column::kUtmContent,
    query::Column::kUtmTerm,   query::Column::kClient,      query::Column::kPlace,
    query::Column::kScreen,    query::Column::kLanguage,
};

/// An event with all its stored values. Texts are numbers of the site's dictionary.
struct RawEvent {
  EventOrder order;
  std::uint64_t visitor = 0;
  VisitId visit = 0;  ///< 0: none.
  VisitRole role = VisitRole::kPassive;
  bool is_passive = false;  ///< Sent as not interactive, which a pageview may be, too.
  bool is_named = false;    ///< An import named its visit.
  std::int64_t import = 0;
  std::int64_t micros = 0;  ///< Revenue, if it has a currency.
  Engagement engagement;
  std::array<std::uint32_t, kOwnColumns.size()> own{};  ///< In the order of kOwnColumns.

  /// REQUIRES: one of kOwnColumns.
  [[nodiscard]] std::uint32_t operator[](query::Column column) const {
    return own[place_of(column)];
  }
  void set(query::Column column, std::uint32_t number) { own[place_of(column)] = number; }
  [[nodiscard]] VisitMember member() const {
    return {order, Activity(order.first, std::chrono::milliseconds(engagement.millis.value_or(0))),
            role};
  }
  bool operator==(const RawEvent&) const = default;

 private:
  static constexpr std::size_t place_of(query::Column column) {
    std::size_t place = 0;
    while (kOwnColumns[place] != column) ++place;
    return place;
  }
};

}  // namespace analytics::parts
