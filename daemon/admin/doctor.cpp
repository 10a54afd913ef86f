#include "daemon/admin/doctor.h"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "common/wire/event_outcome.h"

namespace analytics::admin {
namespace {

using std::chrono::days;
using Level = Finding::Level;

// Age of a site's last event above which the site is reported as silent.
constexpr std::chrono::hours kSilent{24};
constexpr days kOldBackup{2};
constexpr days kOldUserAgents{2 * 365};
constexpr days kOldPlaces{180};
constexpr days kExpiresSoon{14};
constexpr std::uint64_t kLittleDisk = 1'000'000'000;

std::string_view name_of(Level level) {
  switch (level) {
    case Level::kOk: return "ok";
    case Level::kNote: return "note";
    case Level::kProblem: return "problem";
  }
  return {};
}

/// Returns the count with its noun: "1 event", "2 events".
std::string count_of(std::int64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// Returns the duration in words, such as "3 minutes".
std::string length_of(std::chrono::seconds time) {
  const auto seconds = std::max<std::int64_t>(time.count(), 0);
  if (seconds < 120) return count_of(seconds, "second");
  if (seconds < 7'200) return count_of(seconds / 60, "minute");
  if (seconds < 172'800) return count_of(seconds / 3'600, "hour");
  return count_of(seconds / 86'400, "day");
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

/// Returns the advice for events that were dropped for this reason; empty if there is nothing to
/// do.
std::string_view remedy_of(EventOutcome reason) {
  switch (reason) {
    case EventOutcome::kThrottled:
      return "over max_events_per_minute: raise it, or find out who sends so many";
    case EventOutcome::kTextBudget:
      return "stored with a text replaced by (other): raise max_new_texts_per_day if they are real";
    case EventOutcome::kNoVisit:
      return "engagement before its pageview, which it waits for: is the tracker on all pages?";
    case EventOutcome::kExpired: return "older than the site keeps: see keep";
    case EventOutcome::kExcluded: return "excluded: see `analytics sites exclude list`";
    case EventOutcome::kStored:
    case EventOutcome::kDuplicate:
    case EventOutcome::kUnknownSite:
    case EventOutcome::kBot:
    case EventOutcome::kSpamReferrer: return {};
  }
  return {};
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("[::1]") ||
         address.starts_with("localhost:");
}

/// Turns facts into findings. Each look_at_… function adds the findings on one subject.
class Examination {
 public:
  explicit Examination(const Facts& facts) : facts_(facts) {}

  std::vector<Finding> run() {
    look_at_daemon();
    look_at_cluster();
    look_at_proxies();
    look_at_paths();
    look_at_files();
    look_at_data_files();
    look_at_keys();
    look_at_sites();
    return std::move(findings_);
  }

 private:
  void add(Level level, std::string subject, std::string text) {
    findings_.push_back({level, std::move(subject), std::move(text)});
  }
  [[nodiscard]] double metric(const std::string& name) const {
    if (!facts_.metrics) return 0;
    const auto at = facts_.metrics->find(name);
    return at == facts_.metrics->end() ? 0 : at->second;
  }
  [[nodiscard]] std::chrono::seconds since(UnixSeconds time) const { return facts_.now - time; }

  void look_at_daemon();
  void look_at_cluster();
  void look_at_proxies();
  void look_at_paths();
  void look_at_files();
  void look_at_data_files();
  void look_at_keys();
  void look_at_sites();
  void look_at_site(const store::Overview::Site& site);

  const Facts& facts_;
  std::vector<Finding> findings_;
};

void Examination::look_at_daemon() {
  add(Level::kOk, "settings",
      facts_.settings_file.empty() ? "no file; the defaults hold" : facts_.settings_file);
  if (!facts_.metrics) {
    add(Level::kProblem, "daemon", "does not run, so events are lost: systemctl status analyticsd");
  } else if (metric("analytics_healthy") < 1) {
    add(Level::kProblem, "daemon", "runs and cannot store events: see its log");
  } else {
    const auto started = UnixSeconds(
        std::chrono::seconds(static_cast<std::int64_t>(metric("process_start_time_seconds"))));
    add(Level::kOk, "daemon", "has run for " + length_of(since(started)));
  }
  if (facts_.is_clock_synchronised) {
    add(Level::kOk, "clock", "is synchronised");
  } else {
    add(Level::kNote, "clock",
        "no service is known to synchronise it, and events get its time: install systemd-timesyncd "
        "or chrony, unless the machine's host synchronises it");
  }
}

void Examination::look_at_cluster() {
  const bool is_node = facts_.metrics && facts_.metrics->contains("analytics_cluster_up");
  if (!is_node) return;
  const auto waiting =
      count_of(static_cast<std::int64_t>(metric("analytics_cluster_unshipped_events")), "event");
  if (metric("analytics_cluster_up") < 1) {
    add(Level::kProblem, "cluster",
        "events are kept and not shipped, and " + waiting + " wait: see the daemon's log");
  } else {
    add(Level::kOk, "cluster", "events are shipped; " + waiting + " wait");
  }
  if (!facts_.metrics->contains("analytics_cluster_registry_up")) return;
  if (metric("analytics_cluster_registry_up") < 1) {
    add(Level::kProblem, "registry",
        "the cluster's registry is not followed, and calls with keys are refused after 60 seconds: "
        "see the daemon's log");
  } else {
    add(Level::kOk, "registry", "the cluster's registry is followed");
  }
}

void Examination::look_at_proxies() {
  const auto count = [&](const char* name, const char* thing) {
    return count_of(static_cast<std::int64_t>(metric(name)), thing);
  };
  if (metric("analytics_unverified_events_total") > 0) {
    add(Level::kProblem, "proxies",
        count("analytics_unverified_events_total", "event") +
            " came with X-Forwarded-For and no proxy is trusted: anybody can forge visitors; set "
            "trusted_proxies");
  } else if (metric("analytics_sites_with_one_address") > 0) {
    add(Level::kProblem, "proxies",
        "nearly all events of " + count("analytics_sites_with_one_address", "site") +
            " come from one address: is the proxy in trusted_proxies, and does it send "
            "X-Forwarded-For?");
  } else if (facts_.trusted_proxies == 0) {
    add(Level::kNote, "proxies",
        "none is trusted, which is right only if visitors connect to analyticsd themselves");
  } else {
    add(Level::kOk, "proxies",
        std::to_string(facts_.trusted_proxies) + " networks are trusted; addresses differ");
  }
  for (const auto& address : facts_.listen) {
    if (is_loopback(address)) continue;
    add(Level::kNote, "listen",
        "plain HTTP on " + address + ": keys and pages travel readable without a proxy for TLS");
  }
  if (facts_.base_url.empty()) {
    add(Level::kNote, "base_url",
        "is not set: shared links begin with the address that analyticsd listens on");
  } else {
    add(Level::kOk, "base_url", facts_.base_url);
  }
}

void Examination::look_at_paths() {
  const auto count = static_cast<std::int64_t>(metric("analytics_unknown_paths_total"));
  if (count == 0) return;
  add(Level::kNote, "paths",
      count_of(count, "request") + " asked for a path below /api that does not exist, lately " +
          join(facts_.unknown_paths, ", ") +
          ": correct the client's base URL, or see analytics-plausible(7)");
}

void Examination::look_at_files() {
  add(Level::kOk, "database", facts_.database + ", " + megabytes(facts_.database_bytes));
  for (const auto& problem : facts_.location_problems) add(Level::kProblem, "database", problem);
  const auto free = megabytes(facts_.free_disk) + " are free";
  if (facts_.free_disk < facts_.min_free_disk) {
    add(Level::kProblem, "disk", free + ", too few: health is 503, and soon no event is stored");
  } else if (facts_.free_disk < kLittleDisk) {
    add(Level::kNote, "disk", free + ", which is little");
  } else {
    add(Level::kOk, "disk", free);
  }
  const auto& backup = facts_.stored.last_backup;
  if (!backup) {
    add(Level::kProblem, "backup",
        "no backup was made: systemctl enable --now analyticsd-backup.timer, or analyticsd backup");
  } else {
    const bool is_old = since(*backup) > kOldBackup;
    add(is_old ? Level::kProblem : Level::kOk, "backup",
        "the last one is " + length_of(since(*backup)) + " old");
  }
}

void Examination::look_at_data_files() {
  const auto look = [&](const char* subject, const Facts::DataFile& data, days most,
                        const char* without) {
    if (data.file.empty()) return add(Level::kNote, subject, std::string("no file: ") + without);
    if (!data.made_at) {
      return add(Level::kProblem, subject, data.file + " cannot be read: " + without);
    }
    const auto age = since(*data.made_at);
    const auto text = data.file + " is " + length_of(age) + " old";
    add(age > most ? Level::kNote : Level::kOk, subject,
        text + (age > most ? ": what is new since then is not recognised" : ""));
  };
  look("browsers", facts_.user_agents, kOldUserAgents,
       "browsers, systems and most bots are unknown; install the package uap-core");
  look("places", facts_.places, kOldPlaces,
       "countries are unknown; see geoip in analyticsd.toml(5)");
}

void Examination::look_at_keys() {
  for (const auto& key : facts_.stored.keys) {
    if (!key.expires_at) continue;
    const auto left = *key.expires_at - facts_.now;
    const auto name = key.prefix + "… of " + key.account;
    if (left.count() <= 0) {
      add(Level::kNote, "key", name + " has expired: analyticsd keys revoke removes it");
    } else if (left < kExpiresSoon) {
      add(Level::kNote, "key",
          name + " expires in " + length_of(left) + ": analyticsd keys rotate makes its successor");
    }
  }
  if (facts_.stored.keys.empty()) {
    add(Level::kNote, "key", "no key exists: analyticsd keys create --account NAME");
  }
}

void Examination::look_at_sites() {
  if (facts_.stored.sites.empty()) {
    add(Level::kNote, "sites", "no site exists: analytics sites create DOMAIN");
  }
  for (const auto& site : facts_.stored.sites) look_at_site(site);
  for (const auto& unknown : facts_.stored.unknown_sites) {
    add(Level::kNote, "site " + unknown.domain,
        "does not exist; for it came " + count_of(unknown.count, "event") +
            ": create it, or correct data-domain on its pages");
  }
}

void Examination::look_at_site(const store::Overview::Site& site) {
  const auto subject = "site " + site.domain;
  if (!site.last_event) {
    add(Level::kNote, subject, "has had no event yet: is the tracker on its pages?");
  } else {
    const auto age = since(*site.last_event);
    const bool is_silent = age > kSilent;
    add(is_silent ? Level::kNote : Level::kOk, subject,
        "had its last event " + length_of(age) + " ago" +
            (is_silent ? ": is the tracker still on its pages?" : ""));
  }
  for (const auto& drop : facts_.stored.drops) {
    if (drop.domain != site.domain) continue;
    const auto remedy = remedy_of(drop.reason);
    add(remedy.empty() ? Level::kOk : Level::kNote, subject,
        count_of(drop.count, "event") +
            " of the last day: " + std::string(outcome_name(drop.reason)) +
            (remedy.empty() ? "" : "; ") + std::string(remedy));
  }
}

}  // namespace

std::vector<Finding> examine(const Facts& facts) { return Examination(facts).run(); }

std::string format_findings(const std::vector<Finding>& findings, bool is_json) {
  if (is_json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [level, subject, text] : findings) {
      list.push_back({{"level", name_of(level)}, {"subject", subject}, {"text", text}});
    }
    return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  std::string lines;
  for (const auto& [level, subject, text] : findings) {
    auto word = std::string(name_of(level));
    word.resize(std::string_view("problem").size(), ' ');
    lines += word + "  " + visible(subject) + ": " + visible(text) + "\n";
  }
  return lines;
}

std::map<std::string, double> read_metrics(std::string_view text) {
  std::map<std::string, double> values;
  for (const auto line : split(text, '\n')) {
    const auto space = line.find(' ');
    if (line.starts_with('#') || space == std::string_view::npos) continue;
    const auto name = line.substr(0, space);
    if (name.find('{') != std::string_view::npos) continue;
    values.emplace(name, std::strtod(std::string(line.substr(space + 1)).c_str(), nullptr));
  }
  return values;
}

}  // namespace analytics::admin
