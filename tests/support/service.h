#pragma once

#include <string>
#include <vector>

#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

inline constexpr char kFirefox[] =
    "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";

/// Returns the JSON of an event of the site a.de. `more` has further members, each after its comma.
[[nodiscard]] std::string event_body(const std::string& name, const std::string& path = "/",
                                     const std::string& more = "");
[[nodiscard]] std::string pageview(const std::string& path = "/", const std::string& more = "");

inline const std::string kImportSource(32, 'a');  ///< Value of Import-Source.

/// Returns the headers of a request that imports a range of bytes, such as "0-10", of
/// kImportSource. An empty `id` leaves out the import's name.
[[nodiscard]] Headers import_headers(const std::string& range, const std::string& id = "nightly-1");

/// Returns the token of the shared link in a reply.
[[nodiscard]] std::string token_of(const HttpReply& link);

struct ServiceOptions {
  std::string site = "a.de";             ///< Domain of the site; empty for no site.
  std::string zone = "Etc/UTC";          ///< Time zone of the site.
  std::string settings{};                ///< Text of the settings file; empty for no file.
  std::vector<std::string> arguments{};  ///< Further arguments of the daemon.
};

/// A daemon with an API key of all scopes and a site, and clients that also find the daemon after
/// it was restarted on another port.
struct Service {
  explicit Service(const ServiceOptions& options = {});

  /// Returns a client with a new key. The parameters are those of DaemonProcess::make_key().
  [[nodiscard]] Api client(const std::string& account = "acme",
                           std::vector<std::string> more = {}) const;
  /// Writes a file to `folder` and returns its path. The settings are in "settings.toml".
  std::string write(const char* name, const std::string& text) const;

  /// Creates a goal of the site. Throws if the daemon refuses it.
  void goal(const std::string& form);
  /// Creates or changes a shared link to the site and returns its token. `more` has its terms, each
  /// after its "&". Throws if the daemon refuses it.
  std::string make_link(const std::string& more = "");

  /// Returns how many stored events meet a condition on columns of the view event_text.
  [[nodiscard]] std::string rows(const std::string& where = "1") const;
  /// Returns the text of /metrics. REQUIRES: the daemon was started with --admin-listen.
  [[nodiscard]] std::string metrics();

  /// Runs `analyticsd` with these arguments on the daemon's database.
  Process::Finished operate(std::vector<std::string> arguments,
                            const Process::Options& options = {}) const;
  /// Returns the environment in which `analytics` uses the daemon with `key`.
  [[nodiscard]] Process::Options options() const;
  /// Runs `analytics` with these arguments and options().
  Process::Finished run_command(std::vector<std::string> arguments) const;

  /// Stops the daemon and starts it again. Throws if it does not exit with 0.
  void restart(const std::string& failpoints = "");
  /// Changes the database with the sqlite3 shell. Throws if that fails.
  void change(const std::string& sql) const;
  /// Restarts the daemon after destroying all salts and sealing all events.
  void seal();

  const std::string site;
  const TempFolder folder;
  DaemonProcess daemon;
  std::string key = daemon.make_key();
  Api api{daemon, key};
  Api visitor{daemon, ""};
};

}  // namespace analytics::test
