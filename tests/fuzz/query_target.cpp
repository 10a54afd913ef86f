// Fuzzes queries of the Stats API: bodies of v2, which are echoed and read again, and parameters
// of v1.
#include <cstdint>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"
#include "daemon/stats/parsing/v1_query.h"
#include "daemon/stats/parsing/v2_query.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

const Site& site() {
  static const Site kSite{1, 1, "a.de", "America/St_Johns", {}, {}};
  return kSite;
}
const std::vector<Goal>& goals() {
  static const std::vector<Goal> kGoals{{1, 1, GoalType::kEvent, "Signup"},
                                        {2, 1, GoalType::kPage, "/blog**"}};
  return kGoals;
}
constexpr UnixSeconds kNow = Days(std::chrono::year(2026) / 11 / 21) + std::chrono::hours(12);

/// Checks that a valid v2 query, echoed as in an answer, is parsed as the same query.
void check_v2(std::string_view text) {
  const auto body = json::parse_document(text);
  if (!body || !v2::site_id_of(*body)) return;
  const auto request = v2::parse(*body, {site(), goals(), kNow});
  if (!request) {
    REQUIRE_PROPERTY(!request.error().fields.empty());
    REQUIRE_PROPERTY(request.error().fields.front().field.starts_with("#"));
    return;
  }
  const auto said = v2::echo(*request, site().domain)
                        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto again = v2::parse(*json::parse_document(said), {site(), goals(), kNow});
  REQUIRE_PROPERTY(again.has_value());
  REQUIRE_PROPERTY(v2::echo(*again, site().domain)
                       .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) == said);
  REQUIRE_PROPERTY(again->query.selection.range == request->query.selection.range);
}

void check_v1(std::string_view text) {
  const auto lines = split(text, '\n');
  const auto word = [&](std::size_t i) { return i < lines.size() ? lines[i] : std::string_view(); };
  const v1::Words words{word(1), word(2), word(3), word(4), word(5),
                        word(6), word(7), word(8), word(9)};
  for (const auto parse : {v1::parse_aggregate, v1::parse_timeseries, v1::parse_breakdown}) {
    const auto request = parse(words, {site(), goals(), kNow});
    if (!request) REQUIRE_PROPERTY(!request.error().fields.empty());
    if (request)
      REQUIRE_PROPERTY(request->query.selection.range.from < request->query.selection.range.to);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('{')) {
    check_v2(text);
  } else {
    check_v1(text);
  }
  return 0;
}
