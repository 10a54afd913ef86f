#include "common/io/decompress.h"
#include "daemon/api/bulk_request.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/ingest/bulk_totals.h"

namespace analytics::api {
namespace {

/// A request with daily totals on its way through an importer thread and the writer, after its
/// handler returned.
struct TotalsWork {
  const http::Request& request;  // lives until the responder is called
  http::Responder respond;
  SiteId site = 0;
  ImportRange range;
  UnixMillis now;
  ContentCoding coding = ContentCoding::kIdentity;
  BulkTotals totals{};
  std::shared_ptr<void> hold{};  ///< Memory reserved for the parsed totals.
};

std::size_t memory_of(const std::vector<totals::ImportedTotal>& totals) {
  std::size_t bytes = totals.capacity() * sizeof(totals[0]);
  for (const auto& total : totals) bytes += total.value.capacity() + total.dimension.capacity();
  return bytes;
}

/// Returns the latest day that totals may have: tomorrow in UTC, because it has begun in some time
/// zones.
Days last_day(UnixMillis now) {
  return std::chrono::floor<std::chrono::days>(now) + std::chrono::days(1);
}

void store(const IntakeContext& context, const std::shared_ptr<TotalsWork>& work) {
  const bool queued = context.writer.import_totals(
      work->range.account, {work->site, work->range, work->totals.totals},
      [&context, work](const Result<store::RangeState>& stored) {
        if (!stored) {
          context.note_failure("imported totals were not stored", stored.error());
          return work->respond(error_response(stored.error()));
        }
        work->respond(json_response(summary_text(summarise(work->totals, *stored),
                                                 *stored == store::RangeState::kRepeated)));
      });
  if (!queued) {
    work->respond(error_response(ErrorCode::kOverloaded, "The service is ending."));
  }
}

/// Decompresses, parses and stores the totals. Runs on an importer thread.
void read_and_store(const IntakeContext& context, const std::shared_ptr<TotalsWork>& work) {
  const BulkLimits limits{.bytes = context.settings.snapshot()->bulk_body};
  const auto text = decompress(work->request.body, work->coding, limits.bytes);
  if (!text) return work->respond(error_response(text.error()));
  auto totals = read_bulk_totals(*text, last_day(work->now), limits);
  if (!totals) return work->respond(error_response(totals.error()));
  if (context.cluster.import_owners != nullptr) {
    return work->respond(error_response(
        {ErrorCode::kInvalidParameter,
         "A node of a cluster refuses daily totals, because they would count on this node alone.",
         {}}));
  }
  work->totals = std::move(*totals);
  work->hold = context.memory.reserve_bulk(memory_of(work->totals.totals), "");
  if (work->hold == nullptr) {
    return work->respond(error_response(ErrorCode::kOverloaded, "Too many imports at once."));
  }
  set_content(work->range, *text);
  store(context, work);
}

}  // namespace

void post_totals(const IntakeContext& context, const Call& call, http::Responder respond) {
  const auto refuse = [&](const Error& error) { respond(error_response(error)); };
  if (const auto refusal = context.refusal_of_events()) return refuse(*refusal);
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return refuse(site.error());
  const auto coding = read_ndjson_coding(call.request.head);
  if (!coding) return refuse(coding.error());
  auto range = read_import_range(call.request.head, call.request.parameters.back());
  if (!range) return refuse(range.error());
  range->account = call.key->account;
  auto work = std::make_shared<TotalsWork>(TotalsWork{
      call.request, std::move(respond), site->id, std::move(*range), context.clock.now(), *coding});
  work_on_importer(
      context, call.key->account, "an import of totals failed",
      [&context, work] { read_and_store(context, work); }, work->respond);
}

}  // namespace analytics::api
