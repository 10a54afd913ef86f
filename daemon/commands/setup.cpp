#include "daemon/commands/setup.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>

#include <sys/stat.h>
#include <unistd.h>

#include "common/io/fs.h"
#include "common/io/program.h"
#include "common/json/json.h"
#include "common/text/site_name.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "daemon/admin/child_process.h"
#include "daemon/commands/command_parts.h"
#include "daemon/commands/commands.h"
#include "daemon/config/exit_code.h"
#include "daemon/config/settings_text.h"

namespace analytics {
namespace {

constexpr char kExampleHost[] = "stats.example.com";  // host in the examples for proxies
constexpr char kLocalAddress[] = "http://127.0.0.1:8000";
constexpr char kNone[] = "none";
constexpr char kDebianExamples[] = "/usr/share/doc/analyticsd/examples";

/// A reverse proxy for which an example is installed, and the file name of the example.
struct Proxy {
  std::string_view name;
  const char* file;
};
constexpr std::array kProxies = {Proxy{"nginx", "nginx.conf"}, Proxy{"caddy", "Caddyfile"},
                                 Proxy{"haproxy", "haproxy.cfg"}};

std::string answer_or_ask(const std::optional<std::string>& given, const std::string& question,
                          const std::string& fallback) {
  if (given) return *given;
  if (isatty(STDIN_FILENO) == 0) return fallback;
  std::cout << question << (fallback.empty() ? ": " : " [" + fallback + "]: ") << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) throw AppError(ExitCode::kUsage, "setup was not finished");
  const std::string answer(trim(line));
  return answer.empty() ? fallback : answer;
}

/// Lets signals end the program until the destructor blocks them again, as run_in_child() requires.
class SignalsEnd {
 public:
  SignalsEnd() {
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_UNBLOCK, &all, &before_);
  }
  ~SignalsEnd() { (void)sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsEnd(const SignalsEnd&) = delete;
  SignalsEnd& operator=(const SignalsEnd&) = delete;

 private:
  sigset_t before_{};
};

/// Returns the time zone of this machine.
std::string zone_of_machine() {
  std::error_code unknown;
  const auto target = std::filesystem::read_symlink("/etc/localtime", unknown).string();
  constexpr std::string_view kFolder = "zoneinfo/";
  const auto at = target.find(kFolder);
  const auto zone = at == std::string::npos ? "" : target.substr(at + kFolder.size());
  return is_time_zone(zone) ? zone : "Etc/UTC";
}

std::string geoip_of_machine() {
  for (const char* name : {"GeoLite2-City", "GeoLite2-Country", "dbip-city-lite"}) {
    auto file = "/var/lib/GeoIP/" + std::string(name) + ".mmdb";
    if (access(file.c_str(), R_OK) == 0) return file;
  }
  return {};
}

/// The checked answers to the questions of `analyticsd setup`.
struct Plan {
  std::string base_url;
  bool is_local = false;         ///< True if the service has no public address.
  std::string host;              ///< Host of `base_url`.
  const Proxy* proxy = nullptr;  ///< Reverse proxy; null for none.
  std::string site;
  std::string timezone;
  std::string account;
  std::string geoip;  ///< Path of a MaxMind DB; empty for none.
};

[[noreturn]] void refuse_answer(const std::string& answer, const std::string& problem) {
  throw AppError(ExitCode::kUsage, (answer.empty() ? "\"\"" : visible(answer)) + " " + problem);
}

/// Asks for the answers that are missing, with the present settings as defaults, and checks all
/// answers.
Plan plan_of(const SetupAnswers& answers, const Config& config) {
  const SignalsEnd questions_can_be_interrupted;
  Plan plan;
  const auto& address = config.settings.base_url;
  plan.base_url = answer_or_ask(answers.url, "Public address, such as https://stats.example.com",
                                address.empty() ? kLocalAddress : address);
  const auto url = split_url(plan.base_url);
  if (!url || (url->scheme != "http" && url->scheme != "https")) {
    refuse_answer(plan.base_url, "is not an address such as https://stats.example.com");
  }
  plan.host = url->host;
  while (plan.base_url.ends_with('/')) plan.base_url.pop_back();
  plan.is_local = plan.base_url == kLocalAddress;
  const auto proxy =
      answer_or_ask(answers.proxy, "Reverse proxy on this machine: nginx, caddy, haproxy or none",
                    plan.base_url.starts_with("https://") ? "nginx" : "none");
  const auto known = std::find_if(kProxies.begin(), kProxies.end(),
                                  [&](const Proxy& each) { return each.name == proxy; });
  if (known == kProxies.end() && proxy != kNone) {
    refuse_answer(proxy, "is not nginx, caddy, haproxy or none");
  }
  plan.proxy = known == kProxies.end() ? nullptr : &*known;
  plan.site = answer_or_ask(answers.site, "Domain of the first site", "");
  const auto domain = normalise_domain(plan.site);
  if (!domain) throw AppError(ExitCode::kUsage, "--site: " + domain.error().reason());
  plan.site = *domain;
  plan.timezone = answer_or_ask(answers.timezone, "Time zone of the site", zone_of_machine());
  if (!is_time_zone(plan.timezone)) {
    refuse_answer(plan.timezone, "is not a time zone such as Europe/Berlin");
  }
  plan.account = answer_or_ask(answers.account, "Name of your account", "me");
  if (trim(plan.account).empty() || has_control(plan.account)) {
    refuse_answer(plan.account, "is not the name of an account");
  }
  const auto& present = config.enrichment.geoip;
  const auto geoip = answer_or_ask(answers.geoip, "MaxMind DB for countries, or none",
                                   present.empty() ? geoip_of_machine() : present.string());
  if (geoip != kNone && !geoip.empty()) plan.geoip = std::filesystem::absolute(geoip).string();
  return plan;
}

/// Runs work in a child process that becomes the owner of the database, and returns its output.
std::string as_owner(const Config& config, const std::function<std::string()>& work) {
  const auto done = admin::run_in_child([&](std::string& text) {
    return report_errors([&] {
      open_as_owner(config.database);
      refuse_older(config.database);
      text = work();
      return static_cast<int>(ExitCode::kOk);
    });
  });
  if (done.exit != static_cast<int>(ExitCode::kOk)) {
    throw AppError(static_cast<ExitCode>(done.exit), "setup was not finished");
  }
  return done.text;
}

/// Returns the settings file's text with the plan's settings. Changes neither a setting that
/// already has the plan's value nor an existing list of trusted proxies.
std::string planned_settings(const Config& config, const Plan& plan, std::string text) {
  if (!plan.is_local && plan.base_url != config.settings.base_url) {
    text = with_setting(text, "base_url", analytics::json::quote(plan.base_url));
  }
  if (plan.proxy != nullptr && config.settings.trusted_proxies.empty()) {
    text = with_setting(text, "trusted_proxies", R"(["loopback"])");
  }
  if (!plan.geoip.empty() && plan.geoip != config.enrichment.geoip) {
    text = with_setting(text, "geoip", analytics::json::quote(plan.geoip));
  }
  return text;
}

/// Replaces the settings file by one with the plan's settings, with the same owner and rights, if
/// the daemon would accept the new file.
void write_settings(const Config& config, const Plan& plan) {
  const auto file = std::filesystem::canonical(config.file);
  const auto before = value_or_throw(read_file(file));
  const auto text = planned_settings(config, plan, before);
  if (text == before) {
    std::cout << "unchanged " << config.file.string() << '\n';
    return;
  }
  const auto path = file.string() + ".new-" + std::to_string(getpid());
  auto fresh = value_or_throw(NewFile::create(path));
  struct stat status {};
  constexpr mode_t kRights = 0777;
  if (stat(file.c_str(), &status) != 0 ||
      fchown(fresh.descriptor().get(), status.st_uid, status.st_gid) != 0 ||
      fchmod(fresh.descriptor().get(), status.st_mode & kRights) != 0) {
    throw AppError(ExitCode::kRuntime, path + ": " + std::strerror(errno));
  }
  value_or_throw(write_all(fresh.descriptor(), text));
  ConfigOverrides overrides;
  overrides.file = path;
  overrides.database = config.database;
  if (const auto loaded = load_config(overrides); !loaded) {
    throw AppError(ExitCode::kConfig, "the settings would be wrong: " + loaded.error().message);
  }
  value_or_throw(fresh.rename(file, true));
  std::cout << "changed " << config.file.string() << '\n';
}

/// Makes the user who called sudo the owner of a new file.
void give_to_caller(const FileDescriptor& file) {
  const auto number = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : parse_int(value);
  };
  const auto user = number("SUDO_UID");
  const auto group = number("SUDO_GID");
  const bool is_sudo = geteuid() == 0 && user && group;
  if (is_sudo && fchown(file.get(), static_cast<uid_t>(*user), static_cast<gid_t>(*group)) != 0) {
    throw AppError(ExitCode::kRuntime, std::string("chown: ") + std::strerror(errno));
  }
}

