// Copies of a registry that apply the same changes in the same order are equal to each other and to
// a registry of a single store.
#include <functional>
#include <random>

#include "daemon/store/sqlite/backend.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::shared_registry_test {

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 26;
constexpr UnixSeconds kNow = kToday + std::chrono::hours(12);

using Change = std::function<void(sqlite::Registry&)>;

struct Copy {
  Copy() { open(); }
  void open() {
    backend.reset();
    backend = sqlite::open_backend(folder / "store", {});
  }
  [[nodiscard]] sqlite::SharedRegistry& shared() const { return backend->shared_registry(); }
  [[nodiscard]] store::RegistryChange draft(const Change& change) const {
    return shared().draft([&] { change(backend->registry()); }).value();
  }
  /// Returns the content of the registry as text.
  [[nodiscard]] std::string contents() const {
    const auto all = backend->registry().directory().value();
    std::string text;
    for (const auto& site : all.sites) {
      text += "site " + std::to_string(site.id) + " " + site.domain + " " + site.timezone + " " +
              std::to_string(site.account) + "\n";
    }
    for (const auto& alias : all.aliases) {
      text += "alias " + alias.domain + " " + std::to_string(alias.site) + "\n";
    }
    for (const auto& key : all.keys) {
      text += "key " + std::to_string(key.id) + " " + key.account_name + " " + key.label + "\n";
    }
    for (const auto& goal : all.goals) {
      text += "goal " + std::to_string(goal.id) + " " + std::to_string(goal.site) + " " +
              goal.value + " " + goal.display_name + "\n";
    }
    for (const auto& link : all.links) {
      text += "link " + link.name + " " + std::to_string(link.site) + "\n";
    }
    for (const auto& exclusion : all.exclusions) {
      text += "exclusion " + std::to_string(exclusion.id) + " " + exclusion.value + "\n";
    }
    return text;
  }

  TempFolder folder;
  std::unique_ptr<sqlite::Backend> backend;
};

Digest id_of(std::uint64_t number) {
  Digest id{};
  id[0] = static_cast<std::uint8_t>(number);
  return id;
}

/// The changes that all copies have agreed on, in order.
class Agreement {
 public:
  /// Drafts a change on one copy and applies it to all. Returns false if it changed nothing.
  bool make(const Change& change, const Copy& at, std::initializer_list<Copy*> copies) {
    const auto before = at.contents();
    auto made = at.draft(change);
    CHECK(at.contents() == before);  // a draft leaves no changes
    if (made.is_empty()) return false;
    const auto number = steps_.size() + 1;
    steps_.push_back({{number, id_of(number)}, std::move(made)});
    for (const auto* copy : copies) {
      const auto applied = copy->shared().apply({&steps_.back(), 1});
      if (!applied) FAIL(applied.error().reason());
      CHECK(copy->shared().revision() == steps_.back().revision);
    }
    return true;
  }
  [[nodiscard]] const std::vector<store::RegistryStep>& steps() const { return steps_; }

 private:
  std::vector<store::RegistryStep> steps_;
};

Change create_site(const std::string& domain) {
  return [domain](sqlite::Registry& registry) {
    (void)registry.sites().create_site(1, domain, "UTC", kNow);
  };
}

Change create_key(const std::string& label) {
  return [label](sqlite::Registry& registry) {
    store::NewKey key;
    key.account = "acme";
    key.label = label;
    key.hash.fill(static_cast<std::uint8_t>(label.front()));
    (void)registry.keys().create_key(key, kNow);
  };
}

Change delete_site(SiteId site) {
  return [site](sqlite::Registry& registry) { (void)registry.sites().delete_site(site); };
}

/// Returns a random change of the kinds that provisioning makes.
Change any_change(std::mt19937& random) {
  const auto pick = [&](unsigned below) { return random() % below; };
  const auto site = static_cast<SiteId>(pick(6) + 1);
  const auto name = std::string(1, static_cast<char>('a' + pick(8)));
  switch (pick(8)) {
    case 0: return create_key(name);
    case 1: return delete_site(site);
    case 2:
      return [site, name](sqlite::Registry& registry) {
        store::SiteUpdate update;
        update.domain = name + ".example";
        (void)registry.sites().update_site(site, update, kNow, std::chrono::hours(72));
      };
    case 3:
      return [site, name](sqlite::Registry& registry) {
        Goal goal;
        goal.site = site;
        goal.value = name;
        goal.display_name = name;
        (void)registry.sites().ensure_goal(goal, kNow);
      };
    case 4:
      return [site, name](sqlite::Registry& registry) {
        WantedLink wanted;
        wanted.name = name;
        (void)registry.sites().ensure_link(site, wanted, kNow);
      };
    case 5:
      return [site, name](sqlite::Registry& registry) {
        (void)registry.sites().ensure_exclusion(site, ExclusionKind::kPage, "/" + name);
      };
    case 6:
      return [](sqlite::Registry& registry) {
        (void)registry.sites().expire_aliases(kNow + std::chrono::hours(100));
      };
    default: return create_site(name + ".example");
  }
}

}  // namespace

