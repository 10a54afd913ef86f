// Faults of the command line that hostile testing found, one test case for each.
#include <csignal>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::regression_test {

namespace {

struct Commands : Service {
  Process::Finished cli(std::vector<std::string> arguments, const std::string& input = "",
                        const std::vector<std::string>& more = {}) {
    arguments.insert(arguments.begin(), cli_program());
    auto with_more = options();
    with_more.environment.insert(with_more.environment.end(), more.begin(), more.end());
    with_more.input = input;
    return run(arguments, with_more);
  }
  /// Runs a script in a shell; $A is the path of the program.
  Process::Finished shell(const std::string& script) {
    auto with_paths = options();
    with_paths.environment.push_back("A=" + cli_program());
    with_paths.environment.push_back("D=" + folder.path().string());
    return run({"sh", "-c", script}, with_paths);
  }
};

std::string event(const std::string& path, const std::string& domain = "a.de") {
  return R"({"d":")" + domain + R"(","n":"x","u":"https://a.de/)" + path + "\"}\n";
}

}  // namespace

TEST_CASE("regression: a reject file never destroys an input", "[cli]") {
  Commands service;
  const auto file = service.write("in.ndjson", event("1"));
  const auto done = service.cli({"replay", file, "--rejects", file});
  CHECK(done.exit == 2);
  CHECK(std::filesystem::file_size(file) > 0);
  const auto old = service.write("rejects", "kept");
  CHECK(service.cli({"replay", file, "/nonexistent", "--rejects", old}).exit == 3);
  CHECK(std::filesystem::file_size(old) == 4);
  CHECK(service.cli({"replay", file, "--rejects", "/nonexistent/x"}).exit == 10);
}

TEST_CASE("regression: pipes work as files, and standard input has only one use", "[cli]") {
  Commands service;
  service.write("in.ndjson", event("1") + event("2"));
  CHECK(service.shell("cat $D/in.ndjson | $A replay /dev/stdin").exit == 0);
  CHECK(service.rows() == "2");
  const auto both = service.shell("cat $D/in.ndjson | $A --api-key-file - replay -");
  CHECK(both.exit == 2);
}

