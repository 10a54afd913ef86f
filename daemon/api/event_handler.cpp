#include <nlohmann/json.hpp>

#include "common/event/event_payload.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/ingest/pipeline.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

struct Drop {
  std::string domain;
  EventOutcome reason;
};

http::Response accepted(const std::vector<Drop>& drops, const std::vector<std::string>& ignored) {
  http::Response response(202, "application/json", "{}");
  if (!drops.empty()) {
    std::string list;
    for (const auto& drop : drops) {
      if (!list.empty()) list += ", ";
      list += header_safe(drop.domain) + '=' + std::string(outcome_name(drop.reason));
    }
    response.set(header::kDropped, list).set(header::kDroppedCount, std::to_string(drops.size()));
  }
  name_ignored(response, ignored);
  return response;
}

/// Returns the API key that an event is sent with. Returns null for an ordinary visitor, including
/// one whose Authorization header is for another service. Errors: those of authenticate().
Result<const ApiKey*> sending_key(const IntakeContext& context, const Call& call) {
  const auto authorization = call.request.head.field("Authorization");
  if (!bearer_token(authorization).starts_with(kKeyPrefix)) return nullptr;
  return authenticate(context, call.request.head, call.request.peer, *call.snapshot);
}

Status check_request(const http::Head& head) {
  const auto type = media_type(head.field("Content-Type"));
  const auto encoding = head.field("Content-Encoding");
  if ((type != "application/json" && type != "text/plain") ||
      (!encoding.empty() && !iequals(encoding, "identity"))) {
    return fail(ErrorCode::kUnsupportedMediaType,
                "Send application/json or text/plain, uncompressed.");
  }
  return {};
}

ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json explain_event(const Prepared& one, const DirectorySnapshot& directory,
                           const ApiKey* key) {
  ordered_json shown = {{"site", one.site == nullptr ? one.domain : one.site->domain},
                        {"dropped", nullptr}};
  const bool is_owner = one.site != nullptr && key != nullptr &&
                        key->account == one.site->account && key->allows_site(one.site->domain);
  if (one.drop && (is_owner || !one.excluded_by_address)) {
    shown["dropped"] = outcome_name(*one.drop);
  }
  if (one.site == nullptr) return shown;
  const auto& event = one.event;
  shown["name"] = event.name;
  shown["time"] = format_rfc3339(std::chrono::floor<std::chrono::seconds>(event.time));
  shown["hostname"] = event.hostname;
  shown["page"] = event.path;
  shown["referrer"] = or_null(event.referrer);
  shown["source"] = or_null(event.source);
  shown["channel"] = channel_name(event.channel);
  for (std::size_t i = 0; i < kUtmTags; ++i) {
    shown[std::string(kUtmNames[i])] = or_null(event.utm[i]);
  }
  for (const auto& part : kClientParts) {
    shown[std::string(part.name)] = or_null((*event.client).*part.text);
  }
  for (const auto& part : kPlaceParts) {
    shown[std::string(part.name)] = or_null((*event.place).*part.text);
  }
  shown["screen"] = or_null(std::string(screen_name(event.screen)));
  shown["language"] = or_null(language_code(event.language));
  shown["props"] = event.props.empty() ? ordered_json::object() : ordered_json::parse(event.props);
  shown["interactive"] = event.interactive;
  if (event.engagement.millis) shown["e"] = *event.engagement.millis;
  if (event.engagement.scroll_depth) shown["sd"] = *event.engagement.scroll_depth;
  if (is_owner) {
    shown["goals"] = ordered_json::array();
    for (const auto& goal : directory.goals(one.site->id)) {
      if (goal_matches(goal, event.name, event.path))
        shown["goals"].push_back(std::to_string(goal.id));
    }
  }
  return shown;
}

