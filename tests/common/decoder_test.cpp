#include "common/io/decoder.h"

#include "tests/support/catch.h"

namespace analytics::test::decoder_test {

namespace {

using namespace std::string_view_literals;

constexpr auto kUtf16 = "\xFF\xFE\x61\x00\x2D\x4E\x62\x00\x3D\xD8\x00\xDE"sv;
constexpr auto kBig5 = "\x61\xA4\xA4\x62"sv;
constexpr auto kText = "\x61\xE4\xB8\xAD\x62\xF0\x9F\x98\x80"sv;
constexpr auto kReplaced = "\xEF\xBF\xBD"sv;

/// Decodes the bytes in pieces of `size` bytes, and returns the whole text.
std::string decode(const std::string& encoding, std::string_view bytes, std::size_t size) {
  auto decoder = Decoder::make(encoding);
  REQUIRE(decoder);
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    decoder->decode(bytes.substr(0, size), text);
  }
  decoder->finish(text);
  return text;
}

}  // namespace

TEST_CASE("decoder: characters are complete however their bytes are split", "[common]") {
  for (std::size_t size = 1; size <= kUtf16.size(); ++size) {
    INFO(size);
    CHECK(decode("UTF-16", kUtf16, size) == kText);
    CHECK(decode("Big5", kBig5, size) == kText.substr(0, 5));
    CHECK(decode("windows-1252", "\x6B\xE4\x73"sv, size) == "\x6B\xC3\xA4\x73"sv);
  }
  const std::string large(100'000, '\xE4');
  CHECK(decode("latin1", large, large.size()).size() == 2 * large.size());
}

TEST_CASE("decoder: invalid bytes are replaced, and nothing after them is lost", "[common]") {
  const std::string bad(kReplaced);
  CHECK(decode("UTF-8", "\x61\xFF\x62"sv, 1) == "a" + bad + "b");
  CHECK(decode("UTF-8", "\x61\xC3"sv, 2) == "a" + bad);
  CHECK(decode("UTF-16LE", "\x61\x00\x62"sv, 3) == "a" + bad);
  for (std::size_t size = 1; size < 8; ++size) {  // the text ends with half a surrogate pair
    CHECK(decode("UTF-16LE", "\x61\x00\x00\xDC\x62\x00\x0A\x00"sv, size) == "a" + bad + "b\n");
  }
  CHECK(decode("UTF-32LE", "\xFF\xFF\xFF\x7F\x62\x00\x00\x00"sv, 8) == bad + "b");
  CHECK_FALSE(Decoder::make("no such encoding"));
  CHECK(Decoder::is_utf16("\xFE\xFF"sv));
  CHECK_FALSE(Decoder::is_utf16("\xEF\xBB\xBF"sv));
}

}  // namespace analytics::test::decoder_test
