#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/log.h"
#include "common/published.h"
#include "daemon/enrich/geo.h"
#include "daemon/enrich/spam_list.h"
#include "daemon/enrich/user_agent_cache.h"

namespace analytics {

/// The data files that events are described by.
struct EnrichmentFiles {
  std::filesystem::path user_agents = "/usr/share/uap-core/regexes.yaml";
  std::filesystem::path geoip;           ///< Empty: none.
  std::filesystem::path spam_referrers;  ///< Empty: none.
};

/// The contents of the data files. A part whose file is missing or unreadable knows nothing.
struct Enrichment {
  std::shared_ptr<const UserAgentCache> user_agents =
      std::make_shared<const UserAgentCache>(UserAgentRules());
  std::shared_ptr<const GeoDatabase> geo;  ///< Null: every country is unknown.
  std::shared_ptr<const SpamList> spam = std::make_shared<const SpamList>();
};

/// Keeps the files' contents for all threads, and reads them again when asked or when they changed.
class Enricher {
 public:
  /// Reads all of them, but the expressions for User-Agents only with the first event; what cannot
  /// be read is unknown until it can. Writes nothing to the log yet.
  Enricher(EnrichmentFiles files, Log& log);
  /// Writes to the log what was read, and what was not: once, when the log may be written.
  void announce();

  [[nodiscard]] std::shared_ptr<const Enrichment> snapshot() const { return current_.snapshot(); }

  /// Seconds since the file of browsers' expressions was made; nullopt: there is none.
  [[nodiscard]] std::optional<double> user_agents_age() const;

  /// Reads them again, or others; one that cannot be read stays as it was. Any thread.
  void reload(EnrichmentFiles files);
  /// Reads the files again that have changed since they were read.
  void reload_changed();

 private:
  using Stamp = std::optional<std::filesystem::file_time_type>;
  struct Stamps {
    Stamp user_agents, geoip, spam_referrers;
  };
  /// The result of reading one file.
  struct Note {
    std::string file;
    std::string problem;  ///< Empty: it was read.
    std::string made;     ///< The day on which it was made.
    const char* effect;
  };
  enum class Occasion { kStart, kReload, kChange };
  std::vector<Note> read(Occasion occasion);
  /// Reads the expressions when a User-Agent is read first.
  [[nodiscard]] std::shared_ptr<const UserAgentCache> read_later(std::filesystem::path file,
                                                                 std::string made) const;
  static void write(Log& log, const std::vector<Note>& notes);

  Log& log_;
  mutable std::mutex mutex_;  ///< Guards reloading the files.
  EnrichmentFiles files_;     // guarded by mutex_
  Stamps stamps_;             // guarded by mutex_
  std::vector<Note> first_notes_;
  Published<Enrichment> current_;
};

}  // namespace analytics
