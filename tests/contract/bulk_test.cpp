#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test::bulk_test {

namespace {

std::string line(const std::string& path, const std::string& domain = "a.de") {
  return R"({"d":")" + domain + R"(","n":"pageview","u":"https://)" + domain + path +
         R"(","timestamp":1700000000,"ip":"1.2.3.4","user_agent":"UA"})" + "\n";
}

/// Returns the numbers of accepted, duplicate, dropped and rejected events.
std::string counts(const HttpReply& reply) {
  const auto body = body_of(reply);
  if (reply.status != 200) return code_of(reply);
  return std::to_string(body["accepted"].get<int>()) + " " +
         std::to_string(body["duplicate"].get<int>()) + " " +
         std::to_string(body["dropped"].get<int>()) + " " +
         std::to_string(body["rejected"].get<int>());
}

std::string packed(const std::string& command, const std::string& text) {
  return run({"sh", "-c", command}, {{}, text}).out;
}

}  // namespace

TEST_CASE("bulk: every line is judged alone and keeps its own time", "[contract][bulk]") {
  Service service;
  const auto reply = service.api.bulk(line("/1") + "\r\n" + "not json\n" + line("/2", "b.de") +
                                      R"({"d":"a.de","n":"","u":"https://a.de/"})" + "\n" +
                                      R"({"d":"a.de","n":"x","u":"https://a.de/","timestamp":1})" +
                                      "\n" + std::string(270'000, 'x') + "\n" +
                                      R"({"d":"a.de,b.de","n":"x","u":"https://a.de/3"})");
  CHECK(counts(reply) == "2 0 1 4");
  const auto problems = body_of(reply)["problems"];
  REQUIRE(problems.size() == 5);
  const auto shown = [&](std::size_t i) {
    return problems[i]["line"].dump() + " " + problems[i]["code"].get<std::string>();
  };
  CHECK(shown(0) == "3 malformed_body");
  CHECK(shown(1) == "4 unknown_site");
  CHECK(shown(2) == "5 invalid_event");
  CHECK(shown(3) == "6 invalid_timestamp");
  CHECK(shown(4) == "7 body_too_large");
  CHECK(service.rows() == "2");
  CHECK(service.rows("path = '/1' AND time = '2023-11-14T22:13:20Z'") == "1");
}

TEST_CASE("bulk: gzip and zstd bodies are accepted, also with several members",
          "[contract][bulk]") {
  Service service;
  const auto gzip = packed("gzip -c", line("/1")) + packed("gzip -c", line("/2"));
  CHECK(counts(service.api.bulk(gzip, {{"Content-Encoding", "gzip"}})) == "2 0 0 0");
  const auto zstd = packed("zstd -c", line("/3")) + packed("zstd -c", line("/4"));
  CHECK(counts(service.api.bulk(zstd, {{"Content-Encoding", "ZSTD"}})) == "2 0 0 0");
  CHECK(code_of(service.api.bulk(gzip.substr(0, 40), {{"Content-Encoding", "gzip"}})) ==
        "400 malformed_body");
  CHECK(code_of(service.api.bulk(zstd.substr(0, 40), {{"Content-Encoding", "zstd"}})) ==
        "400 malformed_body");
  CHECK(code_of(service.api.bulk(gzip + "tail", {{"Content-Encoding", "gzip"}})) ==
        "400 malformed_body");
  CHECK(code_of(service.api.bulk("x", {{"Content-Encoding", "br"}})) ==
        "415 unsupported_media_type");
  CHECK(service.rows() == "4");
}

TEST_CASE("bulk: bombs, too many bytes and too many lines are answered 413 and not stored",
          "[contract][bulk]") {
  Service service;
  const auto bomb = packed("head -c 40000000 /dev/zero | gzip -c", "");
  CHECK(code_of(service.api.bulk(bomb, {{"Content-Encoding", "gzip"}})) == "413 body_too_large");
  const auto zstd_bomb = packed("head -c 40000000 /dev/zero | zstd -c", "");
  CHECK(code_of(service.api.bulk(zstd_bomb, {{"Content-Encoding", "zstd"}})) ==
        "413 body_too_large");
  CHECK(code_of(service.api.bulk(line("/") + std::string(10'000, '\n'))) == "413 body_too_large");
  CHECK(service.api.bulk(std::string(16'777'217, '\n')).status == 413);
  CHECK(service.rows() == "0");
}

TEST_CASE("bulk: a key without events:import is refused before the body is read",
          "[contract][bulk]") {
  Service service;
  const auto refused = service.visitor.bulk(std::string(1'000'000, '\n'));
  CHECK(code_of(refused) == "401 unauthorized");
  CHECK(refused.header("WWW-Authenticate") == "Bearer");
  auto other = service.client("acme", {"--scope", "stats:read"});
  CHECK(code_of(other.bulk(line("/"))) == "403 missing_scope");
  CHECK(counts(service.client("else").bulk(line("/"))) == "0 0 1 0");
  CHECK(code_of(service.api.json("POST", "/api/v1/events", line("/"))) ==
        "415 unsupported_media_type");
}

TEST_CASE("bulk: a repeated key gets the first answer, and with other bytes a mismatch",
          "[contract][bulk]") {
  Service service;
  const Headers key{{"Idempotency-Key", "k1"}};
  const auto first = service.api.bulk(line("/1") + "bad\n", key);
  CHECK(counts(first) == "1 0 0 1");
  const auto second = service.api.bulk(line("/1") + "bad\n", key);
  CHECK(second.status == 200);
  CHECK(second.body == first.body);
  CHECK(code_of(service.api.bulk(line("/2"), key)) == "422 idempotency_mismatch");
  service.daemon.stop(SIGKILL);
  service.daemon.start();
  CHECK(service.client().bulk(line("/1") + "bad\n", key).body == first.body);
  CHECK(service.rows() == "1");
}

TEST_CASE("bulk: a range is stored once", "[contract][bulk]") {
  Service service;
  const auto body = line("/1") + "bad\n" + line("/2");
  CHECK(counts(service.api.bulk(body, import_headers("0-300"))) == "2 0 0 1");
  const auto again = service.api.bulk(body, import_headers("0-300"));
  CHECK(counts(again) == "2 0 0 1");
  CHECK(body_of(again)["repeated"] == true);
  const auto other = service.api.bulk(line("/3"), import_headers("0-300"));
  CHECK(code_of(other) == "409 range_overlap");
  CHECK(body_of(other)["errors"]["Import-Range"][0] == "stored: 0-300");
  CHECK(code_of(service.api.bulk(body, import_headers("100-400"))) == "409 range_overlap");
  CHECK(counts(service.api.bulk(line("/3"), import_headers("300-400"))) == "1 0 0 0");
  CHECK(counts(service.api.bulk(line("/4"), import_headers("500-600"))) == "1 0 0 0");
  CHECK(counts(service.api.bulk(body, import_headers("0-300", "other"))) == "0 3 0 0");
  CHECK(service.rows("import = 'nightly-1'") == "4");

  const auto held = body_of(service.api.send("GET", "/api/v1/sites/a.de/imports/nightly-1"));
  CHECK(held["events"] == 4);
  CHECK(held["sources"][0]["source"] == kImportSource);
  CHECK(held["sources"][0]["ranges"].dump() == R"([{"from":0,"to":400},{"from":500,"to":600}])");
  const auto all = body_of(service.api.send("GET", "/api/v1/sites/a.de/imports"));
  CHECK(all["imports"].size() == 1);
  CHECK(all["imports"][0]["id"] == "nightly-1");
  CHECK(code_of(service.api.send("GET", "/api/v1/sites/a.de/imports/none")) ==
        "404 import_not_found");
}

TEST_CASE("bulk: invalid Import headers are refused", "[contract][bulk]") {
  Service service;
  const auto code = [&](Headers headers) {
    return code_of(service.api.bulk(line("/"), std::move(headers)));
  };
  CHECK(code({{"Import-Id", "x"}}) == "400 invalid_parameter");
  CHECK(code(import_headers("5-5")) == "400 invalid_parameter");
  CHECK(code(import_headers("-5")) == "400 invalid_parameter");
  CHECK(code(import_headers("0-9", "a b")) == "400 invalid_parameter");
  CHECK(code({{"Import-Id", "x"}, {"Import-Source", "zz"}, {"Import-Range", "0-9"}}) ==
        "400 invalid_parameter");
  CHECK(service.rows() == "0");
}

TEST_CASE("bulk: a batch that names its predecessor is stored after it or not at all",
          "[contract][bulk]") {
  Service service;
  const auto send = [&](const std::string& page, const std::string& range,
                        const std::string& after) {
    auto headers = import_headers(range);
    headers.emplace_back("Import-After", after);
    return service.api.bulk(line(page), std::move(headers));
  };
  CHECK(code_of(send("/2", "10-20", "0-10")) == "409 out_of_order");
  CHECK(counts(service.api.bulk(line("/1"), import_headers("0-10"))) == "1 0 0 0");
  CHECK(code_of(send("/2", "10-20", "0-9")) == "409 out_of_order");
  CHECK(counts(send("/2", "10-20", "0-10")) == "1 0 0 0");
  CHECK(code_of(send("/3", "20-30", "0-10")) == "409 out_of_order");  // the last range is now 10-20
  CHECK(counts(send("/3", "20-30", "10-20")) == "1 0 0 0");
  CHECK(code_of(send("/4", "30-40", "20")) == "400 invalid_parameter");
  CHECK(code_of(service.api.bulk(line("/"), {{"Import-After", "0-10"}})) ==
        "400 invalid_parameter");
  // A refused request leaves no trace.
  CHECK(code_of(service.api.bulk("", import_headers("30-40", "bad name"))) ==
        "400 invalid_parameter");
  CHECK(service.rows() == "3");
}

TEST_CASE("bulk: a deleted site forgets its imports, so that its file can be loaded again",
          "[contract][bulk]") {
  Service service;
  CHECK(counts(service.api.bulk(line("/1"), import_headers("0-9"))) == "1 0 0 0");
  service.api.form("DELETE", "/api/v1/sites/a.de", "");
  service.api.form("POST", "/api/v1/sites", "domain=a.de");
  CHECK(counts(service.api.bulk(line("/1"), import_headers("0-9"))) == "1 0 0 0");
}

TEST_CASE("bulk: the same key and bytes for another range or log are a mismatch",
          "[contract][bulk]") {
  Service service;
  auto headers = import_headers("0-9");
  headers.emplace_back("Idempotency-Key", "k");
  CHECK(counts(service.api.bulk(line("/1"), headers)) == "1 0 0 0");
  auto other = import_headers("9-18");
  other.emplace_back("Idempotency-Key", "k");
  CHECK(code_of(service.api.bulk(line("/1"), other)) == "422 idempotency_mismatch");
  auto of_log = headers;
  of_log.emplace_back("Import-Log", "access.log");
  CHECK(code_of(service.api.bulk(line("/1"), of_log)) == "422 idempotency_mismatch");
}

TEST_CASE("bulk: a range without a stored event is remembered, too", "[contract][bulk]") {
  Service service;
  CHECK(counts(service.api.bulk(line("/1"), import_headers("0-9"))) == "1 0 0 0");
  CHECK(counts(service.api.bulk("bad\n", import_headers("9-18"))) == "0 0 0 1");
  CHECK(body_of(service.api.bulk("bad\n", import_headers("9-18")))["repeated"] == true);
  CHECK(code_of(service.api.bulk(line("/2"), import_headers("10-20"))) == "409 range_overlap");
  const auto held = body_of(service.api.send("GET", "/api/v1/sites/a.de/imports/nightly-1"));
  CHECK(held["sources"][0]["ranges"].dump() == R"([{"from":0,"to":18}])");
}

TEST_CASE("bulk: a line for several sites counts as several events in the limit",
          "[contract][bulk]") {
  Service service;
  std::string sites = "a.de";
  for (int i = 1; i < 10; ++i) {
    const auto site = "s" + std::to_string(i) + ".de";
    service.api.form("POST", "/api/v1/sites", "domain=" + site);
    sites += "," + site;
  }
  std::string body;
  for (int i = 0; i < 10'001; ++i) body += line("/", sites);
  CHECK(code_of(service.api.bulk(body)) == "413 body_too_large");
  CHECK(service.rows() == "0");
}

TEST_CASE("bulk: events of many past days do not need a commit for each day",
          "[contract][alone][bulk]") {
  Service service;
  const auto lines_of = [](int days) {
    std::string body;
    for (int day = 0; day < days; ++day) {
      body += R"({"d":"a.de","n":"x","u":"https://a.de/","timestamp":)" +
              std::to_string(1'000'000'000 + day * 86'400) + "}\n";
    }
    return body;
  };
  CHECK(counts(service.api.bulk(lines_of(1'000))) == "1000 0 0 0");
  CHECK(service.daemon.query("SELECT count(*) FROM salts") == "1000");
  CHECK(code_of(service.api.bulk(lines_of(1'001))) == "413 body_too_large");
  CHECK(service.rows() == "1000");
}

TEST_CASE("bulk: a request over the memory budget of all bulk requests is answered 413",
          "[contract][bulk]") {
  Service service;
  std::string props;
  for (int i = 0; i < 10; ++i) {
    props +=
        (i == 0 ? "" : ",") + ("\"k" + std::to_string(i) + "\":\"") + std::string(500, 'x') + "\"";
  }
  std::string sites = "a.de";
  for (int i = 1; i < 10; ++i) {
    const auto site = "s" + std::to_string(i) + ".de";
    service.api.form("POST", "/api/v1/sites", "domain=" + site);
    sites += "," + site;
  }
  const auto one = R"({"d":")" + sites + R"(","n":"x","u":"https://a.de/","p":{)" + props + "}}\n";
  std::string body;
  for (int i = 0; i < 1'500; ++i) body += one;
  CHECK(code_of(service.api.bulk(body)) == "413 body_too_large");
  CHECK(service.rows() == "0");
  CHECK(counts(service.api.bulk(one)) == "1 0 0 0");
}

TEST_CASE("bulk: an account's unfinished requests leave room for those of others",
          "[contract][alone][bulk]") {
  Service service;
  auto other = service.client("other");
  REQUIRE(other.form("POST", "/api/v1/sites", "domain=b.de").status == 200);
  const auto head = "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
                    service.key + "\r\nContent-Type: " + kNdjson +
                    "\r\nContent-Length: 16777216\r\nExpect: 100-continue\r\n\r\n";
  std::vector<std::unique_ptr<RawConnection>> open;
  std::string answers;
  for (int i = 0; i < 4; ++i) {
    open.push_back(std::make_unique<RawConnection>(service.daemon.port()));
    REQUIRE(open.back()->send(head));
    answers += open.back()->receive("\r\n\r\n").substr(9, 4);
  }
  CHECK(answers == "100 100 503 503 ");
  CHECK(counts(other.bulk(line("/", "b.de"))) == "1 0 0 0");
}

}  // namespace analytics::test::bulk_test
