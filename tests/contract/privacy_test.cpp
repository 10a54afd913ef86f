// Addresses, User-Agents and keys must not appear in any file. The tests search every byte.
#include <csignal>
#include <map>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::privacy_test {

namespace {

/// Returns the bytes of all files of the database.
std::string bytes_of(const DaemonProcess& daemon) {
  std::string files;
  for (const auto& entry : std::filesystem::directory_iterator(daemon.database().parent_path())) {
    if (entry.is_regular_file()) files += read_file(entry.path()).value_or("");
  }
  return files;
}

}  // namespace

TEST_CASE("privacy: no file, log or metric contains an address, User-Agent or key", "[contract]") {
  Service service({.settings = "log_level = \"debug\"\n", .arguments = {"--admin-listen", "0"}});
  auto& api = service.api;
  const std::string address = "203.0.113.77";
  const std::string browser = "CanaryBrowser/7.7";
  const auto event = event_body("visible-name", "/?secret=canary-query");
  for (const auto& body : {event, std::string("broken"), std::string(R"({"d":"none.de"})")}) {
    api.event(body, {{"X-Forwarded-For", address}, {"User-Agent", browser}});
  }
  api.bulk(event_body("x", "/", R"(,"ip":")" + address + R"(","user_agent":")" + browser + "\""));
  api.send("GET", "/api/v1/sites/a.de?token=canary-query");
  const auto metrics = service.metrics();
  const auto files = bytes_of(service.daemon);
  CHECK(files.find("visible-name") != std::string::npos);  // proves that the search works
  const auto log = service.daemon.end();
  CHECK(log.find("/api/v1/events") != std::string::npos);
  for (const auto& canary : {address, browser, service.key, std::string("canary-query")}) {
    INFO(canary);
    CHECK(files.find(canary) == std::string::npos);
    CHECK(log.find(canary) == std::string::npos);
    CHECK(metrics.find(canary) == std::string::npos);
  }
}

TEST_CASE("privacy: addresses, e-mails and User-Agents are redacted in every field of an event",
          "[contract]") {
  Service service;
  auto& api = service.api;
  const std::string canaries[] = {"ada@corp.example", "203.0.113.77", "2001:db8:77::1",
                                  "Mozilla/5.0 (X11; Canary 7.7) Gecko/20100101"};
  const std::string fields[] = {"name",    "referrer",        "region", "city",      "device",
                                "browser", "browser_version", "os",     "os_version"};
  std::string lines;
  const auto add = [&](const std::string& own, const std::string& url, const std::string& name) {
    lines += R"({"domain":"a.de","url":")" + url + R"(","ip":"192.0.2.1","user_agent":"x")" +
             (name.empty() ? std::string() : R"(,"name":"visible-name")") + own + "}\n";
  };
  int versions = 0;
  for (const auto& canary : canaries) {
    for (const auto& field : fields) {
      if (field.ends_with("version") && canary == canaries[1]) {
        ++versions;  // in these fields, four numbers with dots are a version
        continue;
      }
      const auto own =
          ",\"" + field + "\":\"" + (field == "referrer" ? "https://b.de/" : "") + canary + "\"";
      add(own, "https://a.de/", field == "name" ? "" : "n");
    }
    const auto encoded = percent_encode(canary);
    add("", "https://a.de/u/" + encoded + "/x", "n");
    add("", "https://a.de/?utm_content=" + encoded + "&utm_term=" + percent_encode(encoded), "n");
    add(R"(,"props":{"who":")" + canary + R"(",")" + canary + R"(":"x"})", "https://a.de/", "n");
  }
  CHECK(versions == 2);
  const auto count = std::count(lines.begin(), lines.end(), '\n');
  const auto answer = body_of(api.bulk(lines));
  CHECK(answer["accepted"] == count);
  CHECK(answer["redacted"] ==
        count + 8);  // the 8 lines with tags or properties have two values each
  const auto files = bytes_of(service.daemon);
  CHECK(files.find("visible-name") != std::string::npos);  // proves that the search works
  CHECK(files.find("/u/(redacted)") != std::string::npos);
  for (const auto& canary : canaries) {
    INFO(canary);
    CHECK(files.find(canary) == std::string::npos);
    CHECK(files.find(percent_encode(canary)) == std::string::npos);
  }
  CHECK(files.find("Canary") == std::string::npos);
}

