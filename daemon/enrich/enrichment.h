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

/// Returns the path of uap-core's patterns: beside this program, as in the archive for any
/// distribution, or where Debian installs them.
[[nodiscard]] std::filesystem::path default_user_agents();

/// Paths of the data files that enrichment reads.
struct EnrichmentFiles {
  /// Expressions of uap-core that recognise browsers.
  std::filesystem::path user_agents = default_user_agents();
  std::filesystem::path geoip;           ///< MaxMind DB of places; empty without one.
  std::filesystem::path spam_referrers;  ///< Hosts of spam referrers; empty without such a file.
};

/// Contents of the data files. If a file is missing or unreadable, its member recognises nothing.
struct Enrichment {
  std::shared_ptr<const UserAgentCache> user_agents =
      std::make_shared<const UserAgentCache>(UserAgentRules());
  /// Null without a file of places; places are then unknown.
  std::shared_ptr<const GeoDatabase> geo;
  std::shared_ptr<const SpamList> spam = std::make_shared<const SpamList>();
};

/// Keeps the contents of the data files for all threads. Reads the files again on request or after
/// a change.
class Enricher {
 public:
  /// Reads the files, except the User-Agent expressions, which it reads at the first event. While a
  /// file cannot be read, its values are unknown. Writes to the daemon's log only after announce().
  Enricher(EnrichmentFiles files, Log& log);
  /// Logs which files the constructor has read and which it could not read. Call it once, as soon
  /// as the daemon's log may be written.
  void announce();

  /// Returns the current contents of the files. Any thread.
  [[nodiscard]] std::shared_ptr<const Enrichment> snapshot() const { return current_.snapshot(); }

  /// Returns the age of the file of User-Agent expressions in seconds; nullopt without a file.
  [[nodiscard]] std::optional<double> user_agents_age() const;

  /// Reads these files from now on. If a file cannot be read, its former contents stay. Any thread.
  void reload(EnrichmentFiles files);
  /// Reads the files again that have changed since the last reading.
  void reload_changed();

 private:
  /// Time of a file's last change; nullopt if there is no file.
  using Stamp = std::optional<std::filesystem::file_time_type>;
  struct Stamps {
    Stamp user_agents, geoip, spam_referrers;
  };
  /// Result of reading a file, for the daemon's log.
  struct Note {
    std::string file;
    std::string problem;  ///< Why the file could not be read; empty if it was read.
    std::string made;     ///< Day of the file's last change, "2026-11-21".
    const char* effect;   ///< Consequence of a problem, such as unknown countries.
  };
  /// Reason for reading the files. On kChange, unchanged files are not read.
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
