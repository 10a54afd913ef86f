#pragma once

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test {

inline constexpr char kSites[] = R"([[site]]
domain = "Example.com"
timezone = "Europe/Berlin"
[[site.goal]]
event = "Signup"
display_name = "Signed up"
[[site.goal]]
page = "blog/*"
[[site.link]]
name = "Team"
[[site.exclude]]
page = "/internal/**"
[[site.exclude]]
address = "192.0.2.0/24"
[[site.exclude]]
only_hostname = "www.example.com"

[[site]]
domain = "other.example"
)";

/// A daemon, and a folder with a key for it and the file sites.toml, which contains kSites. Runs
/// `analytics` with them.
struct Server {
  explicit Server(
      std::vector<std::string> key_options = {},
      std::shared_ptr<DaemonProcess> of = std::make_shared<DaemonProcess>(daemon_program()))
      : daemon(std::move(of)) {
    use_key(daemon->make_key("acme", std::move(key_options)));
    write("sites.toml", kSites);
  }
  /// Makes the command line use this key.
  void use_key(const std::string& key) const {
    std::filesystem::remove(folder / "key");  // the old file is read-only
    write("key", key);
    std::filesystem::permissions(folder / "key", std::filesystem::perms::owner_read);
  }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder / name).string(); }
  Process::Finished run_command(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), cli_program());
    return run(arguments,
               {{"ANALYTICS_URL=" + daemon->url(), "ANALYTICS_API_KEY_FILE=" + file("key"),
                 "XDG_CONFIG_HOME=" + folder.path().string(), "ANALYTICS_RETRIES=0"},
                input});
  }
  Process::Finished apply(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"apply", "-f", file("sites.toml")});
    return run_command(more);
  }
  nlohmann::json json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(run_command(std::move(arguments)).out, nullptr, false);
  }

  std::shared_ptr<DaemonProcess> daemon;
  TempFolder folder;
};

}  // namespace analytics::test
