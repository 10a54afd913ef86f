#include "daemon/store/sqlite/event_source.h"

#include <algorithm>

#include "daemon/parts/engagements.h"
#include "daemon/store/sqlite/event_scan.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/raw_events.h"

namespace analytics::sqlite {
namespace {

/// Returns the range without these days.
std::vector<TimeRange> without(const TimeRange& range, const std::set<Days>& days) {
  std::vector<TimeRange> rest;
  auto from = range.from;
  for (const auto day : days) {
    if (from < day) rest.push_back({from, day});
    from = std::max<UnixSeconds>(from, day + std::chrono::days(1));
  }
  if (from < range.to) rest.push_back({from, range.to});
  return rest;
}

/// Reads the engagements in rows, then those in sealed parts. Copies contain no engagements.
class EngagementScan final : public query::BatchSource {
 public:
  EngagementScan(Connection& connection, DictionaryReader& texts, SiteId site,
                 const TimeRange& range, const query::ColumnSet& columns)
      : connection_(connection),
        range_(range),
        columns_(columns),
        rows_(connection, texts, site, {&range, 1}, columns, EventScan::Of::kEngagements) {
    for (const auto& part : parts_of(connection, site, range)) {
      if (!part.is_copy) parts_.push_back(part.id);
    }
  }

  bool next(query::EventBatch& batch) override {
    if (rows_.next(batch)) return true;
    while (part_ == nullptr || !part_->next(batch)) {
      if (parts_.empty()) return false;
      open(parts_.back());
      parts_.pop_back();
    }
    return true;
  }

 private:
  void open(query::PartId part) {
    const auto fetch = [&](std::uint32_t column) { return read_column(connection_, part, column); };
    const auto head = parts::PartHead::read(fetch(parts::kHeadId));
    part_ = std::make_unique<parts::Engagements>(part, head, fetch, range_, columns_);
  }

  Connection& connection_;
  const TimeRange range_;
  const query::ColumnSet columns_;
  EventScan rows_;
  std::vector<query::PartId> parts_;
  std::unique_ptr<parts::Engagements> part_;
};

}  // namespace

std::vector<query::PartId> SqliteEvents::parts(const TimeRange& range) {
  std::vector<query::PartId> ids;
  for (const auto& part : parts_of(connection_, site_, range)) ids.push_back(part.id);
  return ids;
}

std::unique_ptr<query::EventPart> SqliteEvents::open_part(query::PartId part) {
  const auto fetch = [this, part](std::uint32_t column) {
    return read_column(connection_, part, column);
  };
  return std::make_unique<parts::Part>(part, parts::PartHead::read(fetch(parts::kHeadId)), fetch);
}

std::unique_ptr<query::BatchSource> SqliteEvents::scan(const TimeRange& range,
                                                       const query::ColumnSet& columns) {
  std::set<Days> copied;
  for (const auto& part : parts_of(connection_, site_, range)) {
    if (part.is_copy) copied.insert(part.first);
  }
  return std::make_unique<EventScan>(connection_, texts_, site_, without(range, copied), columns);
}

std::unique_ptr<query::BatchSource> SqliteEvents::scan_engagements(
    const TimeRange& range, const query::ColumnSet& columns) {
  return std::make_unique<EngagementScan>(connection_, texts_, site_, range, columns);
}

std::unique_ptr<query::RawSource> SqliteEvents::scan_raw(const TimeRange& range) {
  return std::make_unique<RawEventsOfSite>(connection_, texts_, site_, range);
}

}  // namespace analytics::sqlite
