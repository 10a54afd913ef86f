#include "daemon/parts/part.h"

#include <random>
#include <set>

#include "common/text/text.h"
#include "daemon/model/channel.h"
#include "daemon/parts/bytes.h"
#include "daemon/parts/part_builder.h"
#include "daemon/query/executor.h"
#include "tests/daemon/query/memory_events.h"
#include "tests/support/catch.h"

namespace analytics::test::part_test {

using query::Column;

namespace {

const std::atomic<bool> kNever{false};
constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kDays = 3;

using Event = MemoryEvents::Event;

std::int64_t day_of(const Event& event) { return event.at(Column::kTime) / kDaySeconds; }

/// The same events as rows only, and with some days as parts.
struct TwoForms {
  MemoryEvents rows;
  MemoryEvents parted;

  void add(const Event& event) { events.push_back(event); }

  /// Builds the given days as parts, each in several pieces by visitor, and all other days as rows.
  void build(const std::set<std::int64_t>& days, std::uint64_t pieces) {
    // Days and visitors of each visit.
    std::map<std::int64_t, std::set<std::pair<std::int64_t, std::int64_t>>> places;
    for (const auto& event : events) {
      places[event.at(Column::kVisit)].emplace(day_of(event), event.at(Column::kVisitor));
    }
    std::unordered_set<VisitId> shared;
    for (const auto& [visit, where] : places) {
      if (visit != 0 && where.size() > 1) shared.insert(visit);
    }
    std::map<std::pair<std::int64_t, std::uint64_t>, parts::PartBuilder> builders;
    for (const auto& event : events) {
      rows.add(event);
      if (!days.contains(day_of(event))) {
        parted.add(event);
        continue;
      }
      const auto piece = static_cast<std::uint64_t>(event.at(Column::kVisitor)) % pieces;
      auto& builder = builders[{day_of(event), piece}];
      query::EventBatch batch(parts::PartBuilder::columns());
      for (const auto& [column, value] : event) batch.set(column, 0, value);
      batch.set_size(1);
      builder.add(batch, {0});
    }
    for (auto& [key, builder] : builders) parted.add_part(builder.finish(shared));
  }