TEST_CASE("privacy: e-mail addresses in imported totals are redacted", "[contract][alone]") {
  Service service;
  auto& api = service.api;
  const auto total = [](const std::string& dimension, const std::string& value) {
    return R"({"day":"2020-01-01","dimension":")" + dimension + R"(","value":")" + value +
           R"(","visitors":1,"visits":1,"pageviews":1})" + "\n";
  };
  const auto totals = total("event:page", "/u/ada@corp.example") +
                      total("event:props:ada@corp.example", "x") +
                      total("event:hostname", "198.51.100.7");
  const auto stored = api.send("POST", "/api/v1/sites/a.de/imports/x/totals", totals, kNdjson,
                               import_headers("0-10", ""));
  CHECK(nlohmann::json::parse(stored.body)["redacted"] == 2);
  const auto files = bytes_of(service.daemon);
  CHECK(files.find("/u/(redacted)") != std::string::npos);
  CHECK(files.find("198.51.100.7") != std::string::npos);  // a hostname is kept
  CHECK(files.find("ada@corp.example") == std::string::npos);
}

TEST_CASE("privacy: no log contains an excluded address, however it is sent", "[contract]") {
  Service service;
  auto& api = service.api;
  const std::string path = "/api/v1/sites/a.de/exclusions";
  const std::string boundary = "multipart/form-data; boundary=x";
  const auto part = [](const std::string& name, const std::string& value) {
    return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  };
  const std::string form = "application/x-www-form-urlencoded";
  const std::pair<std::string, std::string> requests[] = {
      {form, "type=address%20&value=192.0.2.99"},
      {form, "type=%09address%0A&value=%20192.0.2.99"},
      {form, "type=page&type=+address&value=192.0.2.99"},
      {form, "type=page&value=/x&value%20=192.0.2.99&address=192.0.2.99"},
      {form, "type=page&value=/192&192.0.2.99=1"},
      {"application/json", R"({"type":" address","value":"192.0.2.99\n"})"},
      {boundary, part("type", "address ") + part("value", "192.0.2.99") + "--x--\r\n"}};
  for (const auto& [type, body] : requests) {
    const auto reply = api.send("PUT", path, body, type);
    INFO(body << reply.body);
    CHECK(reply.status == 200);
  }
  const auto log = service.daemon.end();
  CHECK(log.find("msg=change") != std::string::npos);
  CHECK(log.find("type=page value=/192") != std::string::npos);
  CHECK(log.find("value=***") != std::string::npos);
  CHECK(log.find("192.0.2.99") == std::string::npos);
}

TEST_CASE("privacy: a request writes at most 1,000 bytes of log", "[contract]") {
  Service service;
  auto& api = service.api;
  const auto quotes = std::string(3'000, '"');
  const std::string letters(3'000, 'x');
  for (const auto& text : {letters, quotes}) {
    api.send("GET", "/" + text);
    api.send("GET", "/js/" + text);
    api.send("GET", "/share/" + text + "?auth=" + text);
    api.send("DELETE", "/api/v1/sites/" + text);
  }
  const auto filters = R"([["is","event:page",[")" + std::string(1'500, 'x') + R"("]]])";
  CHECK(api.form("PUT", "/api/v1/sites/shared-links",
                 "site_id=a.de&name=x&filters=" + percent_encode(filters))
            .status == 200);
  std::map<std::string, std::size_t> bytes;  // size of the log lines of each request
  const auto log = service.daemon.end();
  for (const auto line : split(log, '\n')) {
    const auto at = line.find("request_id=");
    bytes[at == std::string::npos ? "" : std::string(line.substr(at, 40))] += line.size() + 1;
    CHECK(line.size() < 1'000);
  }
  CHECK(bytes.size() > 10);
  for (const auto& [request, size] : bytes) {
    INFO(request);
    if (!request.empty()) CHECK(size <= 1'000);
  }
  CHECK(log.find("…") != std::string::npos);
}

TEST_CASE("log: at level info it contains the requests of keys and all failures", "[contract]") {
  Service service;
  auto& api = service.api;
  api.event(pageview());
  for (const auto* path :
       {"/js/script.js", "/api/health", "/api/v1/sites", "/none", "/none/jane@b.de/81.2.69.142"}) {
    api.send("GET", path);
  }
  const auto log = service.daemon.end();
  const auto is_logged = [&](const std::string& request) {
    return log.find(request) != std::string::npos;
  };
  CHECK(is_logged("method=POST path=/api/v1/sites status=200"));
  CHECK(is_logged("method=GET path=/api/v1/sites status=200"));
  CHECK(is_logged("method=GET path=/none status=404"));
  CHECK(is_logged("path=/none/(redacted)/(redacted)"));
  CHECK_FALSE(is_logged("path=/js/script.js"));
  CHECK_FALSE(is_logged("path=/api/health"));
  CHECK_FALSE(is_logged("path=/api/event"));
}

}  // namespace analytics::test::privacy_test
