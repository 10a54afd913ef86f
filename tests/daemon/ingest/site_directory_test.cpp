// A snapshot of the registry that follows its changes one by one equals a snapshot that is read as
// a whole.
#include "daemon/ingest/site_directory.h"

#include <random>

#include "common/run/secret.h"
#include "daemon/store/sqlite/backend.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::site_directory_test {

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
constexpr int kNames = 8;  // few, so that names are used again

/// Makes random changes in a registry.
class Changer {
 public:
  Changer(sqlite::Registry& registry, unsigned seed) : registry_(registry), random_(seed) {}

  /// Makes a random change. It has no effect if the registry refuses it.
  void change() {
    auto& sites = registry_.sites();
    auto& keys = registry_.keys();
    const SiteId site = 1 + any(12);
    const auto name = "n" + std::to_string(any(kNames));
    switch (any(13)) {
      case 0: (void)sites.create_site(1 + any(3), domain(), "UTC", now_); break;
      case 1: (void)sites.update_site(site, {domain(), {}, {}, {}, {}}, now_, hours(3)); break;
      case 2: (void)sites.move_site(domain(), account()); break;
      case 3: (void)sites.delete_site(site); break;
      case 4: (void)sites.ensure_link(site, {name, secret()}, now_); break;
      case 5: (void)sites.delete_link(site, name); break;
      case 6: (void)sites.ensure_goal({0, site, GoalType::kEvent, name, ""}, now_); break;
      case 7: (void)sites.ensure_exclusion(site, ExclusionKind::kPage, "/" + name); break;
      case 8:
        (void)registry_.account_links().ensure_account_link(1 + any(3), {name, secret()}, now_);
        break;
      case 9: (void)registry_.account_links().delete_account_link(1 + any(3), name); break;
      case 10: (void)keys.revoke_key(std::to_string(1 + any(12))); break;
      case 11: {
        store::NewKey key;
        key.account = account();
        key.hash = sha256(secret());
        (void)keys.create_key(key, now_);
        break;
      }
      case 12:
        now_ += hours(1);
        (void)sites.expire_aliases(now_);
        break;
    }
  }

  /// Returns as text the content of the snapshot for every name that has been used.
  [[nodiscard]] std::string seen(const DirectorySnapshot& snapshot) const {
    std::string text = snapshot.has_several_accounts() ? "several accounts\n" : "";
    for (const auto* site : snapshot.all_sites()) {
      text += std::to_string(site->id) + " " + site->domain + " of " +
              std::to_string(snapshot.account_of(site->id)) + ":";
      for (const auto& goal : snapshot.goals(site->id)) text += " goal " + goal.value;
      for (int i = 0; i < kNames; ++i) {
        const auto name = "n" + std::to_string(i);
        if (const auto* link = snapshot.link_named(site->id, name)) {
          text += " link " + link->token;
          CHECK(snapshot.link(site->id, link->token) == link);
        }
        const auto* filter = snapshot.filter(site->id);
        if (filter != nullptr && filter->excludes_page("a", "/" + name)) text += " without " + name;
      }
      text += "\n";
    }
    for (int i = 0; i < kNames; ++i) {
      const auto domain = "d" + std::to_string(i) + ".example";
      const auto* site = snapshot.site(domain);
      const auto* collects = snapshot.collecting_site(domain, kNow);
      text += domain + " " + std::to_string(site == nullptr ? 0 : site->id) + " " +
              std::to_string(collects == nullptr ? 0 : collects->id) + "\n";
    }
    for (AccountId account = 1; account <= 3; ++account) {
      text += "account " + std::to_string(account) + ":";
      for (const auto* site : snapshot.sites_of(account)) text += " " + site->domain;
      for (int i = 0; i < kNames; ++i) {
        const auto* link = snapshot.account_link_named(account, "n" + std::to_string(i));
        if (link != nullptr) text += " link " + link->token;
      }
      text += "\n";
    }
    for (int i = 1; i <= secrets_; ++i) {
      const auto each = "s" + std::to_string(i);
      if (const auto* key = snapshot.key(sha256(each))) text += "key " + key->account_name + "\n";
      if (const auto* link = snapshot.account_link(each)) text += "opens " + link->name + "\n";
    }
    return text;
  }

 private:
  using hours = std::chrono::hours;

  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string domain() { return "d" + std::to_string(any(kNames)) + ".example"; }
  std::string account() { return "account" + std::to_string(any(3)); }
  std::string secret() { return "s" + std::to_string(++secrets_); }

  sqlite::Registry& registry_;
  std::mt19937 random_;
  UnixSeconds now_ = kNow;
  int secrets_ = 0;
};

}  // namespace

TEST_CASE("directory: a snapshot with the changes applied equals a newly read one", "[ingest]") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    TempFolder folder;
    const auto backend = sqlite::open_backend(folder / "store", {});
    auto& registry = backend->registry();
    Changer changer(registry, seed);
    DirectorySnapshot snapshot(registry.directory().value());
    for (int round = 0; round < 60; ++round) {
      const auto before = snapshot;
      const auto seen_before = changer.seen(before);
      for (int i = 0; i < 1 + round % 5; ++i) changer.change();
      const DirectorySnapshot whole(registry.directory().value());
      if (auto change = registry.take_changes().value()) {
        snapshot = snapshot.with(std::move(*change));
      }
      REQUIRE(changer.seen(snapshot) == changer.seen(whole));
      CHECK_FALSE(registry.take_changes().value());
      CHECK(changer.seen(before) == seen_before);
    }
  }
}

}  // namespace analytics::test::site_directory_test
