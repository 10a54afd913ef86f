#include "tests/support/service.h"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace analytics::test {
namespace {

std::vector<std::string> daemon_arguments(const TempFolder& folder, const ServiceOptions& options) {
  auto arguments = options.arguments;
  if (options.settings.empty()) return arguments;
  const auto file = folder / "settings.toml";
  std::ofstream(file) << options.settings;
  arguments.insert(arguments.end(), {"--config", file.string()});
  return arguments;
}

HttpReply require_success(HttpReply reply) {
  if (reply.status == 200) return reply;
  throw std::runtime_error("the daemon refused a request: " + reply.reason + reply.body);
}

}  // namespace

std::string event_body(const std::string& name, const std::string& path, const std::string& more) {
  return R"({"d":"a.de","n":")" + name + R"(","u":"https://a.de)" + path + "\"" + more + "}";
}

std::string pageview(const std::string& path, const std::string& more) {
  return event_body("pageview", path, more);
}

Headers import_headers(const std::string& range, const std::string& id) {
  Headers headers{{"Import-Source", kImportSource}, {"Import-Range", range}};
  if (!id.empty()) headers.emplace_back("Import-Id", id);
  return headers;
}

std::string token_of(const HttpReply& link) {
  const auto url = body_of(link)["url"].get<std::string>();
  return url.substr(url.find("auth=") + 5);
}

Service::Service(const ServiceOptions& options)
    : site(options.site), daemon(daemon_program(), daemon_arguments(folder, options)) {
  if (site.empty()) return;
  // Not with `api`, which would keep its connection: some tests count the daemon's connections.
  require_success(
      Api(daemon, key)
          .form("POST", "/api/v1/sites", "domain=" + site + "&timezone=" + options.zone));
}

Api Service::client(const std::string& account, std::vector<std::string> more) const {
  return {daemon, daemon.make_key(account, std::move(more))};
}

std::string Service::write(const char* name, const std::string& text) const {
  std::ofstream(folder / name) << text;
  return (folder / name).string();
}

void Service::goal(const std::string& form) {
  require_success(api.form("PUT", "/api/v1/sites/goals", "site_id=" + site + "&" + form));
}

std::string Service::make_link(const std::string& more) {
  return token_of(require_success(
      api.form("PUT", "/api/v1/sites/shared-links", "site_id=" + site + "&name=x" + more)));
}

std::string Service::rows(const std::string& where) const {
  return daemon.query("SELECT count(*) FROM event_text WHERE " + where);
}

std::string Service::metrics() {
  const auto url = daemon.metrics_url();
  return Api(url.substr(0, url.rfind('/')), "").send("GET", "/metrics").body;
}

Process::Finished Service::operate(std::vector<std::string> arguments,
                                   const Process::Options& options) const {
  return test::operate(daemon.database(), std::move(arguments), options);
}

Process::Options Service::options() const {
  return {{"ANALYTICS_URL=" + daemon.url(), "ANALYTICS_API_KEY=" + key}, {}};
}

Process::Finished Service::run_command(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), cli_program());
  return run(arguments, options());
}

void Service::restart(const std::string& failpoints) {
  daemon.end();
  daemon.start(failpoints);
}

void Service::change(const std::string& sql) const {
  const auto done = run({"sqlite3", daemon.database().string(), sql});
  if (done.exit != 0) throw std::runtime_error("sqlite3: " + done.err);
}

void Service::seal() {
  daemon.end();
  change("DELETE FROM salts");
  const auto done = operate({"compact"});
  if (done.exit != 0) throw std::runtime_error("compact: " + done.err);
  if (daemon.query("SELECT count(*) FROM parts") == "0") throw std::runtime_error("nothing sealed");
  daemon.start();
}

}  // namespace analytics::test
