#include "daemon/store/sqlite/columns/copy_job.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "daemon/parts/fingerprint.h"
#include "daemon/store/sqlite/reading/event_scan.h"

namespace analytics::sqlite {
namespace {

using query::Column;

/// Number of leading bits of a visitor id that select its range. Events are counted in 2^kRangeBits
/// equal ranges of ids, to divide a day into parts.
constexpr unsigned kRangeBits = 12;
constexpr std::size_t kRanges = std::size_t{1} << kRangeBits;

std::uint64_t first_of(std::size_t range) {
  return static_cast<std::uint64_t>(range) << (64 - kRangeBits);
}
std::size_t range_of(std::int64_t visitor) {
  return static_cast<std::uint64_t>(visitor) >> (64 - kRangeBits);
}

TimeRange range_of(const SiteDay& day) { return {day.second, day.second + std::chrono::days(1)}; }

/// Returns those visits of the site, with ids from `first` to `last`, that can have events on more
/// than one day: visits that an import named, and visits that ended on a later day than they
/// started.
std::unordered_set<VisitId> visits_beyond(Connection& connection, SiteId site, VisitId first,
                                          VisitId last) {
  Statement select(connection,
                   "SELECT id FROM visits WHERE id >= ? AND id <= ? AND site = ?"
                   " AND (named IS NOT NULL OR started / 86400000 <>"
                   " (started + length) / 86400000)");
  std::unordered_set<VisitId> visits;
  for (auto rows = select.query(first, last, site); rows.next();) visits.insert(rows.int64(0));
  return visits;
}

}  // namespace

void CopyJob::run(Connection& connection, PartSink& sink) {
  const auto bounds = find_bounds(connection, sink);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    sink.put(make_part(connection, sink, bounds[i], bounds[i + 1] - 1));
  }
}

std::vector<std::uint64_t> CopyJob::find_bounds(Connection& connection,
                                                const PartSink& sink) const {
  query::ColumnSet columns;
  columns.add(Column::kVisitor);
  query::EventBatch batch(columns);
  std::vector<std::int64_t> counts(kRanges);
  const Snapshot snapshot(connection);
  auto budget = sink.budget();
  DictionaryReader texts(connection, day_.first, budget);
  const auto range = range_of(day_);
  EventScan scan(connection, texts, day_.first, {&range, 1}, columns);
  while (scan.next(batch)) {
    budget.check_time();
    for (const auto visitor : batch[Column::kVisitor].first(batch.size())) {
      ++counts[range_of(visitor)];
    }
  }
  const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (all < std::max<std::int64_t>(limits_.fewest, 1)) return {};
  std::vector<std::uint64_t> bounds{0};
  std::int64_t events = 0;
  for (std::size_t i = 0; i < kRanges; ++i) {
    if (counts[i] > parts::kMaxEvents) throw JobRefused("a visitor has too many events");
    const bool is_first = events == 0;
    events += counts[i];
    if (events <= limits_.most || is_first || counts[i] == 0) continue;
    bounds.push_back(first_of(i));
    events = counts[i];
  }
  bounds.push_back(0);  // 0 stands for 2⁶⁴, so that the last range ends at the highest visitor id
  return bounds;
}

parts::PartBytes CopyJob::make_part(Connection& connection, const PartSink& sink,
                                    std::uint64_t first, std::uint64_t last) const {
  const Snapshot snapshot(connection);
  auto budget = sink.budget();
  DictionaryReader texts(connection, day_.first, budget);
  const auto range = range_of(day_);
  EventScan scan(connection, texts, day_.first, {&range, 1}, parts::PartBuilder::columns());
  query::EventBatch batch(parts::PartBuilder::columns());
  parts::PartBuilder builder;
  parts::Fingerprint of_rows;
  VisitId first_visit = INT64_MAX;
  VisitId last_visit = 0;
  query::RowList rows;
  while (scan.next(batch)) {
    budget.check_time();
    rows.clear();
    for (std::uint32_t row = 0; row < batch.size(); ++row) {
      const auto visitor = static_cast<std::uint64_t>(batch[Column::kVisitor][row]);
      if (visitor >= first && visitor <= last) rows.push_back(row);
    }
    builder.add(batch, rows);
    of_rows.add(batch, rows);
    for (const auto row : rows) {
      const auto visit = batch[Column::kVisit][row];
      if (visit != 0) first_visit = std::min(first_visit, visit);
      last_visit = std::max(last_visit, visit);
    }
  }
  if (builder.events() == 0 || builder.events() > parts::kMaxEvents) {
    throw JobRefused("the day has changed since its events were counted");
  }
  auto part = builder.finish(visits_beyond(connection, day_.first, first_visit, last_visit));
  // The part, when it is read back, must have the same events as the rows that it copies.
  parts::Part read(0, part.head, [&part](std::uint32_t column) { return part.columns.at(column); });
  parts::Fingerprint of_part;
  of_part.add(read);
  if (!(of_part == of_rows)) throw JobRefused("its part differs from its rows");
  return part;
}

}  // namespace analytics::sqlite