TEST_CASE("shared registry: copies stay equal, whichever node drafts a change", "[store]") {
  Copy one, other, alone;
  Agreement agreement;
  std::mt19937 random(4);
  for (int i = 0; i < 400; ++i) {
    const auto change = any_change(random);
    agreement.make(change, random() % 2 == 0 ? one : other, {&one, &other});
    change(alone.backend->registry());
  }
  CHECK(one.contents() == other.contents());
  CHECK(one.shared().spent().value() == other.shared().spent().value());
  CHECK(one.contents() == alone.contents());
  // A copy knows its revision after a restart, and a new copy catches up.
  one.open();
  CHECK(one.shared().revision() == agreement.steps().back().revision);
  Copy late;
  CHECK_FALSE(late.shared().revision());
  CHECK(late.shared().is_empty().value());
  REQUIRE(late.shared().apply(agreement.steps()));
  CHECK(late.contents() == one.contents());
  CHECK(late.shared().spent().value() == one.shared().spent().value());
}

TEST_CASE("shared registry: the first store passes on its contents and its used ids", "[store]") {
  Copy first, second;
  create_key("k")(first.backend->registry());
  for (const auto* domain : {"a.example", "b.example", "c.example"}) {
    create_site(domain)(first.backend->registry());
  }
  delete_site(3)(first.backend->registry());
  const store::RegistryStep step{{1, id_of(1)}, first.shared().whole().value()};
  CHECK_FALSE(first.shared().is_empty().value());
  REQUIRE(first.shared().apply(std::vector<store::RegistryStep>{{step.revision, {}}}));
  REQUIRE(second.shared().apply({&step, 1}));
  CHECK(first.contents() == second.contents());
  // The id of the deleted site is not used again.
  create_site("d.example")(second.backend->registry());
  CHECK(second.backend->registry().directory().value().sites.back().id == 4);
}

TEST_CASE("shared registry: changes that withdraw rights are marked as such", "[store]") {
  Copy one;
  Agreement agreement;
  agreement.make(create_key("k"), one, {&one});
  agreement.make(create_site("a.example"), one, {&one});
  CHECK_FALSE(agreement.steps().front().change.withdraws);
  CHECK_FALSE(agreement.steps().back().change.withdraws);
  const auto revoked =
      one.draft([](sqlite::Registry& registry) { REQUIRE(registry.keys().revoke_key("1")); });
  CHECK(revoked.withdraws);
  CHECK(one.draft(delete_site(1)).withdraws);
  const auto nothing =
      one.draft([](sqlite::Registry& registry) { (void)registry.sites().delete_link(1, "none"); });
  CHECK(nothing.is_empty());
}

TEST_CASE("shared registry: a copy that differs refuses changes and can be replaced", "[store]") {
  Copy one, other;
  Agreement agreement;
  agreement.make(create_key("k"), one, {&one, &other});
  agreement.make(create_site("a.example"), one, {&one, &other});
  // Data of a single store is not shared, and stays.
  const store::KeyUse use{1, kNow};
  REQUIRE(other.backend->registry().keys().record_key_use({&use, 1}));
  create_site("b.example")(
      other.backend->registry());  // a change that the other copies do not have
  auto made = one.draft(create_site("c.example"));
  auto steps = agreement.steps();
  steps.push_back({{3, id_of(3)}, std::move(made)});
  CHECK_FALSE(other.shared().apply({&steps.back(), 1}));
  CHECK(other.shared().revision() == steps[1].revision);
  // A missing step is noticed as well.
  auto gap = steps.back();
  gap.revision.number = 5;
  CHECK_FALSE(one.shared().apply({&gap, 1}));
  REQUIRE(one.shared().apply({&steps.back(), 1}));
  REQUIRE(other.shared().replace(steps));
  CHECK(other.contents() == one.contents());
  CHECK(other.shared().revision() == steps.back().revision);
  CHECK(other.backend->registry().directory().value().keys.front().last_used_at == kNow);
  REQUIRE(other.shared().leave());
  CHECK_FALSE(other.shared().revision());
  CHECK(other.contents() == one.contents());
}

