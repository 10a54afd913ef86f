#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/handlers.h"
#include "daemon/api/selection_params.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"

namespace analytics::api {
namespace {

http::Response removed_response(bool is_removed, std::int64_t events) {
  const nlohmann::ordered_json body = {{"deleted", is_removed ? "true" : "false"},
                                       {"events", events}};
  return json_response(body.dump());
}

/// Parses which events to remove; refuses a request that would select all events of the site.
/// Errors: those of read_selection(); kMissingScope; kMissingParameter.
Result<AskedSelection> read_removal(const Call& call, const Site& site) {
  if (!call.key->allows(Scope::kStatsRead)) {
    return fail(ErrorCode::kMissingScope,
                "This key must have the scope stats:read, too: the answer counts events.");
  }
  auto asked = read_selection(call.params, site);
  if (asked && !asked->is_limited()) {
    return fail({ErrorCode::kMissingParameter,
                 "from, to, page, source, prop, import or visitor_of is required.",
                 {{"from", "or another selection of events is required"}}});
  }
  return asked;
}

/// Counts the selected events and returns the response with that number. `are_removed`: false for a
/// dry run.
Result<http::Response> counted_response(bool are_removed, const EventSelection& what,
                                        store::Reader& reader) {
  return naming_nodes([&](store::Reader& from) -> Result<http::Response> {
    const auto count = TRY(from.events->count(what));
    return removed_response(are_removed, count);
  })(reader);
}

void count_events(const EventSelection& what, store::Reader& reader,
                  const http::Responder& respond) {
  const auto counted = counted_response(false, what, reader);
  respond(counted ? *counted : error_response(counted.error()));
}

/// Removes the events from this daemon's store. Answers once their bytes are erased from the files,
/// which may take minutes.
void remove_events(const ChangeContext& context, const EventSelection& what,
                   const http::Responder& respond) {
  const bool queued =
      context.writer.remove(what, [&context, respond](Result<std::int64_t> removed) {
        if (removed) return respond(removed_response(true, *removed));
        context.note_failure("a removal of events failed", removed.error());
        respond(error_response(removed.error()));
      });
  if (!queued) respond(error_response(ErrorCode::kOverloaded, "Too many changes are waiting."));
}

/// Removes the events from all nodes of the cluster. Answers with their number once every running
/// node has begun to remove them.
void remove_from_cluster(const ChangeContext& context, const EventSelection& what,
                         store::Reader& reader, const http::Responder& respond) {
  const auto counted = counted_response(true, what, reader);
  if (!counted) return respond(error_response(counted.error()));
  context.provisioning.remove_everywhere(
      what, context.now_in_seconds(), [respond, removed = *counted](const Status& ordered) {
        respond(ordered ? removed : error_response(ordered.error()));
      });
}

}  // namespace

void delete_events(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto is_dry = call.params.flag("dry_run");
  if (!is_dry) return respond(error_response(is_dry.error()));
  const auto asked = read_removal(call, *site);
  if (!asked) return respond(error_response(asked.error()));
  work_on_analyst(
      context, lane_of_site(context, site->id),
      [&context, asked = *asked, is_dry = is_dry->value_or(false)](store::Reader& reader,
                                                                   const http::Responder& answer) {
        const auto what = resolve(asked, reader);
        if (!what) return answer(error_response(what.error()));
        if (is_dry) return count_events(*what, reader, answer);
        // Only this node has the events of an import, so no other node need remove any.
        if (context.provisioning.is_shared() && what->import == 0) {
          return remove_from_cluster(context, *what, reader, answer);
        }
        remove_events(context, *what, answer);
      },
      std::move(respond));
}

}  // namespace analytics::api