TEST_CASE(
    "regression: the server's clock decides which times are in the future, not this machine's",
    "[cli]") {
  Commands service;
  const auto rejects = (service.folder / "rejects").string();
  const auto file = service.write(
      "in.ndjson",
      event("1") +
          R"({"d":"a.de","n":"x","u":"https://a.de/2","timestamp":"2900-01-01T00:00:00Z"})" + "\n");
  const auto planned = service.cli({"replay", file, "--dry-run"});
  CHECK(planned.exit == 8);  // a dry run uses this machine's clock
  CHECK(planned.err.find("more than 24 hours ahead") != std::string::npos);
  for (const auto* batch : {"off", "100"}) {
    INFO(batch);
    std::filesystem::remove(rejects);
    const auto sent = service.cli({"replay", file, "--restart", "--batch", batch, "--rejects",
                                   rejects, "--accept-duplicates"});
    CHECK(sent.exit == 8);
    std::ifstream read(rejects);
    const std::string reject{std::istreambuf_iterator<char>(read), {}};
    CHECK(reject.find(R"("stage":"send")") != std::string::npos);
    CHECK(reject.find("more than 24 hours ahead") != std::string::npos);
  }
}

TEST_CASE("regression: bytes after a gzip file are not silently left out", "[cli]") {
  Commands service;
  service.write("in.ndjson", event("1"));
  CHECK(service.shell("(gzip -c $D/in.ndjson; cat $D/in.ndjson) >$D/x; $A replay $D/x").exit == 8);
}

TEST_CASE("regression: files with the same beginning are different files", "[cli]") {
  Commands service;
  const auto a = service.write("a", event("home") + event("aaaa"));
  const auto b = service.write("b", event("home") + event("cccc"));
  for (const int rows : {4, 4}) {
    CHECK(service.cli({"replay", a, b}).exit == 0);
    CHECK(service.rows() == std::to_string(rows));
  }
}

TEST_CASE("regression: an event that names a missing site twice is dropped once", "[cli]") {
  Commands service;
  const auto file = service.write("a", event("x", "none.com,www.none.com"));
  const auto done = service.cli({"replay", file, "-o", "json", "-q"});
  CHECK(done.exit == 8);
  CHECK(nlohmann::json::parse(done.out)["dropped"] == 1);
  CHECK(service.cli({"send", "--site", "none.com,a.de", "--url", "https://a.de/"}).exit == 0);
}

TEST_CASE("regression: a run that stops at a refused time still prints its summary", "[cli]") {
  Commands service;
  service.key = service.daemon.make_key("acme", {"--scope", "sites:read"});
  const auto file = service.write(
      "a",
      event("1") + R"({"d":"a.de","n":"x","u":"https://a.de/","timestamp":1700000000})" + "\n");
  const auto done = service.cli({"replay", file, "-o", "json", "-q"});
  CHECK(done.exit == 6);
  const auto summary = nlohmann::json::parse(done.out, nullptr, false);
  REQUIRE(summary.is_object());
  CHECK(summary["complete"] == false);
  CHECK(summary["exit"] == 6);
}

TEST_CASE("regression: the key is not sent to another host over plain http", "[cli]") {
  Commands service;
  for (const std::string url : {"http://127.evil.example", "http://192.0.2.1:1"}) {
    CHECK(service.cli({"--server", url, "sites", "list"}).exit == 3);
  }
  for (const std::string url : {"192.0.2.1:1", "http:/192.0.2.1", "ftp://a"}) {
    CHECK(service.cli({"--server", url, "sites", "list"}).exit == 2);
  }
  // A proxy would see the key, so a request to loopback ignores http_proxy.
  CHECK(service.cli({"sites", "list"}, "", {"http_proxy=http://127.0.0.1:1"}).exit == 0);
}

TEST_CASE("regression: no output contains secrets", "[cli]") {
  Commands service;
  const auto shown = [&](const Process::Finished& done) { return done.out + done.err; };
  CHECK(shown(service.cli({"--api-key", service.key, "health"})).find(service.key) ==
        std::string::npos);
  CHECK(shown(service.cli({"--api-key-file", service.key, "sites", "list"})).find(service.key) ==
        std::string::npos);
  CHECK(shown(service.cli({"config", "show"}, "", {"ANALYTICS_API_KEY=hunter2"})).find("hunter") ==
        std::string::npos);
  CHECK(shown(service.cli({"--server", "http://me:pw@127.0.0.1:1", "--retries", "0", "health"}))
            .find("pw") == std::string::npos);
}

TEST_CASE("regression: the first signal ends an idle replay, but SIGUSR1 only prints its state",
          "[cli]") {
  Commands service;
  const auto interrupted = service.shell(
      "mkfifo $D/f; exec 9<>$D/f; $A replay --format ndjson -q $D/f & p=$!;"
      "until [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$p/status) & 0x200)) -ne 0 ]; do "
      "sleep 0.1; done;"  // waits until SIGUSR1 (bit 0x200) has its handler
      "for i in 1 2 3 4 5; do sleep 0.1; kill -USR1 $p || exit 99; done; kill -TERM $p; wait $p");
  CHECK(interrupted.exit == 143);
}

TEST_CASE("regression: a closed output is an error, not a success", "[cli]") {
  Commands service;
  CHECK(service.shell("$A sites list >&-").exit == 10);
  CHECK(service.shell("$A replay - <&-").exit != 0);
}

TEST_CASE("regression: empty names are refused, and empty variables count as unset", "[cli]") {
  Commands service;
  CHECK(service.cli({"sites", "delete", "", "--confirm", "", "--if-exists"}).exit == 2);
  CHECK(service.cli({"sites", "get", ".."}).exit == 2);
  const std::vector<std::string> empty = {
      "ANALYTICS_API_KEY_FILE=", "ANALYTICS_PROFILE=", "ANALYTICS_CONFIG=", "XDG_CONFIG_HOME="};
  CHECK(service.cli({"sites", "list"}, "", empty).exit == 0);
}

TEST_CASE(
    "regression: a bad option exits with 2 and a bad variable with 3, with JSON errors on request",
    "[cli]") {
  Commands service;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"-o", "xml", "health"},
                                                    {"--retries", "abc", "health"},
                                                    {"--timeout", "0s", "health"},
                                                    {"replay", "--format", "xyz", "-"}}) {
    CHECK(service.cli(arguments).exit == 2);
  }
  CHECK(service.cli({"health"}, "", {"ANALYTICS_RETRIES=abc"}).exit == 3);
  const auto usage = service.cli({"-o", "json", "sites", "lst"});
  const auto error = nlohmann::json::parse(usage.err, nullptr, false);
  REQUIRE(error.is_object());
  CHECK(error["exit"] == 2);
  CHECK(error["error"].get<std::string>().find("'list'") != std::string::npos);
  CHECK(service.cli({"help", "config"}, "", {"ANALYTICS_CONFIG=/nonexistent"}).exit == 0);
  const auto config =
      service.write("c.toml", "output = \"text\"\n[profile.ci]\noutput = \"json\"\n");
  const auto by_profile = service.cli({"--config=" + config, "--profile", "ci", "sites", "lst"});
  CHECK(nlohmann::json::parse(by_profile.err, nullptr, false).is_object());
  CHECK(service.cli({"--config", config, "sites", "lst"}).err.starts_with("analytics: unknown"));
  const auto full = service.shell("$A --json sites list >/dev/full");
  CHECK(full.exit == 10);
  CHECK(nlohmann::json::parse(full.err, nullptr, false)["code"] == "output");
}

