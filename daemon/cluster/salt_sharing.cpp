#include "daemon/cluster/salt_sharing.h"

namespace analytics::cluster {
namespace {

using std::chrono::days;

// Pause between exchanges of salts.
constexpr std::chrono::seconds kBetween{60};
// Salts are shared this many days ahead. If the registry is unreachable for longer, each node
// makes its own salts.
constexpr days kAhead{3};
// Yesterday's salt is shared too, because some of the day's events still arrive.
constexpr days kBehind{1};
// Number of days whose salts are fetched if an import needs the salt of the first, because it
// usually needs those of the following days too.
constexpr days kMonth{31};
constexpr std::size_t kDateLength = 10;  // length of "2026-11-26"
// Maximum number of salts that one share() fetches. Other work waits meanwhile.
constexpr std::size_t kDaysAtOnce = 100;

std::string text_of(Days day) { return format_rfc3339(UnixSeconds(day)).substr(0, kDateLength); }

}  // namespace

SaltSharing::SaltSharing(Parts parts, std::string_view secret)
    : parts_(std::move(parts)), box_(secret) {}

UnixSeconds SaltSharing::now() const {
  return std::chrono::floor<std::chrono::seconds>(parts_.clock.now());
}

Days SaltSharing::today() const { return std::chrono::floor<days>(now()); }

std::optional<Error> SaltSharing::refusal_of(const std::set<Days>& all) {
  const auto first_kept = today() - kBehind;
  const auto time = now();
  std::optional<Error> refusal;
  {
    const std::lock_guard lock(mutex_);
    for (const auto day : all) {
      if (day >= first_kept) continue;
      const auto found = past_.find(day);
      if (found != past_.end() && found->second > time) continue;
      for (auto each = day; each < first_kept && each < day + kMonth; each += days(1)) {
        wanted_.insert(each);
      }
      refusal = Error{ErrorCode::kRegistryStale,
                      "The salt of " + text_of(day) +
                          " is being fetched from the cluster's registry; try again.",
                      {}};
    }
  }
  if (refusal) parts_.wake();
  return refusal;
}

Status SaltSharing::share(RegistryLog& log) {
  std::set<Days> wanted;
  {
    const std::lock_guard lock(mutex_);
    for (const auto day : wanted_) {
      if (wanted.size() < kDaysAtOnce) wanted.insert(wanted.end(), day);
    }
  }
  const auto time = std::chrono::steady_clock::now();
  const bool is_due = time >= next_;
  if (wanted.empty() && !is_due) return {};
  if (is_due) {
    TRY(log.destroy_salts(now()));
    for (auto day = today() - kBehind; day <= today() + kAhead; day += days(1)) wanted.insert(day);
  }
  TRY(share_days(log, wanted));
  if (is_due) next_ = time + kBetween;
  const std::lock_guard lock(mutex_);
  for (const auto day : wanted) wanted_.erase(day);
  if (!wanted_.empty()) parts_.wake();
  return {};
}

Status SaltSharing::share_days(RegistryLog& log, const std::set<Days>& all) {
  const std::vector<Days> wanted(all.begin(), all.end());
  std::map<Days, store::Salt> offered;
  const auto read_known = [&]() -> Status {
    const auto salts = TRY(parts_.salts.known(wanted));
    for (const auto& salt : salts) offered[salt.of.day] = salt;
    return {};
  };
  TRY(parts_.on_writer(read_known));
  std::vector<WrappedSalt> wrapped;
  for (const auto day : wanted) {
    const auto [at, is_new] = offered.try_emplace(day);
    if (is_new) at->second = {{day, store::salt_expiry(day, now())}, random_hash_key()};
    const auto& salt = at->second;
    wrapped.push_back({day, box_.wrap(day, salt.value), salt.of.expires_at});
  }
  const auto kept = TRY(log.keep_salts(wrapped));
  std::vector<store::Salt> salts;
  for (const auto& salt : kept) {
    const auto value = box_.unwrap(salt.day, salt.wrapped);
    if (!value) {
      return fail(ErrorCode::kInvalidParameter,
                  "The registry's salts are wrapped with another key: cluster.key_file must have"
                  " the same contents on every node.");
    }
    salts.push_back({{salt.day, salt.expires_at}, *value});
  }
  const auto add = [&]() -> Status {
    const auto others = TRY(parts_.salts.add(salts));
    note_others(others);
    return {};
  };
  TRY(parts_.on_writer(add));
  const std::lock_guard lock(mutex_);
  std::erase_if(past_, [&](const auto& each) { return each.second <= now(); });
  for (const auto& salt : salts) past_[salt.of.day] = salt.of.expires_at;
  return {};
}

void SaltSharing::note_others(const std::vector<Days>& days) {
  for (const auto day : days) {
    if (!others_.insert(day).second) continue;
    parts_.log.warn(
        "the salt of a day was made here while the registry was away: visitors of that"
        " day who come through several nodes count once for each",
        {{"day", text_of(day)}});
  }
}

}  // namespace analytics::cluster