/// Writes the reverse proxy's configuration from the installed example, unless the file exists.
/// Returns the file's path; empty if no proxy was chosen or the examples are not installed.
std::filesystem::path write_proxy_file(const Plan& plan, const std::filesystem::path& folder) {
  if (plan.proxy == nullptr) return {};
  auto text = read_file(beside_program("examples") / plan.proxy->file);
  if (!text) text = read_file(std::filesystem::path(kDebianExamples) / plan.proxy->file);
  if (!text) {
    std::cerr << "the examples for proxies are not installed: see analytics-operating(7)\n";
    return {};
  }
  // The examples end with an optional part, for a path on a site's own server.
  const auto optional = text->find("\n# On the server of a site");
  if (optional != std::string::npos) text->resize(optional + 1);
  for (std::size_t at = 0; (at = text->find(kExampleHost, at)) != std::string::npos;) {
    text->replace(at, sizeof kExampleHost - 1, plan.host);
    at += plan.host.size();
  }
  auto path = folder / plan.proxy->file;
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) {
    std::cout << "unchanged " << path.string() << '\n';
    return path;
  }
  auto file = value_or_throw(NewFile::create(path));
  give_to_caller(file.descriptor());
  (void)fchmod(file.descriptor().get(), 0644);
  value_or_throw(file.write(*text));
  std::cout << "created " << path.string() << '\n';
  return path;
}

