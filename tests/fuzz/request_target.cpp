// Fuzzes the framing checks and the request reader: the result is the same however the bytes are
// split.
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/http/request_reader.h"
#include "tests/fuzz/require.h"

namespace {

using analytics::http::RequestReader;
using Step = RequestReader::Step;
constexpr std::size_t kBodyLimit = 1'000;

/// Reads requests from the bytes in pieces of `piece` bytes, as a connection does. Returns a line
/// for each request, then the HTTP status if one was refused.
std::vector<std::string> read_all(std::string_view bytes, std::size_t piece) {
  static const analytics::http::framing::Limits limits{256, 1'024, 20};
  RequestReader reader(limits);
  std::vector<std::string> seen;
  while (true) {
    switch (reader.read()) {
      case Step::kHead: reader.begin_body(kBodyLimit); break;
      case Step::kContinue: break;
      case Step::kRequest:
        REQUIRE_PROPERTY(reader.request().body.size() <= kBodyLimit);
        seen.push_back(std::string(reader.request().head.target) + "|" + reader.request().body);
        if (!reader.keep_alive()) return seen;
        reader.finish();
        break;
      case Step::kRefused: seen.push_back(std::to_string(reader.status())); return seen;
      case Step::kNeedMore:
        if (bytes.empty()) return seen;
        reader.append(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = read_all(bytes, bytes.size() + 1);
  const auto bytewise = read_all(bytes, 1);
  // Limits may apply earlier when bytes arrive one by one. Requests accepted by both must be equal.
  const auto common = std::min(whole.size(), bytewise.size());
  for (std::size_t i = 0; i < common; ++i) {
    const bool refused = whole[i].size() == 3 || bytewise[i].size() == 3;
    if (!refused) REQUIRE_PROPERTY(whole[i] == bytewise[i]);
  }
  return 0;
}
