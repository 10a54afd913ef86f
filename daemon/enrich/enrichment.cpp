#include "daemon/enrich/enrichment.h"

#include "common/io/program.h"
#include "common/text/local_time.h"

namespace analytics {
namespace {

std::optional<std::filesystem::file_time_type> stamp_of(const std::filesystem::path& file) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(file, missing);
  return missing ? std::nullopt : std::optional(time);
}

std::string day_of(std::filesystem::file_time_type time) {
  const auto made = std::chrono::file_clock::to_sys(time);
  return format_day(std::chrono::floor<std::chrono::days>(made));
}

constexpr char kNoUserAgents[] =
    "browsers and systems are recognised by the file loaded before, or recorded as unknown";

}  // namespace

std::filesystem::path default_user_agents() {
  std::error_code unknown;
  const auto beside = beside_program("share/uap-core/regexes.yaml");
  return std::filesystem::exists(beside, unknown) ? beside : "/usr/share/uap-core/regexes.yaml";
}

std::optional<double> Enricher::user_agents_age() const {
  const std::scoped_lock lock(mutex_);
  if (!stamps_.user_agents) return std::nullopt;
  const auto age = std::filesystem::file_time_type::clock::now() - *stamps_.user_agents;
  return std::chrono::duration<double>(age).count();
}

Enricher::Enricher(EnrichmentFiles files, Log& log) : log_(log), files_(std::move(files)) {
  first_notes_ = read(Occasion::kStart);
}

void Enricher::announce() { write(log_, std::exchange(first_notes_, {})); }

void Enricher::reload(EnrichmentFiles files) {
  {
    const std::scoped_lock lock(mutex_);
    files_ = std::move(files);
  }
  write(log_, read(Occasion::kReload));
}

void Enricher::reload_changed() { write(log_, read(Occasion::kChange)); }

void Enricher::write(Log& log, const std::vector<Note>& notes) {
  for (const auto& [file, problem, made, effect] : notes) {
    if (problem.empty()) {
      log.info("data file loaded", {{"file", file}, {"modified", made}});
    } else {
      log.warn("data file not loaded", {{"file", file}, {"reason", problem}, {"effect", effect}});
    }
  }
}

std::shared_ptr<const UserAgentCache> Enricher::read_later(std::filesystem::path file,
                                                           std::string made) const {
  return std::make_shared<const UserAgentCache>(
      [&log = log_, file = std::move(file), made = std::move(made)] {
        auto loaded = UserAgentRules::load(file);
        write(log, {{file.string(), loaded ? "" : loaded.error().message, made, kNoUserAgents}});
        return loaded ? std::move(*loaded) : UserAgentRules();
      });
}

std::vector<Enricher::Note> Enricher::read(Occasion occasion) {
  const std::scoped_lock lock(mutex_);
  auto next = *current_.snapshot();
  if (files_.geoip.empty()) next.geo = nullptr;
  if (files_.spam_referrers.empty()) next.spam = std::make_shared<const SpamList>();
  std::vector<Note> notes;
  const auto read_one = [&](const std::filesystem::path& file, Stamp& stamp, const char* effect,
                            auto load, auto keep) {
    if (file.empty()) return;
    const auto found = stamp_of(file);
    if (occasion == Occasion::kChange && found == stamp) return;
    stamp = found;
    auto loaded = load(file);
    notes.push_back({file.string(), loaded ? "" : loaded.error().message,
                     found ? day_of(*found) : std::string(), effect});
    if (loaded) keep(std::move(*loaded));
  };
  const auto user_agents = stamp_of(files_.user_agents);
  if (occasion == Occasion::kStart && user_agents) {
    stamps_.user_agents = user_agents;
    next.user_agents = read_later(files_.user_agents, day_of(*user_agents));
  } else {
    read_one(files_.user_agents, stamps_.user_agents, kNoUserAgents, UserAgentRules::load,
             [&](UserAgentRules rules) {
               next.user_agents = std::make_shared<const UserAgentCache>(std::move(rules));
             });
  }
  read_one(files_.geoip, stamps_.geoip,
           "countries are found in the file loaded before, or recorded as unknown",
           GeoDatabase::open,
           [&](std::shared_ptr<const GeoDatabase> geo) { next.geo = std::move(geo); });
  read_one(files_.spam_referrers, stamps_.spam_referrers,
           "spam referrers are recognised by the file loaded before, or not at all", SpamList::load,
           [&](SpamList list) { next.spam = std::make_shared<const SpamList>(std::move(list)); });
  if (!notes.empty() || occasion != Occasion::kChange) current_.publish(std::move(next));
  return notes;
}

}  // namespace analytics