/// Creates the site, and a key of its account in the new file `key` unless that file exists.
void provision(const Config& config, const Plan& plan, const std::filesystem::path& key) {
  // Creates the file before the key, because the key is shown only once.
  std::optional<NewFile> file;
  std::error_code unknown;
  if (!std::filesystem::exists(key, unknown)) {
    file.emplace(value_or_throw(NewFile::create(key)));
    give_to_caller(file->descriptor());
  }
  admin::OperatorCommand command;
  command.account = plan.account;
  command.label = "setup";
  command.site = plan.site;
  command.timezone = plan.timezone;
  const auto done = as_owner(config, [&] {
    if (!plan.geoip.empty() && access(plan.geoip.c_str(), R_OK) != 0) {
      throw AppError(ExitCode::kUsage,
                     visible(plan.geoip) + ": the daemon cannot read it: " + std::strerror(errno));
    }
    std::string text;
    if (file) {
      command.verb = admin::OperatorCommand::Verb::kCreateKey;
      text = value_or_throw(operate_on(config, command));
    }
    command.verb = admin::OperatorCommand::Verb::kCreateSite;
    const auto site = operate_on(config, command);
    if (!site && file) {  // nobody will see the key
      command.verb = admin::OperatorCommand::Verb::kRevokeKey;
      command.key = key_prefix(text);
      value_or_throw(operate_on(config, command));
    }
    return text + value_or_throw(site);
  });
  const auto end_of_key = file ? done.find('\n') + 1 : 0;
  if (file) value_or_throw(file->write(done.substr(0, end_of_key)));
  std::cout << (file ? "created " : "unchanged ") << key.string() << '\n'
            << done.substr(end_of_key);
}

void print_next_steps(const Plan& plan, const std::filesystem::path& proxy,
                      const std::filesystem::path& key) {
  std::cout << "\nNext:\n";
  if (access("/run/systemd/system", F_OK) == 0) std::cout << "  sudo systemctl reload analyticsd\n";
  if (!proxy.empty()) {
    std::cout << "  put " << proxy.string() << " where " << plan.proxy->name
              << " reads it, and reload it\n";
  }
  std::cout << "  export ANALYTICS_URL=" << plan.base_url << " ANALYTICS_API_KEY_FILE="
            << std::filesystem::absolute(key).lexically_normal().string()
            << "\n  analytics links ensure --site " << plan.site
            << " Team   # prints the address of the site's page\n"
            << "  sudo analyticsd doctor\n\nIn the pages of " << plan.site
            << ":\n  <script defer data-domain=\"" << plan.site << "\" src=\"" << plan.base_url
            << "/js/script.js\"></script>\n";
}

}  // namespace

int run_setup(const Config& config, const SetupAnswers& answers) {
  if (config.file.empty()) {
    throw AppError(ExitCode::kUsage, "there is no settings file: name one with --config");
  }
  if (!std::filesystem::is_directory(answers.folder)) {
    throw AppError(ExitCode::kUsage, visible(answers.folder.string()) + " is not a folder");
  }
  const auto plan = plan_of(answers, config);
  const auto key = answers.folder / "analytics.key";
  provision(config, plan, key);
  const auto proxy = write_proxy_file(plan, answers.folder);
  write_settings(config, plan);
  print_next_steps(plan, proxy, key);
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace analytics
