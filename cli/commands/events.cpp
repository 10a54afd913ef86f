#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"
#include "common/text/grouped.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Timeout of a removal. The server answers only when all events are removed, which takes minutes
/// if there are many.
constexpr std::chrono::hours kLongestRemoval{2};

ApiClient::Request request_of(const EventsOptions& options, bool is_dry) {
  ApiClient::Request request{"DELETE", site_path(options.site) + "/events", {}, true, true, {}, {},
                             {}};
  auto form = parameters_of(options.which);
  if (is_dry) form.emplace_back("dry_run", "true");
  request.path += "?" + encode_form(form);
  request.timeout = kLongestRemoval;
  return request;
}

/// Sends the request, and returns the number of events in the reply. With `is_dry`, the server
/// only counts the events.
Outcome<std::int64_t> send(const EventsOptions& options, bool is_dry, Context& context) {
  const auto reply = TRY(context.api.call(request_of(options, is_dry)));
  const auto body = TRY(body_of(reply, {"deleted"}));
  const auto events = body.find("events");
  if (events == body.end() || !events->is_number_integer()) return bad_answer();
  return events->get<std::int64_t>();
}

std::string events(std::int64_t count) {
  return grouped(count) + (count == 1 ? " event" : " events");
}

}  // namespace

Outcome<ExitCode> delete_events(const EventsOptions& options, Context& context) {
  if (parameters_of(options.which).empty()) {
    return give_up(ExitCode::kUsage,
                   "events delete requires --from, --to, --page, --source, --prop, --import or"
                   " --visitor-of",
                   "usage");
  }
  const auto count = TRY(send(options, true, context));
  const auto print = [&](bool is_deleted, const char* outcome, const std::string& text) {
    return print_object({{"deleted", is_deleted ? "true" : "false"}, {"events", count}}, outcome,
                        text, context);
  };
  if (context.settings.dry_run) {
    return print(false, "unchanged", "would delete " + events(count) + " of " + options.site);
  }
  if (count == 0) return print(true, "unchanged", "no event is selected");
  TRY(confirm_domain("This deletes " + events(count) + " of " + options.site, options.site,
                     options.confirm, context));
  if (context.err_is_terminal && !context.settings.quiet) {
    context.err << "waiting until nothing of them is left on the server, a minute or more\n";
  }
  // A request repeated after a lost reply finds no events, so the earlier count is printed.
  TRY(send(options, false, context));
  return print(true, "deleted", "deleted " + events(count) + " of " + options.site);
}

}  // namespace analytics::cli
