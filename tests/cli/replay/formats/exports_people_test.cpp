#include "cli/replay/formats/export_draft.h"
#include "tests/cli/replay/formats/read_lines.h"

using namespace analytics;
using namespace analytics::cli;
using namespace analytics::cli::test;

TEST_CASE("exports: an e-mail address is found wherever it stands", "[replay][exports]") {
  for (const auto* text : {"a@b.de", " Jane.Doe@mail.example.org ", "mailto:a@b.de",
                           "Jane <jane@b.de>", "a@b.de;c@d.de", "to=a+b@c.de&x=1"}) {
    CHECK(has_email(text));
  }
  for (const auto* text : {"", "@", "@b.de", "a@b", "a@b.", "a @c.de", "a@@b.de", "@handle",
                           "https://a.de/@user.name"}) {
    CHECK_FALSE(has_email(text));
  }
}

TEST_CASE("exports: who was not to be recognised is no importer, and nobody else",
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

TEST_CASE("exports: values of other kinds are left out, and own files stay own",
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
  CHECK(std::holds_alternative<Error>(read.at(2)));
  const auto own = open_reader(
      "auto", R"({"name":"Sent","url":"https://a.de/","type":"x","messageId":"5","context":{}})",
      options("a.de"));
  CHECK(own->format == "ndjson");
}
