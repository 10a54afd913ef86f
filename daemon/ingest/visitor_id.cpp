#include "daemon/ingest/visitor_id.h"

#include <algorithm>
#include <string>

#include <libpsl.h>

namespace analytics {
namespace {

// Maximum number of days in the caches; bounds memory during a long import.
constexpr std::size_t kMaxCached = 1'000;

/// Returns the registrable domain of a host, such as "example.co.uk", as a view that is valid until
/// the next call on this thread. Remembers the last host, because events that arrive together
/// mostly have the same one.
std::string_view registrable_domain(std::string_view hostname) {
  struct Found {
    std::string host;
    std::size_t begin = 0;  ///< Offset of the domain in `host`.
  };
  thread_local Found last;
  if (last.host != hostname) {
    last.host = hostname;
    const auto* host = last.host.c_str();
    const auto* list = psl_builtin();
    const auto* domain = list == nullptr ? nullptr : psl_registrable_domain(list, host);
    last.begin = domain == nullptr ? 0 : static_cast<std::size_t>(domain - host);
  }
  return std::string_view(last.host).substr(last.begin);
}

}  // namespace

Digest visitor_identity(std::string_view address, std::string_view user_agent, SiteId site,
                        std::string_view hostname) {
  return digest_of({address, user_agent, std::to_string(site), registrable_domain(hostname)});
}

Status VisitorIds::prepare(const std::set<Days>& days, UnixSeconds now) {
  std::vector<store::SaltDay> missing;
  for (const auto day : days) {
    if (!salts_.contains(day)) missing.push_back({day, store::salt_expiry(day, now)});
  }
  if (missing.empty()) return {};
  const auto keys = TRY(store_.ensure(missing));
  // Full caches are emptied only here, so that the salts of a request stay until the request is
  // done.
  if (salts_.size() + without_salt_.size() >= kMaxCached) forget();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    salts_.emplace(missing[i].day, keys[i]);
    without_salt_.erase(missing[i].day);
  }
  return {};
}

void VisitorIds::forget() {
  for (auto& [day, salt] : salts_) salt.fill(0);
  salts_.clear();
  without_salt_.clear();
}

Result<std::uint64_t> VisitorIds::id(const Digest& identity, Days day, UnixSeconds now) {
  auto found = salts_.find(day);
  if (found == salts_.end()) {
    TRY(prepare({day}, now));
    found = salts_.find(day);
  }
  return keyed_hash(found->second, identity.data(), identity.size());
}

Result<std::uint64_t> VisitorIds::id_if_seen(const Digest& identity, Days day) {
  auto found = salts_.find(day);
  if (found == salts_.end()) {
    if (without_salt_.contains(day)) return 0;
    const auto salt = TRY(store_.find(day));
    if (!salt) {
      without_salt_.insert(day);
      return 0;
    }
    found = salts_.emplace(day, *salt).first;
  }
  return keyed_hash(found->second, identity.data(), identity.size());
}

Result<VisitKeys> VisitorIds::keys(const Digest& identity, const Activity& activity,
                                   std::chrono::minutes reach, UnixSeconds now) {
  const auto day = std::chrono::floor<std::chrono::days>(activity.to);
  const auto own = TRY(id(identity, day, now));
  VisitKeys keys{own};
  const auto look = [&](UnixMillis other, std::uint64_t& key) -> Status {
    constexpr std::chrono::days kDay{1};
    const auto beside = std::clamp<UnixMillis>(other, day - kDay, day + kDay);
    const auto there = std::chrono::floor<std::chrono::days>(beside);
    if (there == day) return {};
    const bool was_active = there < day && activity.from < day;
    key = TRY(was_active ? id(identity, there, now) : id_if_seen(identity, there));
    return {};
  };
  TRY(look(activity.from - reach, keys.before));
  TRY(look(activity.to + reach, keys.after));
  return keys;
}

Result<bool> VisitorIds::destroy_old(UnixSeconds now) {
  forget();  // salts that are not destroyed are read again when they are needed
  return store_.destroy_expired(now);
}

}  // namespace analytics
