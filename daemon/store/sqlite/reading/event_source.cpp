#include "daemon/store/sqlite/reading/event_source.h"

#include <algorithm>
#include <deque>
#include <set>
#include <span>
#include <utility>

#include "daemon/parts/engagements.h"
#include "daemon/query/event_view.h"
#include "daemon/store/sqlite/reading/event_scan.h"
#include "daemon/store/sqlite/reading/raw_events.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {
namespace {

/// Returns the pieces of the time range that are outside these days.
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

/// Reads the engagements in sealed parts. Parts that are copies of rows contain no engagements.
class EngagementsOfParts final : public query::BatchSource {
 public:
  EngagementsOfParts(Connection& connection, const TimeRange& range,
                     const query::ColumnSet& columns, std::vector<query::PartId> parts)
      : connection_(connection), range_(range), columns_(columns), parts_(std::move(parts)) {}

  bool next(query::EventBatch& batch) override {
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
  std::vector<query::PartId> parts_;
  std::unique_ptr<parts::Engagements> part_;
};

/// The events that remain, after pending removals, in the rows and parts that the removals touch.
class Remaining final : public query::EventSource {
 public:
  /// The references must outlive the object. All except `touched` must also outlive the
  /// BatchSources and RawSources that the object returns.
  Remaining(Connection& connection, DictionaryReader& texts, SiteId site, query::Budget& budget,
            const PendingRemovals& removals, const PendingRemovals::Touched& touched)
      : connection_(connection),
        texts_(texts),
        site_(site),
        removals_(removals),
        touched_(touched),
        view_(*this, kEverything, kNoGoals, budget, {.least_around = kVisitReach}) {}

  [[nodiscard]] std::unique_ptr<query::BatchSource> scan(const TimeRange& range,
                                                         const query::ColumnSet& columns) override {
    return view_.scan(range, columns);
  }
  [[nodiscard]] std::unique_ptr<query::BatchSource> scan_engagements(
      const TimeRange& range, const query::ColumnSet& columns) override {
    return view_.scan_engagements(range, columns);
  }
  [[nodiscard]] std::unique_ptr<query::RawSource> scan_raw(const TimeRange& range) override {
    return std::make_unique<RawEventsOfSite>(connection_, texts_, site_, range, removals_,
                                             touched_);
  }
  [[nodiscard]] query::Texts& texts() override { return texts_; }

 private:
  inline static const Filter kEverything{};
  inline static const std::vector<Goal> kNoGoals{};

  Connection& connection_;
  DictionaryReader& texts_;
  const SiteId site_;
  const PendingRemovals& removals_;
  const PendingRemovals::Touched& touched_;
  query::EventView view_;
};

/// Reads several BatchSources one after another.
class Sequence final : public query::BatchSource {
 public:
  void add(std::unique_ptr<query::BatchSource> source) { sources_.push_back(std::move(source)); }

  bool next(query::EventBatch& batch) override {
    while (!sources_.empty()) {
      if (sources_.front()->next(batch)) return true;
      sources_.pop_front();
    }
    return false;
  }

 private:
  std::deque<std::unique_ptr<query::BatchSource>> sources_;
};

}  // namespace

std::vector<query::PartId> SqliteEvents::parts(const TimeRange& range) {
  const auto touched = removals_.touched(range);
  std::vector<query::PartId> ids;
  for (const auto& part : parts_of(connection_, site_, range)) {
    const bool is_ignored = part.is_copy && (touched.rows || copies_ == Copies::kIgnored);
    if (!touched.has(part.id) && !is_ignored) ids.push_back(part.id);
  }
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
  const auto touched = removals_.touched(range);
  auto all = std::make_unique<Sequence>();
  if (!touched.rows) {
    std::set<Days> copied;
    for (const auto& part : parts_of(connection_, site_, range)) {
      if (part.is_copy && copies_ == Copies::kRead) copied.insert(part.first);
    }
    all->add(
        std::make_unique<EventScan>(connection_, texts_, site_, without(range, copied), columns));
  }
  if (touched.needs_view()) {
    all->add(
        Remaining(connection_, texts_, site_, budget_, removals_, touched).scan(range, columns));
  }
  return all;
}

std::unique_ptr<query::BatchSource> SqliteEvents::scan_engagements(
    const TimeRange& range, const query::ColumnSet& columns) {
  const auto touched = removals_.touched(range);
  auto all = std::make_unique<Sequence>();
  if (!touched.rows) {
    all->add(std::make_unique<EventScan>(connection_, texts_, site_, std::span(&range, 1), columns,
                                         EventScan::Of::kEngagements));
  }
  auto sealed = sealed_parts(connection_, site_, range);
  std::erase_if(sealed, [&](query::PartId part) { return touched.has(part); });
  all->add(std::make_unique<EngagementsOfParts>(connection_, range, columns, std::move(sealed)));
  if (touched.needs_view()) {
    all->add(Remaining(connection_, texts_, site_, budget_, removals_, touched)
                 .scan_engagements(range, columns));
  }
  return all;
}

std::unique_ptr<query::RawSource> SqliteEvents::scan_raw(const TimeRange& range) {
  return std::make_unique<RawEventsOfSite>(connection_, texts_, site_, range, removals_);
}

}  // namespace analytics::sqlite
