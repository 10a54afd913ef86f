#include "daemon/store/sqlite/tables/dictionary.h"

#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/reading/event_reader.h"
#include "tests/daemon/store/visit_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::dictionary_test {

using namespace analytics::sqlite;

namespace {

Event event_of(SiteId site) {
  Event event;
  event.site = site;
  event.name = "Signup";
  event.hostname = "a.example";
  event.path = "/";
  return event;
}

/// A dictionary with its own database file.
struct Fixture {
  explicit Fixture(const store::StoreLimits& limits = {})
      : dictionary(connection, strings, limits) {}

  static Connection& migrated(Connection& connection) {
    migrate(connection);
    return connection;
  }

  TempFolder folder;
  Connection connection{folder / "a.db", Role::kWriter};
  StringTable strings{migrated(connection)};
  Dictionary dictionary;
};

store::StoreLimits new_texts(std::int64_t most) {
  store::StoreLimits limits;
  limits.max_new_texts = most;
  return limits;
}

/// Returns the text id that `numbers` has for that kind; nullopt if the text is empty.
std::optional<std::int64_t> number_in(const FieldNumbers& numbers, StringKind kind) {
  return numbers[static_cast<std::size_t>(&field_of(kind) - kEventFields.data())];
}

}  // namespace

TEST_CASE("dictionary: a failed batch uses up no budget and reports nothing", "[store]") {
  Fixture fixture(new_texts(10));
  auto& dictionary = fixture.dictionary;
  const TextSource stranger{};
  const auto add = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      Event event;
      event.site = 1;
      event.name = "pageview";
      event.hostname = "a.example";
      event.path = "/" + std::to_string(i);
      (void)dictionary.numbers(event, stranger);
    }
  };
  fixture.connection.execute("BEGIN");
  add(0, 15);  // ten fit into the budget, the rest becomes "(other)"
  fixture.connection.execute("ROLLBACK");
  dictionary.rolled_back();
  CHECK(dictionary.take_replaced().empty());

  fixture.connection.execute("BEGIN");
  add(100, 115);
  fixture.connection.execute("COMMIT");
  dictionary.committed();
  const auto replaced = dictionary.take_replaced();
  REQUIRE(replaced.size() == 1);
  CHECK(replaced[0].count == 5);  // "(other)" itself costs nothing, so nothing was refunded for it
}

TEST_CASE("dictionary: no sender and no network can use up the room for new texts", "[store]") {
  Fixture fixture(new_texts(100));
  auto& dictionary = fixture.dictionary;
  int next = 0;
  // Adds new paths and returns how many are stored.
  const auto add = [&](int count, const TextSource& source) {
    fixture.connection.execute("BEGIN");
    for (int i = 0; i < count; ++i) {
      auto event = event_of(1);
      event.path = "/" + std::to_string(++next);
      (void)dictionary.numbers(event, source);
    }
    fixture.connection.execute("COMMIT");
    dictionary.committed();
    const auto replaced = dictionary.take_replaced();
    return count - (replaced.empty() ? 0 : static_cast<int>(replaced[0].count));
  };
  const auto first_event_of = [](std::uint64_t sender, std::uint64_t network) {
    return TextSource{Days{}, sender, network, true};
  };
  CHECK(add(15, first_event_of(1, 100)) == 10);
  CHECK(add(15, first_event_of(2, 100)) == 10);
  CHECK(add(15, first_event_of(3, 100)) == 0);  // the network has used its fifth
  CHECK(add(15, first_event_of(4, 200)) == 10);
  for (std::uint64_t sender = 5; sender < 20; ++sender) (void)add(15, first_event_of(sender, 0));
  CHECK(add(1, first_event_of(20, 0)) == 0);
  auto later = first_event_of(20, 0);
  later.begins_visit = false;
  CHECK(add(15, later) == 10);  // the last fifth is for later events
  later.sender = 21;
  CHECK(add(15, later) == 10);
  CHECK(add(1, TextSource{}) == 0);
}

