#pragma once

#include <array>
#include <optional>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// A visit as questions see it. Numbers of texts are those of the dictionary; 0: none.
struct VisitRow {
  VisitId id = 0;
  bool bounced = false;
  std::int64_t seconds = 0;
  // The columns of the visit's first event; read only on request.
  std::int64_t referrer = 0;
  std::int64_t source = 0;
  Channel channel = Channel::kDirect;
  std::array<std::int64_t, kUtmTags> utm{};
  std::int64_t client = 0;
  std::int64_t place = 0;
  // Paths of its first and last pageview, where they were asked for.
  std::int64_t entry_page = 0;
  std::int64_t exit_page = 0;
};

/// An event as questions see it; what was not asked for is 0.
struct EventRow {
  std::int64_t time = 0;  ///< Unix seconds.
  std::uint64_t visitor = 0;
  std::int64_t name = 0;
  bool is_pageview = false;
  std::int64_t path = 0;
  std::int64_t hostname = 0;
  std::int64_t props = 0;
  std::optional<std::int64_t> revenue_micros;
  std::int64_t currency = 0;
  VisitId visit_id = 0;             ///< 0: none.
  const VisitRow* visit = nullptr;  ///< Null: none, or not asked for. Valid until next().
};

/// The columns of events and visits to read.
struct Columns {
  bool path = false;
  bool hostname = false;
  bool props = false;
  bool revenue = false;
  bool visit_id = false;
  bool visit = false;        ///< Its row.
  bool first_event = false;  ///< And what it has of its first event.
  bool entry_page = false;
  bool exit_page = false;
};

/// Visits by their ids. Events of a visit lie close together, and so do visits that began after one
/// another: what is looked up is read with those behind it, as many as have been of this site
/// lately, and a small cache keeps them. Memory is bounded.
class VisitLookup {
 public:
  VisitLookup(Connection& connection, SiteId site, const Columns& columns);
  /// Null: there is none. Valid until the next call.
  [[nodiscard]] const VisitRow* find(VisitId id);

 private:
  static constexpr VisitId kSlots = 16'384;
  static constexpr VisitId kMostAhead = 1'024;
  VisitRow& slot(VisitId id) { return slots_[static_cast<std::size_t>(id % kSlots)]; }
  void read_from(VisitId id);

  const SiteId site_;
  Statement select_;
  VisitId ahead_ = 16;  ///< How many are read at once.
  std::vector<VisitRow> slots_;
};

/// All events of a site and range but engagements, in order of arrival, up to the last whose visit
/// is written. Throws SqliteError.
class EventScan {
 public:
  EventScan(Connection& connection, DictionaryReader& texts, const Selection& selection,
            const Columns& columns);
  bool next();
  [[nodiscard]] const EventRow& row() const { return row_; }

 private:
  enum class Name : std::uint8_t { kUnknown, kPageview, kEngagement, kCustom };
  Name kind_of(std::int64_t name);
  bool next_row();
  void read();

  const Columns columns_;
  DictionaryReader& texts_;
  VisitLookup visits_;
  Statement select_;
  const SiteId site_;
  const TimeRange range_;
  std::vector<std::pair<EventId, EventId>> spans_;  ///< Still to be read, the next one last.
  std::optional<Rows> rows_;
  std::vector<Name> names_;  ///< By their numbers, as far as they were met.
  EventRow row_;
};

}  // namespace analytics::sqlite
