#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::exports_people_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

TEST_CASE("exports: neither the visitor's ids nor e-mail addresses become properties",
          "[replay][exports]") {
  const auto read = read_all(
      {R"({"type":"track","event":"Pay","messageId":"m","anonymousId":"anon7","userId":"u9",)"
       R"("timestamp":"2025-06-01T08:00:00Z","context":{"page":{"url":)"
       R"("https://a.de/u/jane%40example.org?utm_campaign=x@example.org"}},"properties":)"
       R"({"a":"anon7","b":"u9","c":"203.0.113.7","app_version":"10.1.2.3","d":"2001:db8::1, 10.0.0.1",)"
       R"("user.name":"Jane","traits.x":"y","jane@b.org":"yes","login":"jane","plan":"u9x"}})"},
      options());
  const auto event = event_of(read.at(0));
  CHECK(event.props == std::vector<Property>{{"app_version", "10.1.2.3"},
                                             {"c", "(redacted)"},
                                             {"d", "(redacted), (redacted)"},
                                             {"plan", "u9x"}});
  CHECK(event.url == "https://a.de/u/(redacted)?utm_campaign=(redacted)");
  CHECK(event.withheld == 11);
}

TEST_CASE("exports: an anonymous visitor is neither the importer nor another anonymous visitor",
          "[replay][exports]") {
  const auto line = [](const std::string& time) {
    return R"({"event_name":"page_view","event_timestamp":")" + time +
           R"(","user_pseudo_id":null,"event_params":[{"key":"ga_session_id","value":)" +
           R"({"int_value":"17"}},{"key":"page_location","value":{"string_value":"https://a.de/"}}]})";
  };
  const auto read = read_all({line("1748764800123456"), line("1748764801123456")}, options());
  CHECK(event_of(read.at(0)).visitor);
  CHECK(!event_of(read.at(0)).visit);
  CHECK(event_of(read.at(0)).visitor != event_of(read.at(1)).visitor);
}

TEST_CASE(
    "exports: values of unexpected kinds are left out, and users' own tables are not read as "
    "exports",
    "[replay][exports]") {
  const auto call = [](const std::string& more) {
    return R"({"type":"track","messageId":"m","anonymousId":"a","timestamp":"2025-06-01T08:00:00Z",)" +
           more + "}";
  };
  const auto read =
      read_all({call(R"("event":"Search","context":{"locale":"c","ip":"192.0.2.x"},)"
                     R"("properties":{"total":120,"url":"https://x.de/","phone_number":"1"})"),
                call(R"("event":"Pay","context":{"ip":"192.0.2.1, 10.0.0.1"},)"
                     R"("properties":{"revenue":5,"currency":"eur"})"),
                call(R"("event":"jane@example.org","context":{},"properties":{})")},
               options("a.de"));
  const auto search = event_of(read.at(0));
  CHECK(!search.revenue);
  CHECK(!search.ip);
  CHECK(!search.derived.language);
  CHECK(search.url == "https://a.de/");
  CHECK(search.props == std::vector<Property>{{"total", "120"}, {"url", "https://x.de/"}});
  CHECK(event_of(read.at(1)).revenue->currency == "EUR");
  CHECK(event_of(read.at(1)).ip == "192.0.2.1");
  CHECK(event_of(read.at(2)).name == "(redacted)");
  const auto own = open_reader(
      "auto", R"({"name":"Sent","url":"https://a.de/","type":"x","messageId":"5","context":{}})",
      options("a.de"));
  CHECK(own->format == "ndjson");
}

TEST_CASE("exports: hostile texts are read in linear time", "[replay][exports]") {
  const auto call = [](const std::string& page) {
    return R"({"type":"page","messageId":"m","anonymousId":"a","timestamp":"2025-06-01T08:00:00Z",)"
           R"("properties":{"url":")" +
           page + "\"}}";
  };
  const auto cut =
      read_all({call("https://a.de/x?utm_source=s" + std::string(500'000, '&'))}, options());
  CHECK(event_of(cut.at(0)).url.size() <= 2'000);
  const auto batch = R"({"context":{"z":")" + std::string(600'000, 'z') + R"("},"batch":[)" +
                     R"({"type":"identify","userId":"u"})" +
                     [] {
                       std::string more;
                       for (int i = 0; i < 9'000; ++i) more += R"(,{"type":"alias","userId":"u"})";
                       return more;
                     }() +
                     "]}";
  std::size_t bytes = 0;
  const auto chosen = open_reader("auto", batch, options("a.de"));
  REQUIRE(chosen);
  chosen->reader->divide(batch, [&](const std::string& part, std::size_t) {
    bytes += part.size();
    return true;
  });
  CHECK(bytes < 2 * batch.size());  // large values of the context are not repeated in each call
}

}  // namespace analytics::test::exports_people_test
