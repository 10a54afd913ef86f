#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "common/text/time.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;
constexpr std::int64_t kDefaultDays = 7;
constexpr std::int64_t kMaxDays = 400;

/// Returns the number of past days to list: the parameter `days`, by default 7. Errors:
/// kInvalidParameter.
Result<std::int64_t> read_days(const Params& params) {
  const auto* text = params.find("days");
  if (text == nullptr) return kDefaultDays;
  const auto days = parse_int(*text);
  if (days && *days >= 1 && *days <= kMaxDays) return *days;
  return fail({ErrorCode::kInvalidParameter,
               "days must be a number from 1 to 400.",
               {{"days", "must be a number from 1 to 400"}}});
}

}  // namespace

void list_drops(const ReadContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto days = read_days(call.params);
  if (!days) return respond(error_response(days.error()));
  const auto since =
      std::chrono::floor<std::chrono::hours>(context.clock.now()) - std::chrono::days(*days);
  read_on_worker(
      context, call.key->account,
      [site = site->id, since](store::Reader& reader) -> Result<http::Response> {
        const auto drops = TRY(reader.registry->list_drops(site, since));
        ordered_json body = {{"drops", ordered_json::array()}};
        for (const auto& drop : drops) {
          body["drops"].push_back({{"hour", format_rfc3339(drop.hour)},
                                   {"reason", outcome_name(drop.outcome)},
                                   {"count", drop.count}});
        }
        return json_response(body.dump());
      },
      std::move(respond));
}

}  // namespace analytics::api
