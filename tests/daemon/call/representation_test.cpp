#include "daemon/call/representation.h"

#include "common/io/decompress.h"
#include "tests/support/catch.h"

namespace analytics::test::representation_test {

using api::Keep;

namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

/// Keeps what is sent to it.
class Recipient final : public http::Responder::Client {
 public:
  explicit Recipient(http::Response& sent) : sent_(sent) {}
  void send(http::Response response) override { sent_ = std::move(response); }

 private:
  http::Response& sent_;
};

http::Response represented(const Fields& fields, http::Response response, Keep keep = Keep::kAsk,
                           http::Method method = http::Method::kGet) {
  http::Request request;
  request.head.method = method;
  request.head.fields = fields;
  http::Response sent;
  const http::Responder respond(std::make_unique<Recipient>(sent));
  api::represented(request, keep, respond)(std::move(response));
  return sent;
}

const std::string kLong(2'000, 'x');

http::Response json(const std::string& body) { return {200, "application/json", body}; }

}  // namespace

TEST_CASE("representation: gzip is taken where Accept-Encoding says so", "[call]") {
  for (const auto* yes :
       {"gzip", "deflate, GZIP", "gzip;q=0.5", "*", "*;q=0.1", "br, gzip ; q=1"}) {
    CHECK(api::accepts_gzip(yes));
  }
  for (const auto* no :
       {"", "identity", "gzip;q=0", "gzip;q=0.0", "*;q=0", "*, gzip;q=0", "xgzip"}) {
    CHECK_FALSE(api::accepts_gzip(no));
  }
}

TEST_CASE("representation: a tag is known by weak comparison", "[call]") {
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
  const auto written =
      represented({{"If-None-Match", tag}}, json("{}"), Keep::kAsk, http::Method::kPost);
  CHECK(written.status() == 200);
}

TEST_CASE("representation: others keep what the program alone changes, and nothing else",
          "[call]") {
  CHECK(represented({}, json("{}")).field("Cache-Control") == "private, no-cache");
  CHECK(represented({}, json("{}"), Keep::kHour).field("Cache-Control") == "public, max-age=3600");
  const auto error = represented({}, {404, "application/json", "{}"});
  CHECK(error.field("ETag").empty());
  CHECK(error.field("Cache-Control").empty());
}

}  // namespace analytics::test::representation_test