TEST_CASE("dictionary: equal texts of a site and kind share an id, and empty ones have no id",
          "[store]") {
  Fixture fixture;
  auto& dictionary = fixture.dictionary;
  auto event = event_of(1);
  event.referrer = "Signup";  // the same text with another kind
  event.utm[static_cast<std::size_t>(UtmTag::kCampaign)] = "autumn";
  event.client = Client{"", "Chrome", "", "", ""};
  event.revenue = Revenue{1, "EUR"};
  const auto first = dictionary.numbers(event, {});
  for (const auto kind : {StringKind::kName, StringKind::kReferrer, StringKind::kUtmCampaign,
                          StringKind::kClient, StringKind::kCurrency}) {
    CHECK(number_in(first, kind) == 1);
  }
  for (const auto kind : {StringKind::kSource, StringKind::kUtmTerm, StringKind::kPlace}) {
    CHECK(!number_in(first, kind));
  }
  CHECK(dictionary.numbers(event, {}) == first);
  Dictionary other(fixture.connection, fixture.strings, {});  // nothing cached yet
  CHECK(other.numbers(event, {}) == first);
  event.client = Client{"", "Firefox", "", "", ""};
  event.revenue.reset();
  const auto second = dictionary.numbers(event, {});
  CHECK(number_in(second, StringKind::kClient) == 2);
  CHECK(!number_in(second, StringKind::kCurrency));
  CHECK(number_in(dictionary.numbers(event_of(2), {}), StringKind::kName) == 1);
}

TEST_CASE("dictionary: a removed text gets an id again", "[store]") {
  Fixture fixture;
  auto& dictionary = fixture.dictionary;
  auto event = event_of(1);
  event.place = Place{"DE", "", ""};
  (void)dictionary.numbers(event, {});
  for (const auto& text : fixture.strings.page(1, {}, 100)) dictionary.remove(1, text);
  CHECK(fixture.strings.page(1, {}, 100).empty());
  Statement places(fixture.connection, "SELECT 1 FROM places");
  CHECK(!places.query().next());
  event.path = "/other";  // gets the id that "/" had
  (void)dictionary.numbers(event, {});
  CHECK(fixture.strings.page(1, {}, 100).size() == 4);
}

TEST_CASE("event fields: the table has each kind of text once with its own column", "[store]") {
  std::set<int> kinds;
  std::set<std::string> columns;
  for (const auto& field : kEventFields) {
    kinds.insert(static_cast<int>(field.kind));
    columns.insert(field.column());
    CHECK(&field_of(field.kind) == &field);
    CHECK(&field_of(field.scan) == &field);
  }
  CHECK(kinds.size() == kEventFields.size());
  CHECK(columns.size() == kEventFields.size());
  CHECK(&field_of(query::Column::kExitPage) == &field_of(StringKind::kPath));
  CHECK_THROWS_AS(field_of(query::Column::kTime), std::logic_error);
}

TEST_CASE("event fields: the view and the export show each text under its name", "[store]") {
  Store store;
  auto event = store.make(page(1, kNow, "/a"));
  event.name = "Signup";
  event.referrer = "r.example/x";
  event.source = "R";
  for (std::size_t i = 0; i < kUtmTags; ++i) event.utm[i] = std::string(kUtmNames[i]) + " tag";
  Client client;
  for (const auto& part : kClientParts) client.*part.text = std::string(part.name) + " part";
  event.client = client;
  Place place;
  for (const auto& part : kPlaceParts) place.*part.text = std::string(part.name) + " part";
  event.place = place;
  event.props = R"({"plan":"pro"})";
  event.revenue = Revenue{5, "EUR"};
  store.append(event);
  store.write();

  ReadingPins pins;
  SqliteEventReader reader(store.file(), pins);
  EventSelection selection;
  selection.site = store.site;
  const auto reading = reader.begin(selection).value();
  const auto page = reader.read(*reading);
  REQUIRE(page->events.size() == 1);
  const auto& exported = page->events.front();
  const auto shown = [&](std::string_view column) {
    return store.rows("SELECT " + std::string(column) + " FROM event_text").front();
  };
  for (const auto& field : kEventFields) {
    INFO(field.column());
    if (field.parts != nullptr) continue;
    CHECK(*text_in(exported, field) == *text_in(event, field));
    if (field.kind != StringKind::kCurrency) CHECK(shown(field.column()) == *text_in(event, field));
  }
  CHECK(exported.client == event.client);
  CHECK(exported.place == event.place);
  CHECK(exported.revenue->micros == 5);
  for (const auto& part : kClientParts) CHECK(shown(part.name) == client.*part.text);
  for (const auto& part : kPlaceParts) CHECK(shown(part.name) == place.*part.text);
  CHECK(store.rows("SELECT source || utm_term || city FROM visit_text")[0] ==
        event.source + event.utm.back() + place.city);
}

}  // namespace analytics::test::dictionary_test
