#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/io/log.h"
#include "common/run/published.h"
#include "daemon/enrich/geo.h"
#include "daemon/enrich/spam_list.h"
#include "daemon/enrich/user_agent_cache.h"

namespace analytics {

/// Paths of the data files that enrichment reads.
struct EnrichmentFiles {
  std::filesystem::path user_agents = "/usr/share/uap-core/regexes.yaml";
  std::filesystem::path geoip;           ///< Empty: none.
  std::filesystem::path spam_referrers;  ///< Empty: none.
};

/// Contents of the data files. A member whose file is missing or unreadable recognises nothing.
struct Enrichment {
  std::shared_ptr<const UserAgentCache> user_agents =
      std::make_shared<const UserAgentCache>(UserAgentRules());
  std::shared_ptr<const GeoDatabase> geo;  ///< Null if every country is unknown.
  std::shared_ptr<const SpamList> spam = std::make_shared<const SpamList>();
};

/// Keeps the files' contents for all threads. Reads the files again on request or after a change.
class Enricher {
 public:
  /// Reads the files, but the User-Agent expressions only at the first event. While a file cannot
  /// be read, its values are unknown. Does not write to the log yet.
  Enricher(EnrichmentFiles files, Log& log);
  /// Logs which files were read and which were not. Call it once, as soon as the log may be
  /// written.
  void announce();

  [[nodiscard]] std::shared_ptr<const Enrichment> snapshot() const { return current_.snapshot(); }

  /// Returns the age of the file of User-Agent expressions in seconds; nullopt without a file.
  [[nodiscard]] std::optional<double> user_agents_age() const;

  /// Reads these files. If a file cannot be read, its former contents stay. Any thread.
  void reload(EnrichmentFiles files);
  /// Reads the files again that have changed since the last reading.
  void reload_changed();

 private:
  using Stamp = std::optional<std::filesystem::file_time_type>;
  struct Stamps {
    Stamp user_agents, geoip, spam_referrers;
  };
  /// Result of reading a file, for the log.
  struct Note {
    std::string file;
    std::string problem;  ///< Empty if the file was read.
    std::string made;     ///< Day on which the file was made.
    const char* effect;
  };
  enum class Occasion { kStart, kReload, kChange };
  std::vector<Note> read(Occasion occasion);
  /// Returns a cache that reads the expressions when it gets its first User-Agent.
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
