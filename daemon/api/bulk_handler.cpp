#include "common/io/decompress.h"
#include "common/wire/api_types.h"
#include "daemon/api/bulk_request.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/ingest/bulk.h"

namespace analytics::api {
namespace {

/// Time for which the answer to an Idempotency-Key is stored.
constexpr std::chrono::hours kAnswerLife{24 * 7};

/// A bulk request on its way through an importer thread and the writer, after its handler returned.
struct BulkWork {
  const http::Request& request;  // lives until the responder is called
  http::Responder respond;
  std::shared_ptr<const DirectorySnapshot> snapshot;
  ApiKey key;
  UnixMillis now;
  std::optional<ImportRange> range{};
  /// Range that the writer must get before this one (header Import-After).
  std::optional<ByteRange> after{};
  std::string_view idempotency_key{};
  ContentCoding coding = ContentCoding::kIdentity;
  /// True if events that are stored already are recognised by their ids (header Import-Dedupe).
  bool dedupe_ids = false;
  BulkEvents events{};
  std::shared_ptr<void> hold{};  ///< Memory reserved for the parsed events.
  /// Place in the order of the import's requests; null if the request has no range.
  std::unique_ptr<ImportOrder::Turn> turn{};
};

std::string answer_text(const BulkEvents& events, const store::BulkResult& result) {
  return summary_text(summarise(events, result), result.is_repeat);
}

/// Parses the headers Import-Id, Import-Source and Import-Range, which are valid only together, and
/// the optional Import-Log. Returns nullopt if all are absent. Errors: kInvalidParameter.
Result<std::optional<ImportRange>> read_range(const http::Head& head) {
  const bool is_import = head.has_field(header::kImportId) ||
                         head.has_field(header::kImportSource) ||
                         head.has_field(header::kImportRange) || head.has_field(header::kImportLog);
  if (!is_import) return std::nullopt;
  if (!head.has_field(header::kImportId)) {
    return fail(bad_header(header::kImportId, kGoesWithOthers));
  }
  auto range = TRY(read_import_range(head, std::string(head.field(header::kImportId))));
  range.log = head.field(header::kImportLog);
  if (!range.log.empty() && !is_import_name(range.log)) {
    return fail(bad_header(header::kImportLog, kImportNameRule));
  }
  return std::optional(std::move(range));
}

/// Parses the request's header fields into `work`. Errors: kUnsupportedMediaType,
/// kInvalidParameter.
Status read_head(const http::Head& head, BulkWork& work) {
  work.coding = TRY(read_ndjson_coding(head));
  work.range = TRY(read_range(head));
  if (head.has_field(header::kImportAfter)) {
    work.after = parse_byte_range(head.field(header::kImportAfter));
    if (!work.range || !work.after) {
      return fail(bad_header(header::kImportAfter, "must be <from>-<to>, beside Import-Range"));
    }
  }
  const auto dedupe = head.field(header::kImportDedupe);
  if (!dedupe.empty() && dedupe != "id") {
    return fail(bad_header(header::kImportDedupe, "must be: id"));
  }
  work.dedupe_ids = !dedupe.empty();
  work.idempotency_key = TRY(read_idempotency_key(head));
  return {};
}

/// Adds the request's dropped events and unknown sites to the counters, except those that an
/// earlier request with the same range has counted.
void count_drops(const IntakeContext& context, const BulkWork& work,
                 const store::BulkResult& stored) {
  const auto now = std::chrono::floor<std::chrono::seconds>(work.now);
  if (!stored.was_sent) {
    for (const auto& domain : work.events.unknown_domains) {
      context.counters.count_unknown(domain, now);
    }
  }
  for (std::size_t i = 0; i < work.events.drops.size(); ++i) {
    const auto& [site, line, reason] = work.events.drops[i];
    if (!stored.drop_was_known[i]) context.counters.count_drop(site, reason, now);
  }
}

void answer_bulk(const IntakeContext& context, const std::shared_ptr<BulkWork>& work,
                 const Result<store::BulkResult>& stored) {
  if (!stored) return work->respond(error_response(stored.error()));
  if (!stored->first_answer) count_drops(context, *work, *stored);
  work->respond(json_response(stored->first_answer ? *stored->first_answer
                                                   : answer_text(work->events, *stored)));
}

/// Moves the parsed events into a submission for the writer, with the idempotency key and the
/// import range that protect it from being stored twice. `text`: the decompressed body.
BulkSubmission submission_of(const IntakeContext& context, const std::shared_ptr<BulkWork>& work,
                             const std::string& text) {
  const auto now = std::chrono::floor<std::chrono::seconds>(work->now);
  BulkSubmission submission;
  submission.account = work->key.account;
  submission.events = std::move(work->events.events);
  if (work->range) {
    set_content(*work->range, text);
    work->range->account = work->key.account;
    work->range->only_sites = work->key.sites;
  }
  if (!work->idempotency_key.empty()) {
    auto scope = "batch " + std::to_string(work->key.account);
    // The sites that the API key is limited to are part of the scope, so that API keys for
    // different sites cannot collide in an idempotency key.
    for (const auto& site : work->key.sites) scope += '\n' + site;
    // The same body with other Import-* headers is another request.
    const auto& head = work->request.head;
    const auto content = digest_of({text});
    const std::string_view hash(reinterpret_cast<const char*>(content.data()), content.size());
    submission.key = {
        digest_of({scope, work->idempotency_key}),
        digest_of({hash, head.field(header::kImportId), head.field(header::kImportSource),
                   head.field(header::kImportRange), head.field(header::kImportLog)}),
        now + kAnswerLife};
  }
  submission.lines = work->events.lines_of_events;
  submission.drops = work->events.drops;
  submission.range = std::move(work->range);
  submission.answer = [work](const store::BulkResult& result) {
    return answer_text(work->events, result);
  };
  submission.done = [&context, work](const Result<store::BulkResult>& stored) {
    answer_bulk(context, work, stored);
  };
  return submission;
}

void refuse_order(const BulkWork& work) {
  work.respond(error_response(ErrorCode::kOutOfOrder,
                              "The range of Import-After did not come first; send this one again "
                              "when that was answered."));
}

/// Passes the submission to the writer, and lets the next request of the import follow.
void submit(const IntakeContext& context, const std::shared_ptr<BulkWork>& work,
            BulkSubmission submission) {
  const bool is_taken = context.writer.submit(std::move(submission));
  if (work->turn != nullptr) work->turn->end(is_taken);
  if (!is_taken) {
    work->respond(error_response(ErrorCode::kOverloaded, "The service is shutting down."));
  }
}

/// Calls submit() once the range in `work->after`, if any, was submitted. Refuses the request if
/// that range failed.
void submit_in_order(const IntakeContext& context, const std::shared_ptr<BulkWork>& work,
                     BulkSubmission submission) {
  if (work->turn == nullptr) return submit(context, work, std::move(submission));
  // std::function must be copyable, but a submission is not.
  const auto kept = std::make_shared<BulkSubmission>(std::move(submission));
  work->turn->when_next([&context, work, kept](bool is_next) {
    if (!is_next) return refuse_order(*work);
    submit(context, work, std::move(*kept));
  });
}

/// Returns the existing sites that the request's events and drops belong to.
std::set<SiteId> sites_of(const BulkEvents& events) {
  std::set<SiteId> sites;
  for (const auto& event : events.events) sites.insert(event.site);
  for (const auto& drop : events.drops) sites.insert(drop.site);
  sites.erase(0);  // 0 stands for unknown sites
  return sites;
}

/// Decompresses, parses and submits the request. Runs on an importer thread.
void read_and_submit(const IntakeContext& context, const std::shared_ptr<BulkWork>& work) {
  const auto settings = context.settings.snapshot();
  const BulkLimits limits{.bytes = settings->bulk_body};
  const auto& request = work->request;
  const auto text = decompress(request.body, work->coding, limits.bytes);
  if (!text) return work->respond(error_response(text.error()));
  const EventSource source{request.peer,
                           request.head.joined("X-Forwarded-For"),
                           request.head.field("User-Agent"),
                           {},
                           {},
                           &work->key,
                           true,
                           work->dedupe_ids,
                           work->now,
                           work->range.has_value()};
  const auto enrichment = context.enricher.snapshot();
  auto events = read_bulk(
      *text, source,
      {*work->snapshot, *enrichment, settings->trusted_proxies, settings->default_keep}, limits);
  if (!events) return work->respond(error_response(events.error()));
  const auto refusal = context.refusal_of_activities([&](const auto& take) {
    for (const auto& event : events->events) take(activity_of(event));
  });
  if (refusal) return work->respond(error_response(*refusal));
  if (context.cluster.import_owners != nullptr && work->range) {
    if (auto ours = context.cluster.import_owners->claim(*work->range, sites_of(*events)); !ours) {
      return work->respond(error_response(ours.error()));
    }
  }
  work->events = std::move(*events);
  // Reserve memory for the parsed events too, because the body's reservation does not cover them.
  const auto bytes = memory_of(work->events.events);
  // A request that can never fit gets 413 instead of 503, so that the client does not retry it.
  if (bytes + request.body.size() > context.memory.bulk_limit()) {
    return work->respond(
        error_response(ErrorCode::kBodyTooLarge,
                       "The events exceed the memory for bulk requests; send fewer lines."));
  }
  work->hold = context.memory.reserve_bulk(bytes, "");
  if (work->hold == nullptr) {
    return work->respond(error_response(ErrorCode::kOverloaded, "Too many imports at once."));
  }
  submit_in_order(context, work, submission_of(context, work, *text));
}

}  // namespace

void post_bulk(const IntakeContext& context, const Call& call, http::Responder respond) {
  if (const auto refusal = context.refusal_of_events()) {
    return respond(error_response(*refusal));
  }
  auto work = std::make_shared<BulkWork>(BulkWork{.request = call.request,
                                                  .respond = std::move(respond),
                                                  .snapshot = call.snapshot,
                                                  .key = *call.key,
                                                  .now = context.clock.now()});
  if (const auto fine = read_head(call.request.head, *work); !fine) {
    return work->respond(error_response(fine.error()));
  }
  if (work->range) {
    work->turn = context.import_order.arrive(work->key.account, *work->range, work->after);
    if (work->turn == nullptr) return refuse_order(*work);
  }
  work_on_importer(
      context, call.key->account, "a bulk request failed",
      [&context, work] { read_and_submit(context, work); }, work->respond);
}

}  // namespace analytics::api
