#include "daemon/store/sqlite/registry/shared_registry.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <memory>

#include <sqlite3.h>

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/removal/site_purge.h"
#include "daemon/store/sqlite/tables/first_events.h"

namespace analytics::sqlite {
namespace {

using store::RegistryChange;
using store::RegistryStep;
using store::Revision;

constexpr std::array kShared = {"accounts",      "api_keys",   "sites",
                                "site_aliases",  "goals",      "shared_links",
                                "account_links", "exclusions", "funnels"};
// Tables whose rows give access to data. Deleting or changing such a row may take access away.
constexpr std::array<std::string_view, 3> kAdmitting = {"api_keys", "shared_links",
                                                        "account_links"};
constexpr std::string_view kSites = "sites";
// Indexes of two columns of the table sites.
constexpr int kSiteAccount = 1;
constexpr int kSiteDomain = 2;

struct Free {
  void operator()(sqlite3_session* session) const { sqlite3session_delete(session); }
  void operator()(sqlite3_changeset_iter* at) const { sqlite3changeset_finalize(at); }
  void operator()(void* memory) const { sqlite3_free(memory); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

/// While it exists, records all changes to the rows of the shared tables.
class Recording {
 public:
  explicit Recording(Connection& connection) {
    sqlite3_session* session = nullptr;
    check(sqlite3session_create(connection.handle(), "main", &session), "session");
    session_.reset(session);
    for (const auto* table : kShared) check(sqlite3session_attach(session, table), table);
  }
  /// Returns the recorded changes as a patchset: new values in full, but only the primary keys of
  /// old rows.
  [[nodiscard]] std::string patchset() { return made_by(sqlite3session_patchset); }
  /// Returns the recorded changes as a changeset, with all values of old rows, so that it can be
  /// inverted.
  [[nodiscard]] std::string changeset() { return made_by(sqlite3session_changeset); }

 private:
  [[nodiscard]] std::string made_by(int (*make)(sqlite3_session*, int*, void**)) {
    int size = 0;
    void* bytes = nullptr;
    check(make(session_.get(), &size, &bytes), "changes of rows");
    const Owned<void> owned(bytes);
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
  }

  Owned<sqlite3_session> session_;
};

/// Returns the bytes as a non-const pointer, as the session extension requires although it only
/// reads.
void* bytes_for_reading(const std::string& rows) { return const_cast<char*>(rows.data()); }

/// Calls `look` for each changed row in a changeset or patchset, with the row's table, number of
/// columns, operation and iterator.
template <typename Look>
void each_row(const std::string& rows, const Look& look) {
  sqlite3_changeset_iter* start = nullptr;
  check(sqlite3changeset_start(&start, static_cast<int>(rows.size()), bytes_for_reading(rows)),
        "rows of a change");
  const Owned<sqlite3_changeset_iter> at(start);
  int state = SQLITE_ROW;
  while ((state = sqlite3changeset_next(at.get())) == SQLITE_ROW) {
    const char* table = nullptr;
    int columns = 0;
    int operation = 0;
    check(sqlite3changeset_op(at.get(), &table, &columns, &operation, nullptr),
          "a row of a change");
    look(std::string_view(table), columns, operation, at.get());
  }
  if (state != SQLITE_DONE) check(state, "rows of a change");
}

/// Returns the id of the site that the change at the iterator deletes.
SiteId deleted_site(sqlite3_changeset_iter* at) {
  sqlite3_value* id = nullptr;
  check(sqlite3changeset_old(at, 0, &id), "a deleted site");
  return sqlite3_value_int64(id);
}

/// Returns true if the change at the iterator sets a new value in the column.
bool has_new(sqlite3_changeset_iter* at, int column) {
  sqlite3_value* value = nullptr;
  return sqlite3changeset_new(at, column, &value) == SQLITE_OK && value != nullptr;
}

/// Returns true if the changes in `rows` may take away access from a key or a shared link.
bool withdraws(const std::string& rows) {
  bool found = false;
  each_row(rows, [&](std::string_view table, int, int operation, sqlite3_changeset_iter* at) {
    const bool admits = std::find(kAdmitting.begin(), kAdmitting.end(), table) != kAdmitting.end();
    const bool is_other = operation == SQLITE_DELETE || has_new(at, kSiteAccount) ||
                          has_new(at, kSiteDomain);  // an API key may be limited to a domain
    found = found || (admits && operation != SQLITE_INSERT) ||
            (table == kSites && operation != SQLITE_INSERT && is_other);
  });
  return found;
}

int columns_of(Connection& connection, const std::string& table) {
  Statement count(connection, "SELECT count(*) FROM pragma_table_info(?)");
  auto rows = count.query(table);
  return rows.next() ? static_cast<int>(rows.int64(0)) : 0;
}

/// Throws Error kInvalidParameter if the data stored for a site would become the data of another
/// site, because the cluster's registry has given the id of the first site to the other one.
void refuse_others(const std::vector<Site>& before, const std::vector<Site>& after) {
  std::map<SiteId, const Site*> known;
  for (const auto& site : before) known[site.id] = &site;
  for (const auto& site : after) {
    const auto found = known.find(site.id);
    if (found == known.end() || found->second->created_at == site.created_at) continue;
    throw Error{ErrorCode::kInvalidParameter,
                "The registry has given the number of this node's site " + found->second->domain +
                    " to " + site.domain + ": this node must begin with an empty database.",
                {}};
  }
}

/// Conflict handler that aborts the changes. Copies of the registry that went through the same
/// changes have no conflicts.
int refuse_conflict(void*, int, sqlite3_changeset_iter*) { return SQLITE_CHANGESET_ABORT; }

constexpr std::size_t kNumberBytes = sizeof(std::uint64_t);

std::string bytes_of(const Revision& revision) {
  std::string bytes(kNumberBytes + sizeof(Digest), '\0');
  std::memcpy(bytes.data(), &revision.number, kNumberBytes);
  std::memcpy(bytes.data() + kNumberBytes, revision.id.data(), sizeof(Digest));
  return bytes;
}

std::optional<Revision> read_revision(Connection& connection) {
  Statement select(connection, "SELECT value FROM meta WHERE name = 'registry_revision'");
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  const auto bytes = rows.blob(0);
  Revision revision;
  if (bytes.size() != kNumberBytes + sizeof(Digest)) return std::nullopt;
  std::memcpy(&revision.number, bytes.data(), kNumberBytes);
  std::memcpy(revision.id.data(), bytes.data() + kNumberBytes, sizeof(Digest));
  return revision;
}

}  // namespace

Status note_deleted_sites(const RegistryChange& change, std::set<SiteId>& deleted) {
  if (change.rows.empty()) return {};
  return guarded([&] {
    each_row(change.rows, [&](std::string_view table, int, int operation, auto* at) {
      if (table != kSites) return;
      if (operation == SQLITE_DELETE) deleted.insert(deleted_site(at));
      if (operation != SQLITE_INSERT) return;
      sqlite3_value* id = nullptr;
      check(sqlite3changeset_new(at, 0, &id), "a site that is made");
      deleted.erase(sqlite3_value_int64(id));
    });
  });
}

SharedRegistry::SharedRegistry(Connection& connection, Sites& sites, Keys& keys,
                               store::ChangedOwners& changed)
    : connection_(connection),
      sites_(sites),
      keys_(keys),
      changed_(changed),
      revision_(read_revision(connection)) {}

Result<bool> SharedRegistry::is_empty() {
  // A registry that ever gave out ids is not empty, because a deleted site may have left data
  // under an id that would be given again.
  return guarded([&] { return read_rows().empty() && read_spent().empty(); });
}

Result<RegistryChange> SharedRegistry::draft(const std::function<void()>& change) {
  return guarded([&] {
    const Transaction taken_back(connection_);
    Recording recording(connection_);
    change();
    RegistryChange made;
    made.rows = recording.patchset();
    made.withdraws = withdraws(made.rows);
    return made;
  });
}

Status SharedRegistry::apply(std::span<const RegistryStep> steps) {
  if (steps.empty()) return {};
  const auto change = [&] {
    if (!revision_) {
      connection_.execute(
          "INSERT OR REPLACE INTO meta(name, value) VALUES('registry_joined_at',"
          " unixepoch() - 60)");
      forget_removals();  // the steps begin with the first revision and contain all removals
    }
    carry_out(steps, revision_ ? revision_->number : 0);
    begin_removals(steps);
  };
  TRY(in_transaction(connection_, change));
  revision_ = steps.back().revision;
  changed_ = store::ChangedOwners::all();
  return {};
}

/// Applies changes to the registry inside a transaction. `before`: number of the revision before
/// the first step.
void SharedRegistry::carry_out(std::span<const RegistryStep> steps, std::uint64_t before) {
  for (const auto& [revision, change] : steps) {
    if (revision.number != ++before) {
      throw Error{ErrorCode::kInternal, "a change of the registry is missing", {}};
    }
    write_rows(change.rows);
    raise_spent(change.spent);
  }
  write_revision(steps.back().revision);
}

void SharedRegistry::write_rows(const std::string& rows) {
  if (rows.empty()) return;
  std::vector<SiteId> gone;
  std::map<std::string, int, std::less<>> columns;
  each_row(rows, [&](std::string_view table, int width, int operation, sqlite3_changeset_iter* at) {
    if (std::find(kShared.begin(), kShared.end(), table) == kShared.end()) width = INT_MAX;
    const auto known = columns.try_emplace(std::string(table), 0).first;
    if (known->second == 0) known->second = columns_of(connection_, known->first);
    if (width > known->second) {
      throw Error{ErrorCode::kInvalidParameter,
                  "The registry was changed by a newer version of analyticsd.",
                  {}};
    }
    if (table == kSites && operation == SQLITE_DELETE) gone.push_back(deleted_site(at));
  });
  const int code =
      sqlite3changeset_apply(connection_.handle(), static_cast<int>(rows.size()),
                             bytes_for_reading(rows), nullptr, refuse_conflict, nullptr);
  if (code == SQLITE_ABORT) {
    throw Error{ErrorCode::kInternal, "this copy of the registry differs from the cluster's", {}};
  }
  check(code, "a change of the registry");
  for (const auto site : gone) sites_.forget_site(site);
}

std::map<std::string, std::int64_t> SharedRegistry::read_spent() {
  Statement select(connection_, "SELECT seq FROM sqlite_sequence WHERE name = ?");
  std::map<std::string, std::int64_t> all;
  for (const auto* table : kShared) {
    auto rows = select.query(table);
    if (rows.next() && rows.int64(0) > 0) all[table] = rows.int64(0);
  }
  return all;
}

void SharedRegistry::raise_spent(const std::map<std::string, std::int64_t>& spent) {
  Statement raise(connection_, "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
  Statement add(connection_, "INSERT INTO sqlite_sequence(name, seq) VALUES(?1, ?2)");
  for (const auto& [table, number] : spent) {
    if (std::find(kShared.begin(), kShared.end(), table) == kShared.end()) continue;
    raise.run(table, number);
    if (connection_.changes() == 0) add.run(table, number);
  }
}

void SharedRegistry::write_revision(const Revision& revision) {
  Statement write(connection_,
                  "INSERT OR REPLACE INTO meta(name, value) VALUES('registry_revision', ?)");
  const auto bytes = bytes_of(revision);
  write.run(sqlite::bytes_of(std::string_view(bytes)));
}

/// Returns all rows of the shared tables as a changeset that would create them.
std::string SharedRegistry::read_rows() {
  // A session cannot record rows that already exist. So delete them all, which the session records
  // in full, invert the deletions into insertions, and roll back.
  const Transaction taken_back(connection_);
  Recording recording(connection_);
  empty_tables();
  const auto deletions = recording.changeset();
  int size = 0;
  void* inverse = nullptr;
  check(sqlite3changeset_invert(static_cast<int>(deletions.size()), bytes_for_reading(deletions),
                                &size, &inverse),
        "changeset");
  const Owned<void> owned(inverse);
  return {static_cast<const char*>(inverse), static_cast<std::size_t>(size)};
}

void SharedRegistry::empty_tables() {
  for (const auto* table : kShared) connection_.execute(std::string("DELETE FROM ") + table);
}

Result<RegistryChange> SharedRegistry::whole() {
  return guarded([&] {
    RegistryChange all;
    all.spent = read_spent();
    all.rows = read_rows();
    return all;
  });
}

Result<std::map<std::string, std::int64_t>> SharedRegistry::spent() {
  return guarded([&] { return read_spent(); });
}

Result<std::vector<store::BegunImport>> SharedRegistry::imports() {
  return guarded([&] {
    Statement select(connection_, "SELECT site, name, log, elsewhere FROM imports");
    return read_all(select.query(), [](const Rows& row) {
      return store::BegunImport{row.int64(0), row.text(1), row.text(2), row.int64(3) == 0};
    });
  });
}

Status SharedRegistry::replace(std::span<const RegistryStep> steps) {
  if (steps.empty()) return {};
  const auto change = [&] {
    // The steps do not contain when a key was last used, because every store records that for
    // itself.
    std::vector<store::KeyUse> uses;
    for (const auto& key : keys_.load()) {
      if (key.last_used_at) uses.push_back({key.id, *key.last_used_at});
    }
    store::Directory before;
    sites_.add_to(before, store::ChangedOwners::all());
    if (SitePurge::is_any_due(connection_)) {
      throw Error{ErrorCode::kOverloaded,
                  "The data of deleted sites is still being removed; try again in a minute.",
                  {}};
    }
    empty_tables();
    carry_out(steps, 0);
    store::Directory after;
    sites_.add_to(after, store::ChangedOwners::all());
    refuse_others(before.sites, after.sites);
    FirstEvents first_events(connection_);
    for (const auto& site : before.sites) {
      if (site.first_event_at) first_events.set(site.id, seconds(*site.first_event_at));
    }
    if (auto noted = keys_.record_key_use(uses); !noted) throw Error(noted.error());
    begin_removals(steps);
  };
  TRY(in_transaction(connection_, change));
  revision_ = steps.back().revision;
  changed_ = store::ChangedOwners::all();
  return {};
}

Status SharedRegistry::leave() {
  auto left = in_transaction(connection_, [&] {
    connection_.execute("DELETE FROM meta WHERE name = 'registry_revision'");
    forget_removals();
  });
  if (left) revision_.reset();
  return left;
}

}  // namespace analytics::sqlite
