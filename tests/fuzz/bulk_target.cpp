// Fuzzes bulk requests: decompression stays within its limit, and every line gets one verdict.
#include <cstdint>

#include "common/io/decompress.h"
#include "daemon/ingest/bulk.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

constexpr std::size_t kMax = 65'536;

store::Directory directory() {
  store::Directory all;
  all.sites.push_back({1, 1, "a.de", "Etc/UTC", {}, {}});
  return all;
}

void read(std::string_view text) {
  static const DirectorySnapshot snapshot(directory());
  static const ApiKey key = [] {
    ApiKey one;
    one.account = 1;
    return one;
  }();
  static const Enrichment enrichment;
  static const std::vector<Network> no_proxies;
  EventSource source;
  source.peer = "127.0.0.1";
  source.key = &key;
  source.own_sites_only = true;
  source.now = UnixMillis(std::chrono::milliseconds(1'800'000'000'000));
  const auto bulk =
      read_bulk(text, source, {snapshot, enrichment, no_proxies, Retention()}, {kMax, 100, 1'000});
  if (!bulk) return;
  store::BulkResult result;
  result.outcomes.assign(bulk->events.size(), EventOutcome::kStored);
  const auto summary = summarise(*bulk, result);
  REQUIRE_PROPERTY(static_cast<std::size_t>(summary.accepted + summary.duplicate + summary.dropped +
                                            summary.rejected) == bulk->lines.size());
  std::size_t named = 0;
  for (const auto& problem : summary.problems) named += problem.count;
  REQUIRE_PROPERTY(named + static_cast<std::size_t>(summary.accepted) == bulk->lines.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size <= kMax) read(bytes);
  for (const auto coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    if (const auto text = decompress(bytes, coding, kMax)) {
      REQUIRE_PROPERTY(text->size() <= kMax);
      read(*text);
    }
  }
  return 0;
}