TEST_CASE("regression: characters that change the direction of text are escaped, also in JSON",
          "[cli]") {
  Commands service;
  // A C1 control character, and one that changes the direction of text.
  const std::string hostile = "v\u0085\u202e";
  const auto event =
      R"({"domain":"a.de","name":"x","url":"https://a.de/","props":{"k":")" + hostile + "\"}}";
  const auto sent = service.cli({"send", "--site", "a.de", "--url", "https://a.de/", "--name", "x",
                                 "--prop", "k=" + hostile});
  REQUIRE(sent.exit == 0);
  for (const auto& words :
       {std::vector<std::string>{"export", "events", "--site", "a.de", "-o", "ndjson"},
        {"replay", "--dry-run", "--site", "a.de", service.write("in", event)},
        {"stats", "--site", "a.de", "--by", "event:props:k", "--period", "day", "--json"}}) {
    const auto shown = service.cli(words);
    INFO(shown.out << shown.err);
    CHECK(shown.out.find("v\\u0085\\u202e") != std::string::npos);
    CHECK(shown.out.find("\u0085") == std::string::npos);
    CHECK(shown.out.find("\u202e") == std::string::npos);
  }
}

TEST_CASE("regression: a 404 of another server does not mean that the object was deleted",
          "[cli]") {
  Commands service;
  const auto wrong = service.daemon.url() + "/elsewhere";
  CHECK(service
            .cli({"--server", wrong, "sites", "delete", "a.de", "--confirm", "a.de", "--if-exists"})
            .exit != 0);
  CHECK(service.cli({"goals", "delete", "--site", "a.de", "999", "--if-exists"}).exit == 0);
  CHECK(service.cli({"imports", "undo", "--site", "a.de", "x", "--if-exists"}).exit == 0);
  CHECK(service.cli({"imports", "undo", "--site", "none.de", "x", "--if-exists"}).exit == 5);
}

TEST_CASE("regression: sites of logs need not be domain names", "[cli]") {
  Commands service;
  service.api.form("POST", "/api/v1/sites", "domain=My App");
  service.api.form("POST", "/api/v1/sites", "domain=b.de/blog");
  const std::string head = "1.2.3.4 - - [17/May/2025:10:05:03 +0000] \"GET ";
  const std::string tail = " HTTP/1.1\" 200 1 \"-\" \"UA\"\n";
  const auto log =
      service.write("log", head + "/x" + tail + head + "*" + tail + head + "@evil/x" + tail);
  for (const std::string site : {"My App", "b.de/blog", "https://www.A.de/"}) {
    const auto done = service.cli({"replay", "--site", site, log, "-o", "json", "-q"});
    CHECK(done.exit == 0);
    CHECK(nlohmann::json::parse(done.out)["filtered"] == 2);
  }
  CHECK(service.daemon.query("SELECT group_concat(hostname) FROM event_text") ==
        "my-app,b.de,a.de");
  CHECK(service.cli({"replay", "--site", "a.de", "--base", "notaurl", log}).exit == 2);
}

TEST_CASE(
    "regression: --max-errors stops at the first record too many, and accepts only whole numbers",
    "[cli]") {
  Commands service;
  std::string bad;
  for (int i = 0; i < 500; ++i) bad += "{}\n";
  const auto file = service.write("bad", bad);
  const auto done =
      service.cli({"replay", file, "--format", "ndjson", "--max-errors", "10", "-o", "json", "-q"});
  CHECK(done.exit == 8);
  CHECK(nlohmann::json::parse(done.out)["rejected"] == 11);
  CHECK(service.cli({"replay", file, "--max-errors", "1e3"}).exit == 2);
}

TEST_CASE("regression: rejects keep the original bytes", "[cli]") {
  Commands service;
  const auto file = service.write("bad", "{\"\xff\xfe\n");
  const auto rejects = (service.folder / "r").string();
  service.cli({"replay", "--format", "ndjson", file, "--rejects", rejects});
  std::ifstream kept(rejects);
  std::string line;
  std::getline(kept, line);
  CHECK(nlohmann::json::parse(line)["original_base64"] == "eyL//g==");
}

}  // namespace analytics::test::regression_test
