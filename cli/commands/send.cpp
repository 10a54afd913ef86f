#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"
#include "cli/replay/progress/accounting.h"
#include "common/event/event_payload.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

std::vector<std::string> to_names(const std::string& list) {
  std::vector<std::string> names;
  for (const auto name : split(list, ',')) names.emplace_back(trim(name));
  return names;
}

Outcome<EventPayload> to_payload(const SendOptions& options) {
  EventPayload payload;
  payload.domains = {options.site};
  payload.name = options.name;
  payload.url = options.url;
  payload.referrer = options.referrer;
  for (const auto& pair : options.props) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return give_up(ExitCode::kUsage, "--prop takes key=value", "usage");
    }
    payload.props.push_back({pair.substr(0, equals), pair.substr(equals + 1)});
  }
  return payload;
}

}  // namespace

Outcome<ExitCode> send_event(const SendOptions& options, Context& context) {
  const auto payload = TRY(to_payload(options));
  ApiClient::Request request{"POST", "/api/event", {}, true, false, {}, to_json(payload)};
  if (!options.user_agent.empty()) request.headers.emplace_back("User-Agent", options.user_agent);
  if (!options.ip.empty()) request.headers.emplace_back("X-Forwarded-For", options.ip);
  if (options.explain) {
    request.headers.emplace_back(header::kDebugRequest, "true");
  } else {
    // The event must not count twice if it is sent again after a lost reply.
    request.headers.emplace_back(header::kIdempotencyKey, random_base62(32));
  }
  if (context.settings.dry_run) return print_request(request, context);
  if (options.explain && check_key(context.settings)) request.needs_key = true;
  const auto reply = TRY(context.api.call(request));
  if (options.explain) {
    const auto body = TRY(body_of(reply));
    const bool json = context.settings.output == OutputForm::kJson;
    context.out << body.dump(json ? -1 : 2, ' ', !json) << '\n';
    return ExitCode::kOk;
  }
  const std::string dropped(reply.header(header::kDropped));
  const auto drops = dropped.empty() ? 0 : split(dropped, ',').size();
  const auto named = distinct_domains(to_names(options.site));
  if (drops < named || dropped.ends_with("=duplicate")) {
    return print_object(nlohmann::ordered_json::object(), "accepted", "accepted", context);
  }
  print_object({{"dropped", dropped}}, "dropped", "dropped: " + dropped, context);
  return ExitCode::kPartial;
}

}  // namespace analytics::cli
