#include "daemon/call/representation.h"

#include "common/io/decompress.h"
#include "tests/support/catch.h"

namespace analytics::test::representation_test {

namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

/// Stores the response that is sent to it.
class Recipient final : public http::Responder::Client {
 public:
  explicit Recipient(http::Response& sent) : sent_(sent) {}
  void send(http::Response response) override { sent_ = std::move(response); }

 private:
  http::Response& sent_;
};

http::Response represented(const Fields& fields, http::Response response,
                           http::Method method = http::Method::kGet) {
  http::Request request;
  request.head.method = method;
  request.head.fields = fields;
  http::Response sent;
  const http::Responder respond(std::make_unique<Recipient>(sent));
  api::represented(request, respond)(std::move(response));
  return sent;
}

const std::string kLong(2'000, 'x');

http::Response json(const std::string& body) { return {200, "application/json", body}; }

}  // namespace

TEST_CASE("representation: gzip is used only if Accept-Encoding accepts it", "[call]") {
  for (const auto* yes :
       {"gzip", "deflate, GZIP", "gzip;q=0.5", "*", "*;q=0.1", "br, gzip ; q=1"}) {
    CHECK(api::accepts_gzip(yes));
  }
  for (const auto* no :
       {"", "identity", "gzip;q=0", "gzip;q=0.0", "*;q=0", "*, gzip;q=0", "xgzip"}) {
    CHECK_FALSE(api::accepts_gzip(no));
  }
}

TEST_CASE("representation: entity tags are compared weakly", "[call]") {
  for (const auto* yes : {"*", "\"a\"", "W/\"a\"", "\"b\", W/\"a\""}) {
    CHECK(api::names_tag(yes, "W/\"a\""));
  }
  for (const auto* no : {"", "a", "\"b\"", "W/\"ab\""}) CHECK_FALSE(api::names_tag(no, "W/\"a\""));
}

TEST_CASE("representation: long bodies are compressed for clients that accept it", "[call]") {
  const auto packed = represented({{"Accept-Encoding", "gzip"}}, json(kLong));
  CHECK(packed.field("Content-Encoding") == "gzip");
  CHECK(*decompress(packed.body(), ContentCoding::kGzip, 10'000) == kLong);
  const auto plain = represented({}, json(kLong));
  CHECK(plain.body() == kLong);
  CHECK(plain.field("Content-Encoding").empty());
  CHECK(plain.field("ETag") == packed.field("ETag"));
  CHECK(plain.field("Vary") == "Accept-Encoding");
  CHECK(represented({{"Accept-Encoding", "gzip"}}, json("{}")).body() == "{}");
}

TEST_CASE("representation: a client that has the body already gets 304 without it", "[call]") {
  const auto tag = std::string(represented({}, json("{}")).field("ETag"));
  const auto again = represented({{"If-None-Match", tag}}, json("{}"));
  CHECK(again.status() == 304);
  CHECK(again.body().empty());
  CHECK(again.field("ETag") == tag);
  CHECK(represented({{"If-None-Match", tag}}, json("[]")).status() == 200);
  const auto written = represented({{"If-None-Match", tag}}, json("{}"), http::Method::kPost);
  CHECK(written.status() == 200);
}

TEST_CASE("representation: only the client may cache an answer, and errors are not cached",
          "[call]") {
  CHECK(represented({}, json("{}")).field("Cache-Control") == "private, no-cache");
  const auto error = represented({}, {404, "application/json", "{}"});
  CHECK(error.field("ETag").empty());
  CHECK(error.field("Cache-Control").empty());
}

TEST_CASE("representation: an embedded file is compressed once and sent without a copy", "[call]") {
  const api::StaticFile file("text/css", kLong);
  const auto asked = [&](const Fields& fields) {
    http::Head head;
    head.method = http::Method::kGet;
    head.fields = fields;
    return file.answer(head);
  };
  const auto plain = asked({});
  CHECK(plain.body() == kLong);
  CHECK(plain.field("Cache-Control") == "public, max-age=3600");
  const auto packed = asked({{"Accept-Encoding", "gzip"}});
  CHECK(packed.field("Content-Encoding") == "gzip");
  CHECK(*decompress(packed.body(), ContentCoding::kGzip, 10'000) == kLong);
  CHECK(packed.body_memory() < 100);
  const std::string tag(plain.field("ETag"));
  CHECK(packed.field("ETag") == tag);
  const auto known = asked({{"If-None-Match", tag}, {"Accept-Encoding", "gzip"}});
  CHECK(known.status() == 304);
  CHECK(known.body().empty());
  CHECK(known.field("Content-Encoding").empty());
}

}  // namespace analytics::test::representation_test
