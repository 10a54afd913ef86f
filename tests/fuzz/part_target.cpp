// Fuzzes whole parts: the head, and the columns by id. For any bytes, a query over the part ends
// with sums or an error.
#include <algorithm>
#include <atomic>
#include <map>

#include "daemon/parts/bytes.h"
#include "daemon/parts/cold_columns.h"
#include "daemon/parts/engagements.h"
#include "daemon/parts/fingerprint.h"
#include "daemon/parts/part.h"
#include "daemon/query/executor.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

using Columns = std::map<std::uint32_t, std::string>;

class OnePart final : public query::EventSource, public query::Texts {
 public:
  OnePart(parts::PartHead head, Columns columns)
      : head_(std::move(head)), columns_(std::move(columns)) {}
  std::vector<query::PartId> parts(const TimeRange&) override { return {1}; }
  std::unique_ptr<query::EventPart> open_part(query::PartId id) override {
    return std::make_unique<parts::Part>(id, head_,
                                         [this](std::uint32_t column) { return fetch(column); });
  }
  [[nodiscard]] std::vector<query::RawEvent> read_raw_events() const {
    return parts::read_raw_events(head_, [this](std::uint32_t column) { return fetch(column); });
  }
  std::unique_ptr<query::BatchSource> scan(const TimeRange&, const query::ColumnSet&) override {
    return std::make_unique<Nothing>();
  }
  std::unique_ptr<query::BatchSource> scan_engagements(const TimeRange& range,
                                                       const query::ColumnSet& columns) override {
    return std::make_unique<parts::Engagements>(
        1, head_, [this](std::uint32_t column) { return fetch(column); }, range, columns);
  }
  query::Texts& texts() override { return *this; }
  std::int64_t number(query::Column, std::string_view) override { return 0; }
  std::string text(query::Column, std::int64_t number) override {
    return number == 0 ? "" : std::to_string(number);
  }
  Client client(std::int64_t) override { return {}; }
  Place place(std::int64_t) override { return {}; }

 private:
  [[nodiscard]] std::string fetch(std::uint32_t column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end()) throw parts::Damaged("a column is missing");
    return found->second;
  }
  class Nothing final : public query::BatchSource {
    bool next(query::EventBatch& batch) override {
      batch.set_size(0);
      return false;
    }
  };
  const parts::PartHead head_;
  const Columns columns_;
};

Aggregation everything(const TimeRange& range) {
  Aggregation aggregation;
  aggregation.selection.range = range;
  aggregation.selection.goals = {{1, 1, GoalType::kPage, "/1*", ""}};
  auto& filter = aggregation.selection.filter;
  filter.kind = Filter::Kind::kHasDone;
  filter.parts.emplace_back();
  for (const auto field : {Field::kPage, Field::kSource, Field::kProp, Field::kGoal}) {
    Grouping grouping;
    grouping.dimensions = {{{field, field == Field::kProp ? "1" : ""}, ""}};
    grouping.goals = {{"1", aggregation.selection.goals}};
    grouping.visits = true;
    grouping.revenue = true;
    aggregation.groupings.push_back(std::move(grouping));
  }
  auto& by_hour = aggregation.groupings.emplace_back();
  by_hour.dimensions = {{{Field::kHour, ""}, ""}, {{Field::kExitPage, ""}, ""}};
  for (auto hour = range.from; hour < range.to; hour += std::chrono::hours(1)) {
    by_hour.buckets.push_back(hour);
  }
  return aggregation;
}

/// Returns a query for engagements by page, a property of events, and by source, a property of
/// visits.
Aggregation engagements(const TimeRange& range) {
  Aggregation aggregation;
  aggregation.selection.range = range;
  aggregation.selection.engagements = true;
  auto& grouping = aggregation.groupings.emplace_back();
  grouping.dimensions = {{{Field::kPage, ""}, ""}, {{Field::kSource, ""}, ""}};
  grouping.engagements = true;
  return aggregation;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::atomic<bool> kNever{false};
  try {
    parts::ByteReader reader({reinterpret_cast<const char*>(data), size});
    const auto head = parts::PartHead::read(reader.bytes());
    REQUIRE_PROPERTY(parts::PartHead::read(head.write()).write() == head.write());
    Columns columns;
    for (const auto id : head.columns) columns.emplace(id, reader.bytes());
    OnePart source(head, std::move(columns));
    query::Budget budget({std::chrono::seconds(4), 33'554'432}, kNever);
    auto range = head.range;
    for (int i = 0; i < 2; ++i) {
      query::Cores cores(2);
      const auto all = everything(range);
      const auto groups = query::aggregate(all, source, budget, cores);
      for (std::size_t group = 0; group < groups.front()->size(); ++group) {
        const auto sums = groups.front()->sums(group);
        REQUIRE_PROPERTY(sums.visitors <= sums.events);
      }
      // The next query leaves out the first second.
      if (++range.from == range.to) break;
    }
    parts::Fingerprint().add(*source.open_part(1));
    query::Cores one(1);
    const auto of_engagements = engagements(range);
    const auto read = query::aggregate(of_engagements, source, budget, one);
    for (std::size_t group = 0; group < read.front()->size(); ++group) {
      const auto sum = read.front()->sums(group).engagement;
      REQUIRE_PROPERTY(sum.depths <= Engagement::kMaxDepth * sum.depth_visits);
    }
    const auto events = source.read_raw_events();
    REQUIRE_PROPERTY(events.size() == head.events + std::size_t{head.engagements});
  } catch (const parts::Damaged&) {
  } catch (const query::LimitReached&) {
  }
  return 0;
}