http::Response explain(const PreparedEvents& prepared, const EventPayload& payload,
                       const DirectorySnapshot& directory, const ApiKey* key) {
  ordered_json body;
  body["client"] = {{"address", prepared.client.address},
                    {"from", payload.ip                  ? "ip"
                             : prepared.client.forwarded ? "X-Forwarded-For"
                                                         : "peer"}};
  body["bot"] = or_null(prepared.bot);
  body["redacted"] = payload.withheld;
  body["events"] = ordered_json::array();
  for (const auto& one : prepared.sites)
    body["events"].push_back(explain_event(one, directory, key));
  auto response = json_response(body.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  name_ignored(response, payload.ignored);
  return response;
}

/// Answers with the event as it would be stored, without storing it. Asks the writer, which alone
/// knows visits, idempotency keys and limits. Makes the answer on a worker, because matching a
/// thousand goals takes too long for an HTTP thread.
void explain_later(const IntakeContext& context, PreparedEvents prepared, EventPayload payload,
                   const Call& call, const ApiKey* key, http::Responder respond) {
  struct Work {
    PreparedEvents prepared;
    EventPayload payload;
    // `prepared` and `key` point into the snapshot
    std::shared_ptr<const DirectorySnapshot> snapshot;
    const ApiKey* key;
    http::Responder respond;
  };
  std::vector<Event> undecided;
  for (const auto& one : prepared.sites) {
    if (!one.drop) undecided.push_back(one.event);
  }
  auto work = std::make_shared<Work>(
      Work{std::move(prepared), std::move(payload), call.snapshot, key, std::move(respond)});
  const auto answer = [&context, work](Result<std::vector<EventOutcome>> outcomes) {
    const bool queued = context.workers.submit([work, outcomes = std::move(outcomes)](std::size_t) {
      if (!outcomes) return work->respond(error_response(outcomes.error()));
      auto outcome = outcomes->begin();
      for (auto& one : work->prepared.sites) {
        if (one.drop) continue;
        if (*outcome != EventOutcome::kStored) one.drop = *outcome;
        ++outcome;
      }
      work->respond(explain(work->prepared, work->payload, *work->snapshot, work->key));
    });
    if (!queued) {
      work->respond(error_response({ErrorCode::kOverloaded, "Too many requests are waiting.", {}}));
    }
  };
  if (!context.writer.judge(std::move(undecided), answer)) {
    work->respond(error_response({ErrorCode::kOverloaded, "Too many requests are waiting.", {}}));
  }
}

/// Queues the events for the writer, and answers once they are on disk.
void store_events(const IntakeContext& context, PreparedEvents prepared,
                  std::vector<std::string> ignored, UnixSeconds now, http::Responder respond) {
  std::vector<Drop> drops;
  std::vector<std::string> domains;
  Submission submission;
  for (auto& one : prepared.sites) {
    if (one.drop) {
      if (one.site == nullptr) {
        context.counters.count_unknown(one.domain, now);
      } else {
        context.counters.count_drop(one.site->id, *one.drop, now);
      }
      drops.push_back({std::move(one.domain), *one.drop});
    } else {
      submission.events.push_back(std::move(one.event));
      domains.push_back(std::move(one.domain));
    }
  }
  if (submission.events.empty()) return respond(accepted(drops, ignored));
  submission.done = [respond, drops = std::move(drops), domains = std::move(domains),
                     ignored =
                         std::move(ignored)](Result<std::span<const EventOutcome>> stored) mutable {
    if (!stored) return respond(error_response(stored.error()));
    for (std::size_t i = 0; i < stored->size(); ++i) {
      if ((*stored)[i] != EventOutcome::kStored) drops.push_back({domains[i], (*stored)[i]});
    }
    respond(accepted(drops, ignored));
  };
  if (!context.writer.submit(submission)) {
    respond(error_response({ErrorCode::kOverloaded, "The queue is full; try again.", {}}));
  }
}

/// The client that sent an event, and the time at which the event arrived.
struct Sender {
  const ApiKey* key;  ///< Null for an ordinary visitor.
  std::string_view idempotency_key;
  UnixMillis now;
};

/// Counts an event of the client. Returns true if the client has sent too many events within the
/// minute. Clients with an API key have no limit.
bool is_over_limit(const IntakeContext& context, const PreparedEvents& prepared,
                   const Sender& sender, const Settings& settings) {
  const auto most = settings.max_events_per_address;
  const auto& client = prepared.limited_client;
  if (most == 0 || sender.key != nullptr || !client) return false;
  return !context.address_throttle.admit(*client, most, context.now_in_seconds());
}

/// Processes an event with a valid payload: stores it, refuses it, or, if the client sent
/// X-Debug-Request, explains it.
void take_event(const IntakeContext& context, const Call& call, EventPayload payload,
                const Sender& sender, http::Responder respond) {
  const auto& head = call.request.head;
  const EventSource source{
      call.request.peer,
      head.joined("X-Forwarded-For"),
      head.field("User-Agent"),
      sender.key == nullptr ? head.field("Accept-Language") : "",
      sender.idempotency_key,
      sender.key,
      false,
      false,
      sender.now,
      false,
      {head.field("Sec-CH-UA"), head.field("Sec-CH-UA-Mobile"), head.field("Sec-CH-UA-Platform"),
       head.field("Sec-CH-UA-Platform-Version"), head.field("Sec-CH-UA-Model")}};
  const auto enrichment = context.enricher.snapshot();
  const auto settings = context.settings.snapshot();
  auto prepared = prepare_events(
      payload, source,
      {*call.snapshot, *enrichment, settings->trusted_proxies, settings->default_keep});
  if (iequals(head.field(header::kDebugRequest), "true")) {
    return explain_later(context, std::move(prepared), std::move(payload), call, sender.key,
                         std::move(respond));
  }
  if (is_over_limit(context, prepared, sender, *settings)) {
    return respond(error_response(
        {ErrorCode::kRateLimited, "Too many events from this address; wait a minute.", {}}));
  }
  if (const auto refusal = context.refusal_of_events()) return respond(error_response(*refusal));
  const auto stale = context.refusal_of_activities([&](const auto& take) {
    for (const auto& one : prepared.sites) {
      if (!one.drop) take(activity_of(one.event));
    }
  });
  if (stale) return respond(error_response(*stale));
  const auto whole_now = std::chrono::floor<std::chrono::seconds>(sender.now);
  // AddressWatch finds proxies that hide the visitors' addresses; the address of a client that
  // imports events proves nothing.
  if (!payload.uses_import_rights) {
    if (prepared.client.forwarded && settings->trusted_proxies.empty()) {
      context.watch.saw_unverified();
    }
    for (const auto& one : prepared.sites) {
      if (one.drop) continue;
      context.watch.saw(*one.site, prepared.client.address, source.user_agent, whole_now);
    }
  }
  store_events(context, std::move(prepared), std::move(payload.ignored), whole_now,
               std::move(respond));
}

/// A GIF with one transparent pixel.
constexpr std::string_view kPixel(
    "GIF89a\1\0\1\0\x80\0\0\0\0\0\0\0\0\x21\xf9\4\1\0\0\0\0\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0\x3b",
    43);

http::Response pixel_response(const http::Response& answered) {
  if (answered.status() != 202) return answered;
  http::Response pixel(200, "image/gif", std::string(kPixel));
  pixel.set("Cache-Control", "no-store");
  for (const auto* name : {header::kDropped, header::kDroppedCount}) {
    if (const auto value = answered.field(name); !value.empty()) pixel.set(name, value);
  }
  return pixel;
}

}  // namespace