  std::vector<Event> events;
};

/// Creates random events of a few visitors per day, and queries about them.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  void fill(TwoForms& forms, int events) {
    for (int i = 0; i < events; ++i) {
      const auto day = static_cast<std::int64_t>(below(kDays));
      const auto visitor = 1 + below(40);
      // Visits of a visitor, events without a visit, visits across midnight, and shared visits.
      const auto visit = one_in(20)   ? 0
                         : one_in(20) ? 900 + below(3)
                         : one_in(20) ? 950 + visitor
                                      : 1'000 * (day + 1) + visitor * 10 + below(3);
      forms.add(event(forms.rows, day, day * 1'000 + visitor, visit));
    }
    forms.parted.share_texts(forms.rows);
  }

  Aggregation aggregation() {
    Aggregation aggregation;
    auto& selection = aggregation.selection;
    const auto from = static_cast<std::int64_t>(below(2 * kDaySeconds));
    const auto length = static_cast<std::int64_t>(below(3 * kDaySeconds)) + 1;
    selection.range = one_in(3) ? range(0, kDays * kDaySeconds) : range(from, from + length);
    selection.goals = {{1, 1, GoalType::kEvent, "Signup", ""}, {2, 1, GoalType::kPage, "/2*", ""}};
    if (!one_in(3)) selection.filter = filter(0);
    for (auto i = 1 + below(3); i > 0; --i) aggregation.groupings.push_back(grouping());
    return aggregation;
  }

 private:
  static TimeRange range(std::int64_t from, std::int64_t to) {
    return {UnixSeconds(std::chrono::seconds(from)), UnixSeconds(std::chrono::seconds(to))};
  }

  Event event(MemoryEvents& texts, std::int64_t day, std::int64_t visitor, std::int64_t visit) {
    const bool is_pageview = !one_in(3);
    Event event{{Column::kTime, day * kDaySeconds + below(kDaySeconds)},
                {Column::kVisitor, visitor},
                {Column::kVisit, visit},
                {Column::kIsPageview, is_pageview ? 1 : 0},
                {Column::kName, texts.number(is_pageview ? "pageview" : "Signup")},
                {Column::kPath, texts.number("/" + std::to_string(below(30)))},
                {Column::kHostname, texts.number("a.example")}};
    if (one_in(4)) {
      event[Column::kProps] = texts.number(one_in(2) ? R"({"plan":"pro"})" : R"({"size":"1"})");
    }
    if (one_in(5)) {
      event[Column::kCurrency] = texts.number(one_in(2) ? "EUR" : "USD");
      event[Column::kRevenue] = one_in(2) ? INT64_MAX - below(9) : INT64_MIN + below(9);
    }
    if (visit == 0) return event;  // properties of a visit are the same for all of its events
    event[query::column_of(VisitFact::kBounce)] = visit % 2;
    event[query::column_of(VisitFact::kSeconds)] = visit % 777;
    event[Column::kChannel] = 1 + visit % 5;
    event[Column::kSource] = texts.number(visit % 3 == 0 ? "" : "s" + std::to_string(visit % 4));
    event[Column::kEntryPage] = texts.number("/" + std::to_string(visit % 30));
    event[Column::kUtmMedium] = texts.number(visit % 7 == 0 ? "email" : "");
    return event;
  }

  Grouping grouping() {
    static const std::vector<Field> kFields = {
        Field::kName,      Field::kPage,      Field::kHostname, Field::kGoal, Field::kProp,
        Field::kPropKey,   Field::kSource,    Field::kChannel,  Field::kDay,  Field::kEntryPage,
        Field::kUtmMedium, Field::kUtmSource, Field::kExitPage};
    Grouping grouping;
    for (auto i = below(4); i > 0; --i) {
      const auto field = kFields[below(static_cast<std::uint32_t>(kFields.size()))];
      grouping.dimensions.push_back({{field, field == Field::kProp ? "plan" : ""}, "(none)"});
    }
    for (std::int64_t hour = 0; hour < 80; hour += 7) {
      grouping.buckets.push_back(UnixSeconds(std::chrono::hours(hour)));
    }
    grouping.goals = {
        {"Signup", {{1, 1, GoalType::kEvent, "Signup", ""}}},
        {"Some pages", {{2, 1, GoalType::kPage, "/1*", ""}, {3, 1, GoalType::kPage, "/2*", ""}}}};
    grouping.visits = one_in(2);
    grouping.revenue = one_in(2);
    return grouping;
  }

  Filter filter(int depth) {
    Filter made;
    if (depth < 3 && one_in(2)) {
      made.kind = static_cast<Filter::Kind>(below(4));
      const bool is_list = made.kind == Filter::Kind::kAll || made.kind == Filter::Kind::kAny;
      for (auto i = is_list ? 2 : 1; i > 0; --i) made.parts.push_back(filter(depth + 1));
      return made;
    }
    static const std::vector<std::pair<Field, std::string>> kConditions = {
        {Field::kPage, "/2"},     {Field::kName, "Signup"},    {Field::kProp, "pro"},
        {Field::kSource, ""},     {Field::kSource, "s1"},      {Field::kEntryPage, "/4"},
        {Field::kGoal, "Signup"}, {Field::kGoal, "Visit /2*"}, {Field::kUtmMedium, "email"}};
    const auto& [field, value] = kConditions[below(static_cast<std::uint32_t>(kConditions.size()))];
    made.kind = Filter::Kind::kValue;
    made.dimension = {field, field == Field::kProp ? "plan" : ""};
    made.match.values = {value};
    made.negated = one_in(3);
    return made;
  }

  std::mt19937 random_;
};

std::vector<std::string> lines(const Aggregation& aggregation, MemoryEvents& events) {
  query::Budget budget({}, kNever);
  query::Cores cores(2);
  const auto answer = query::aggregate(aggregation, events, budget, cores);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    auto& groups = *answer[i];
    for (std::size_t group = 0; group < groups.size(); ++group) {
      std::vector<std::string> values;
      for (std::size_t at = 0; at < aggregation.groupings[i].dimensions.size(); ++at) {
        values.push_back(groups.text(at, groups.value(group, at)));
      }
      const auto sums = groups.sums(group);
      auto line =
          std::to_string(i) + " " + join(values, "|") + " " + std::to_string(groups.bucket(group));
      for (const auto sum : {sums.visitors, sums.pageviews, sums.events, sums.visits,
                             sums.facts[VisitFact::kBounce], sums.facts[VisitFact::kSeconds]}) {
        line += " " + std::to_string(sum);
      }
      for (const auto& [currency, revenue] : sums.revenue) {
        line +=
            " " + currency + std::to_string(revenue.micros) + "/" + std::to_string(revenue.events);
      }
      lines.push_back(std::move(line));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("parts: random queries have the same answers from parts as from rows", "[parts][query]") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U);
  Maker maker(seed);
  TwoForms forms;
  maker.fill(forms, 3'000);
  std::set<std::int64_t> days;
  for (std::int64_t day = 0; day < kDays; ++day) {
    if (seed == 1 || !maker.one_in(3)) days.insert(day);
  }
  forms.build(days, seed == 4 ? 1'000 : seed);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(seed, i);
    const auto aggregation = maker.aggregation();
    REQUIRE(lines(aggregation, forms.parted) == lines(aggregation, forms.rows));
  }
}

TEST_CASE("parts: groupings with more combinations than cells have the answers of rows",
          "[parts][query]") {
  TwoForms forms;
  for (std::int64_t i = 0; i < 3'000; ++i) {
    forms.add({{Column::kTime, i},
               {Column::kVisitor, i / 3 + 1},
               {Column::kVisit, i / 3 + 1},
               {Column::kName, forms.rows.number("pageview")},
               {Column::kIsPageview, 1},
               {Column::kPath, forms.rows.number("/" + std::to_string(i % 700))},
               {Column::kEntryPage, forms.rows.number("/" + std::to_string(i / 3 * 7 % 700))}});
  }
  forms.parted.share_texts(forms.rows);
  forms.build({0}, 1);
  Aggregation aggregation;
  aggregation.selection.range = {UnixSeconds(), UnixSeconds(std::chrono::hours(24))};
  for (const auto& fields : std::vector<std::vector<Field>>{
           {Field::kPage, Field::kEntryPage, Field::kUtmSource},
           {Field::kUtmSource, Field::kPage, Field::kEntryPage, Field::kName}}) {
    auto& grouping = aggregation.groupings.emplace_back();
    for (const auto field : fields) grouping.dimensions.push_back({{field, ""}, "(none)"});
    grouping.visits = true;
  }
  REQUIRE(lines(aggregation, forms.parted) == lines(aggregation, forms.rows));
}

}  // namespace analytics::test::part_test
