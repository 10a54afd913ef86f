#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "daemon/parts/cold_columns.h"
#include "daemon/parts/part_builder.h"
#include "tests/support/catch.h"

namespace analytics::test::raw_events_test {

using query::Column;
using query::RawEvent;

namespace {

constexpr std::int64_t kDayMillis = 86'400'000;

/// Creates events of a few visitors over three days, with visits across midnight, shared and named
/// visits, engagements, and events without a visit.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }

  std::vector<query::RawEvent> events(int count) {
    std::vector<query::RawEvent> all;
    for (int i = 0; i < count; ++i) all.push_back(event(i + 1));
    all.front().role = VisitRole::kPage;  // a part needs at least one event
    all.front().engagement = {};
    return all;
  }

 private:
  query::RawEvent event(EventId id) {
    query::RawEvent event;
    const auto day = below(3);
    const auto visitor = below(9);
    event.order = {UnixMillis(std::chrono::milliseconds(day * kDayMillis + below(kDayMillis))), id};
    if (one_in(3)) {  // many events at the same time
      event.order.first = std::chrono::floor<std::chrono::hours>(event.order.first);
    }
    event.visitor = ~static_cast<std::uint64_t>(day * 100 + visitor);
    event.visit = one_in(9)   ? 0
                  : one_in(9) ? 900
                  : one_in(9) ? 950 + visitor
                              : day * 10 + visitor + 1;
    event.is_named = event.visit >= 900;
    const auto role = below(5);
    event.role = role == 0   ? VisitRole::kStay
                 : role == 1 ? VisitRole::kPassive
                 : role == 2 ? VisitRole::kInteractive
                             : VisitRole::kPage;
    event.is_passive =
        event.role == VisitRole::kPassive || (event.role != VisitRole::kInteractive && one_in(7));
    event.import = one_in(2) ? below(3) : 0;
    if (event.role == VisitRole::kStay && one_in(2)) {
      event.engagement.millis = static_cast<std::int32_t>(below(Engagement::kMaxMillis + 1));
    }
    if (event.role == VisitRole::kStay && one_in(2)) {
      event.engagement.scroll_depth = static_cast<std::int32_t>(below(101));
    }
    for (auto& number : event.own) number = static_cast<std::uint32_t>(one_in(2) ? 0 : below(5));
    event.set(Column::kCurrency, one_in(5) ? 1 : 0);
    if (event[Column::kCurrency] != 0) event.micros = one_in(2) ? INT64_MIN + below(9) : below(9);
    return event;
  }

  std::mt19937_64 random_;
};

/// Returns the fields that must be unchanged: all except the ids of visitor, visit and event.
auto essence(const query::RawEvent& event) {
  return std::tuple(event.order.first, event.role, event.is_passive, event.import, event.micros,
                    event.engagement.millis, event.engagement.scroll_depth, event.own,
                    event.visit != 0, event.visit != 0 && event.is_named);
}

std::vector<query::RawEvent> through_a_part(std::vector<query::RawEvent> events) {
  parts::PartBuilder builder;
  builder.add(std::move(events));
  const auto part = builder.finish({});
  const auto head = parts::PartHead::read(part.head.write());
  return parts::read_raw_events(head, [&](std::uint32_t id) { return part.columns.at(id); });
}

/// Returns the unchanging fields of the events in one group per visitor or visit, without its id.
template <typename NumberOf>
auto groups(const std::vector<query::RawEvent>& events, const NumberOf& number_of) {
  std::map<std::uint64_t, std::vector<decltype(essence(events[0]))>> by_number;
  for (const auto& event : events) by_number[number_of(event)].push_back(essence(event));
  std::vector<std::vector<decltype(essence(events[0]))>> all;
  for (auto& [number, group] : by_number) {
    std::sort(group.begin(), group.end());
    all.push_back(std::move(group));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("parts: all raw events are read back from a part", "[parts]") {
  const auto visitor_of = [](const query::RawEvent& event) { return event.visitor; };
  const auto visit_of = [](const query::RawEvent& event) {
    // An engagement can outlive all other events of its visit. It then belongs to no visit.
    return static_cast<std::uint64_t>(event.role == VisitRole::kStay ? 0 : event.visit);
  };
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Maker maker(seed);
    auto events = maker.events(1 + static_cast<int>(maker.below(seed % 20 == 0 ? 4'000 : 60)));
    for (auto& event : events) {
      const bool has_visit = std::any_of(events.begin(), events.end(), [&](const auto& other) {
        return other.visit == event.visit && other.role != VisitRole::kStay;
      });
      if (!has_visit) event.visit = 0;
    }
    const auto back = through_a_part(events);
    CHECK(groups(back, visitor_of) == groups(events, visitor_of));
    CHECK(groups(back, visit_of) == groups(events, visit_of));
    // Engagements stay in their visits.
    const auto any_visit = [](const query::RawEvent& event) {
      return static_cast<std::uint64_t>(event.visit);
    };
    CHECK(groups(back, any_visit) == groups(events, any_visit));
    // A part built from the read events is equal, so the order within a visit is preserved.
    const auto again = through_a_part(back);
    CHECK(groups(again, visitor_of) == groups(events, visitor_of));
  }
}

TEST_CASE("parts: a damaged part of raw events is an error", "[parts]") {
  parts::PartBuilder builder;
  builder.add(Maker(1).events(3'000));
  const auto part = builder.finish({});
  for (const auto& [damaged, bytes] : part.columns) {
    CAPTURE(damaged);
    for (const auto& wrong : {std::string(), bytes.substr(0, bytes.size() - 1), bytes + '\0'}) {
      const auto fetch = [&, id = damaged](std::uint32_t column) {
        return column == id ? wrong : part.columns.at(column);
      };
      CHECK_THROWS_AS(parts::read_raw_events(part.head, fetch), parts::Damaged);
    }
  }
}

}  // namespace analytics::test::raw_events_test
