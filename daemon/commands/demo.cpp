#include "daemon/commands/demo.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "common/io/fs.h"
#include "common/io/http_client.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/app/app.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/demo_events.h"
#include "daemon/config/exit_code.h"

namespace analytics {
namespace {

constexpr char kSite[] = "demo.example";
constexpr std::uint32_t kSeed = 30;
constexpr std::chrono::minutes kPatience{10};  // request timeout; long, for slow machines

/// A new temporary folder that only this user can enter. The destructor removes it with its
/// contents.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    auto name = (std::filesystem::temp_directory_path() / "analytics-demo-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw AppError(ExitCode::kRuntime, "no folder for the demo: " + name);
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Config config_of(const std::filesystem::path& folder) {
  Config config;
  config.database = folder / "analytics.db";
  config.log_level = LogLevel::kWarn;
  config.settings.trusted_proxies = *parse_networks("loopback");
  return config;
}

/// Creates an API key, writes it to the file `key` beside the database, and returns it. Throws
/// AppError.
std::string make_key(const Config& config) {
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kCreateKey;
  command.account = "demo";
  const auto key = operate_on(config, command);
  if (!key) throw AppError(ExitCode::kRuntime, key.error().reason());
  auto file = NewFile::create(config.database.parent_path() / "key");
  const auto written = file ? file->write(*key) : Status(tl::unexpected(file.error()));
  if (!written) throw AppError(ExitCode::kRuntime, written.error().reason());
  return std::string(trim(*key));
}

/// Creates the daemon on the default port, or on any free port if that is taken.
std::unique_ptr<App> open_app(Config config) {
  const auto open = [&] {
    return std::make_unique<App>(config, [] { std::_Exit(static_cast<int>(ExitCode::kRuntime)); });
  };
  try {
    return open();
  } catch (const AppError& error) {
    if (error.code != ExitCode::kBind) throw;
    config.http.listen = {"127.0.0.1:0"};
    return open();
  }
}

/// Sends requests to the demo daemon's HTTP API. Throws AppError if a request fails.
class SiteClient {
 public:
  SiteClient(std::string url, std::string key) : url_(std::move(url)), key_(std::move(key)) {}

  nlohmann::json send(const char* method, const std::string& path, const std::string& type,
                      const std::string& body) {
    HttpRequest request{
        method, url_ + path, {{"Authorization", "Bearer " + key_}, {"Content-Type", type}}, body};
    request.timeout = kPatience;
    const auto reply = client_.send(request);
    if (reply.status == 200) return nlohmann::json::parse(reply.body, nullptr, false);
    throw AppError(ExitCode::kRuntime,
                   "the demo's " + path + " failed: " + reply.reason + reply.body);
  }
  nlohmann::json form(const char* method, const std::string& path, const std::string& body) {
    return send(method, path, "application/x-www-form-urlencoded", body);
  }

 private:
  const std::string url_;
  const std::string key_;
  HttpClient client_{HttpClientConfig{}};
};

/// Creates the demo site with goals, a funnel and events. Adds the number of stored events to
/// `events`. Returns the URL of the site's shared page.
std::string create_demo_site(SiteClient client, std::int64_t& events) {
  const auto of_site = std::string("site_id=") + kSite;
  client.form("POST", "/api/v1/sites", std::string("domain=") + kSite);
  client.form("PUT", "/api/v1/sites/goals",
              of_site + "&goal_type=event&event_name=Signup&display_name=Signed up");
  client.form("PUT", "/api/v1/sites/goals", of_site + "&goal_type=page&page_type=/docs/**");
  client.form("PUT", "/api/v1/sites/funnels",
              of_site + "&name=Trial&steps=" +
                  percent_encode(R"([{"page":"/"},{"page":"/pricing"},{"event":"Signup"}])"));
  for (const auto& lines : demo_events(kSite, system_now(), kSeed)) {
    const auto answer = client.send("POST", "/api/v1/events", "application/x-ndjson", lines);
    events += answer.value("accepted", 0);
  }
  const auto link = client.form("PUT", "/api/v1/sites/shared-links", of_site + "&name=Demo");
  return link.value("url", "");
}

}  // namespace

int run_demo(const sigset_t& signals) {
  const HttpLibrary library;
  const TemporaryFolder folder;
  const auto config = config_of(folder.path());
  const auto key = make_key(config);
  const auto app = open_app(config);
  app->start();
  const auto url = "http://" + app->addresses().front();
  std::int64_t events = 0;
  const auto page = create_demo_site(SiteClient(url, key), events);
  std::cout << events << " events of the last 30 days are in " << folder.path().string()
            << ", which is removed at the end.\n\n"
            << "The page:  " << page << "\n\nIn another terminal:\n"
            << "  export ANALYTICS_URL=" << url
            << " ANALYTICS_API_KEY_FILE=" << (folder.path() / "key").string() << '\n'
            << "  analytics stats --site " << kSite << '\n'
            << "  analytics stats --site " << kSite
            << " --by source --metrics visitors,bounce_rate\n"
            << "  analytics send --site " << kSite << " --url https://" << kSite << "/hello\n"
            << "  analytics export events --site " << kSite << " -o csv | head\n\n"
            << "Ctrl-C ends it." << std::endl;
  int received = 0;
  (void)sigwait(&signals, &received);
  app->stop();
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace analytics
