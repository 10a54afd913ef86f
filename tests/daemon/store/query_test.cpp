#include "tests/daemon/store/laws.h"
#include "tests/support/rounds.h"

namespace analytics::test::query_test {

namespace {

constexpr int kEvents = 400;

enum class Form {
  kRows,
  kCopies,         ///< All rows have copies in parts.
  kRowsAndCopies,  ///< Some rows have copies.
  kSealed,         ///< All forms: sealed parts, some rebuilt, rows, and rows with copies.
};

}  // namespace

TEST_CASE("query: random queries about random events equal a recount", "[stats][query]") {
  const auto seed = GENERATE(from_range(seeds(2, 300)));
  const auto form = GENERATE(Form::kRows, Form::kCopies, Form::kRowsAndCopies, Form::kSealed);
  Maker maker(seed);
  std::mt19937 random(seed);
  Store store;
  std::vector<CountedEvent> counted_events;
  int strangers = 0;  // added to visitor ids, because no visitor is recognised without the salt
  for (auto planned : random_events(random, kEvents)) {
    planned.visitor = static_cast<int>(random() % 30) + strangers;
    counted_events.push_back(maker.counted(planned));
    store.append(event_of(store, counted_events.back()));
    const auto stored = counted_events.size();
    if (stored == kEvents / 2) store.restart(seed % 2 == 1);  // half of the seeds simulate a crash
    if (stored % 100 == 0 && form != Form::kRows) store.make_parts();
    if ((stored == 150 || stored == 200) && form == Form::kSealed) {
      store.write();
      store.destroy_salts();
      store.seal();
      strangers += 100;
    }
  }
  if (form == Form::kCopies) store.make_parts();
  store.write();
  const auto has_parts = [&](const std::string& state) {
    return store.rows("SELECT count(*) FROM parts WHERE state = " + state).front() != "0";
  };
  CHECK(has_parts("1") == (form != Form::kRows));
  CHECK(has_parts("3") == (form == Form::kSealed));
  const Recount recount(counted_events);
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  std::size_t rows = 0;
  const int queries = rounds(100);
  for (int i = 0; i < queries; ++i) {
    CAPTURE(seed, static_cast<int>(form), i);
    auto query = maker.query();
    query.selection.site = store.site;
    const auto answered = answer(query, stats);
    REQUIRE(answered);
    REQUIRE(sorted(texts_of(answered->rows)) == recount.rows(query));
    rows += answered->rows.size();
    if (i % 4 != 0) continue;
    if (i % 20 == 0) check_laws(query, stats);
    // All pages of the answer together equal the whole answer.
    std::vector<std::string> paged;
    query.limit = 7;
    for (query.offset = 0; query.offset < answered->total_rows; query.offset += query.limit) {
      const auto page = texts_of(answer(query, stats)->rows);
      paged.insert(paged.end(), page.begin(), page.end());
    }
    REQUIRE(paged == texts_of(answered->rows));
  }
  CHECK(2 * rows > 3 * static_cast<std::size_t>(queries));
}

TEST_CASE("query: a query over its time or memory, or cancelled, ends", "[stats][query]") {
  Store store;
  for (int i = 0; i < 100; ++i) store.append(page(i, kNow, "/" + std::to_string(i)));
  store.write();
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kNow - std::chrono::hours(1), kNow + std::chrono::hours(1)};
  query.metrics = {Metric::kVisitors};
  query.dimensions = {{Field::kPage, {}}};
  const auto message = [&](store::StatsStore& stats) {
    const auto answered = answer(query, stats);
    return answered ? std::to_string(answered->rows.size()) : answered.error().message;
  };
  Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore patient(store.file(), limits, cores);
  CHECK(message(patient) == "100");
  limits.publish({.deadline = std::chrono::milliseconds(-1)});
  CHECK(message(patient) == query::kTimeIsOver);
  limits.publish({.memory = 1'000});
  CHECK(message(patient) == "The query takes too much memory; narrow its range or dimensions.");
  {
    limits.publish({});
    MemoryLedger ledger(1'000);
    MemoryLedger::Item item(ledger, MemoryLedger::Holder::kQueries, "account 1");
    patient.serve(nullptr, &item);
    CHECK(message(patient) == query::kMemoryIsShort);
    patient.serve(nullptr, nullptr);
    limits.publish({.memory = 1'000});
  }
  // A cancellation also ends a query whose filter matches no event.
  query.selection.filter.parts.emplace_back().kind = Filter::Kind::kNot;
  query.selection.filter.parts.front().parts.emplace_back();
  CHECK(message(patient) == "0");
  patient.cancel();
  CHECK(message(patient) == query::kTimeIsOver);
}

TEST_CASE("query: only the hours of the range are read, also after crashes and deletions",
          "[stats][query]") {
  Store store;
  store.append(page(1, kNow - std::chrono::hours(5), "/old"));
  store.append(page(1, kNow, "/new"));
  store.restart(true);
  store.write();
  CHECK(store.rows("SELECT count(*) FROM event_hours") == std::vector<std::string>{"2"});
  store.append(page(2, kNow - std::chrono::hours(5), "/old"));
  store.write();
  CHECK(store.rows("SELECT last - first FROM event_hours ORDER BY hour LIMIT 1") ==
        std::vector<std::string>{"2"});
  REQUIRE(store.registry().sites().delete_site(store.site));
  while (*store.events().purge_slice()) {
  }
  store.write();
  CHECK(store.rows("SELECT count(*) FROM event_hours") == std::vector<std::string>{"0"});
}

}  // namespace analytics::test::query_test