TEST_CASE("shared registry: the events of a deleted site are removed from every store", "[store]") {
  Copy one, other;
  Agreement agreement;
  agreement.make(create_site("a.example"), one, {&one, &other});
  Event event;
  event.site = 1;
  event.time = kNow;
  event.name = "pageview";
  event.path = "/";
  event.visitor = 1;
  event.visit_keys.own = 1;
  const Event* pointer = &event;
  EventOutcome outcome{};
  REQUIRE(other.backend->events().append({&pointer, 1}, {&outcome, 1}, kNow, {}));
  REQUIRE(outcome == EventOutcome::kStored);
  agreement.make(delete_site(1), one, {&one, &other});
  for (const auto& task : other.backend->housekeeping()) {
    while (task.slice(kNow).value() == store::Left::kMore) {
    }
  }
  const auto reader = other.backend->open_reader();
  CHECK_FALSE(reader.registry->last_event_at(1).value());
}

TEST_CASE("shared registry: events are removed from every store that existed at the request",
          "[store]") {
  Copy one, other;
  Agreement agreement;
  agreement.make(create_site("a.example"), one, {&one, &other});
  const auto add = [&](const std::string& path) {
    Event event;
    event.site = 1;
    event.time = kNow;
    event.name = "pageview";
    event.path = path;
    event.visitor = 1;
    event.visit_keys.own = 1;
    const Event* pointer = &event;
    EventOutcome outcome{};
    REQUIRE(other.backend->events().append({&pointer, 1}, {&outcome, 1}, kNow, {}));
  };
  // Returns true if the journal has a pending removal.
  const auto is_removing = [&] {
    return other.backend->open_journal_reader()->end().value().is_removing;
  };
  const auto remove = [&](UnixSeconds at, bool is_ours) {
    const auto number = other.shared().revision()->number + 1;
    store::RegistryStep step{{number, id_of(number)}, {}};
    auto& what = step.change.removal.emplace();
    what.at = at;
    what.what.site = 1;
    what.what.page = "/gone**";
    CHECK_FALSE(step.change.is_empty());
    REQUIRE(other.shared().apply({&step, 1}));
    CHECK(is_removing() == is_ours);
    for (const auto& task : other.backend->housekeeping()) {
      while (task.slice(kNow).value() == store::Left::kMore) {
      }
    }
    CHECK_FALSE(is_removing());
  };
  // Returns the number of removals that also apply to the events of absent nodes.
  const auto known = [&] {
    return other.backend->open_journal_reader()->cluster_removals().value().size();
  };
  const auto count = [&] {
    REQUIRE(other.backend->events().publish());
    EventSelection all;
    all.site = 1;
    return other.backend->open_reader().events->count(all).value();
  };
  add("/stays");
  add("/gone");
  add("/gone/too");
  remove(UnixSeconds(), false);  // requested before the store joined the cluster
  CHECK(count() == 3);
  CHECK(known() == 1);
  remove(system_now() + std::chrono::hours(1), true);
  CHECK(count() == 1);
  CHECK(known() == 2);
  add("/gone/later");
  CHECK(count() == 2);
  REQUIRE(other.shared().leave());  // another cluster has other sites
  CHECK(known() == 0);
}

TEST_CASE("shared registry: a removal begins once, whatever revision its step gets", "[store]") {
  Copy one, other;
  Agreement agreement;
  agreement.make(create_site("a.example"), one, {&one, &other});
  const auto known = [&] {
    return other.backend->open_journal_reader()->cluster_removals().value().size();
  };
  const auto removal = [](std::uint64_t number, std::uint64_t id) {
    store::RegistryStep step{{number, id_of(id)}, {}};
    auto& what = step.change.removal.emplace();
    what.at = system_now();
    what.what.site = 1;
    return step;
  };
  for (const auto& step : {removal(2, 2), removal(3, 3), removal(4, 4)}) {
    REQUIRE(other.shared().apply({&step, 1}));
  }
  CHECK(known() == 3);
  // The registry has lost the last two steps, and then got other ones.
  auto steps = agreement.steps();
  steps.push_back(removal(2, 2));
  steps.push_back(removal(3, 13));
  steps.push_back(removal(4, 14));
  steps.push_back(removal(5, 15));
  REQUIRE(other.shared().replace(steps));
  CHECK(known() == 6);
  REQUIRE(other.shared().replace(steps));
  CHECK(known() == 6);
}

}  // namespace analytics::test::shared_registry_test
