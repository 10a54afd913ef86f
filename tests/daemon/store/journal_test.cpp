// Blocks and changes that a journal keeps after the cluster has confirmed them.
#include "daemon/store/journal_rows.h"

#include <string>
#include <vector>

#include "daemon/store/sqlite/journal/journal_reader.h"
#include "tests/daemon/store/query_maker.h"
#include "tests/support/catch.h"

namespace analytics::test::journal_test {

using std::chrono::seconds;

namespace {

using Lines = std::vector<std::string>;

constexpr UnixSeconds kStart{seconds(1'790'000'000)};

}  // namespace

TEST_CASE("journal: it lists the recent events that a failed machine may have lost", "[journal]") {
  Store store;
  auto journal = store.journal();
  REQUIRE(journal.begin());
  sqlite::JournalReader reader(store.file());
  CHECK(reader.recently_confirmed()->empty());
  const Days october = std::chrono::year(2026) / 10 / 1;
  const Days november = std::chrono::year(2026) / 11 / 1;
  struct Round {
    std::vector<store::JournalBlock> blocks;
    seconds after;
  };
  const std::vector<Round> rounds = {
      {{{1, october, 1, 300'000}}, seconds(0)},
      {{{2, october, 300'001, 900'000}}, seconds(1)},
      {{{3, october, 900'001, 900'050}, {4, november, 900'001, 900'050}}, seconds(301)}};
  for (const auto& round : rounds) {
    REQUIRE(journal.plan(round.blocks));
    REQUIRE(journal.confirm(round.blocks.back().last, kStart + round.after));
  }
  using Ranges = std::vector<store::JournalRange>;
  CHECK(*reader.recently_confirmed() == Ranges{{300'001, 900'000}, {900'001, 900'050}});
  // Events lost long after their confirmation are sent again.
  REQUIRE(
      journal.renew(std::vector<store::JournalBlock>{{0, october, 5, 7}}, kStart + seconds(302)));
  CHECK(*reader.recently_confirmed() == Ranges{{5, 7}, {900'001, 900'050}});
}

TEST_CASE("journal: changes are kept until a failing machine must have written them", "[journal]") {
  Store store;
  auto journal = store.journal();
  REQUIRE(journal.begin());
  for (int i = 0; i < 4; ++i) {
    PlannedEvent planned;
    planned.visitor = i;
    planned.time = UnixSeconds(kDay);
    (void)store.append(planned);
  }
  store.write();
  const auto first = [&] { return store.rows("SELECT min(number) FROM journal_changes"); };
  const auto last = [&] { return store.rows("SELECT max(number) FROM journal_changes"); };
  REQUIRE(first() == Lines{"1"});
  REQUIRE(last() == Lines{"4"});
  REQUIRE(journal.confirm_changes(1, kStart));
  REQUIRE(journal.confirm_changes(2, kStart + seconds(60)));
  // The cluster was away. It may have lost unsynced changes since, and no node has checked yet.
  REQUIRE(journal.confirm_changes(3, kStart + seconds(1'000)));
  CHECK(first() == Lines{"1"});
  REQUIRE(journal.confirm_changes(4, kStart + seconds(1'001)));
  CHECK(first() == Lines{"3"});
}

}  // namespace analytics::test::journal_test