void post_event(const IntakeContext& context, const Call& call, http::Responder respond) {
  const auto& head = call.request.head;
  const auto now = context.clock.now();
  const auto key = sending_key(context, call);
  if (!key) return respond(error_response(key.error()));
  const auto idempotency_key = read_idempotency_key(head);
  if (!idempotency_key) return respond(error_response(idempotency_key.error()));
  if (const auto fine = check_request(head); !fine) return respond(error_response(fine.error()));
  const bool may_import = *key != nullptr && (*key)->allows(Scope::kEventsImport);
  auto payload = parse_event_payload(call.request.body, {may_import, now});
  if (!payload) return respond(error_response(payload.error()));
  take_event(context, call, std::move(*payload), {*key, *idempotency_key, now}, std::move(respond));
}

void get_pixel(const IntakeContext& context, const Call& call, http::Responder respond) {
  const auto& head = call.request.head;
  const auto value = [&](const char* name) { return query_value(head.query, name); };
  auto url = value("u");
  if (url.empty()) url = head.field("Referer");
  auto name = value("n");
  if (name.empty()) name = kPageview;
  const ordered_json body = {{"d", value("d")}, {"n", name}, {"u", url}, {"r", value("r")}};
  const auto now = context.clock.now();
  auto payload = parse_event_payload(
      body.dump(-1, ' ', false, ordered_json::error_handler_t::replace), {false, now});
  if (!payload) return respond(error_response(payload.error()));
  const auto answered =
      respond.changing([](const http::Response& response) { return pixel_response(response); });
  if (head.method == http::Method::kHead) return answered(accepted({}, {}));
  take_event(context, call, std::move(*payload), {nullptr, {}, now}, answered);
}

}  // namespace analytics::api
