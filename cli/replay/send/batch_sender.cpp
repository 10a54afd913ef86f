#include "cli/replay/send/batch_sender.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "common/event/event_limits.h"
#include "common/io/backoff.h"
#include "common/json/json.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/wire/api_types.h"
#include "common/wire/event_outcome.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kImportCharacters = 16;
constexpr std::string_view kUnknownSite = "unknown_site";

bool is_event(const Record& record) { return std::holds_alternative<ReplayEvent>(record.content); }

std::string text_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Returns true if the server refused the batch because it arrived before its predecessor.
bool is_out_of_order(const HttpReply& reply) {
  const auto body = json::parse_document(reply.body);
  return body && body->is_object() &&
         text_of(*body, "code") == error_info(ErrorCode::kOutOfOrder).name;
}

}  // namespace

std::string source_id(const std::string& source) {
  // An id is longer if an earlier file has the same hash: it then ends with a counter.
  return source.size() == 2 * sizeof(Digest) ? source : to_hex(digest_of({source}));
}

std::string import_name(const std::string& given, const std::string& source,
                        const std::string& sites) {
  if (!given.empty()) return given;
  return to_hex(digest_of({"import", source_id(source), sites})).substr(0, kImportCharacters);
}

std::string import_path(std::string_view site, std::string_view import) {
  return "/api/v1/sites/" + percent_encode(site) + "/imports/" + percent_encode(import);
}

std::vector<ByteRange> stored_ranges(std::string_view text, const std::string& source) {
  std::vector<ByteRange> stored;
  const auto body = json::parse_document(text);
  if (!body || !body->is_object() || !body->contains("sources")) return stored;
  if (!(*body)["sources"].is_array()) return stored;
  for (const auto& each : (*body)["sources"]) {
    if (!each.is_object() || text_of(each, "source") != source_id(source)) continue;
    if (!each.contains("ranges") || !each["ranges"].is_array()) continue;
    for (const auto& range : each["ranges"]) {
      if (!range.is_object()) continue;
      stored.push_back(
          {range.value("from", std::uint64_t{0}), range.value("to", std::uint64_t{0})});
    }
  }
  return stored;
}

BatchSender::BatchSender(BatchConfig config, SendObserver& observer)
    : Sender(observer),
      config_(std::move(config)),
      http_(config_.sender.http, kMaxLanes),
      lanes_(config_.sender.per_second > 0 ? 1 : kMaxLanes) {}

void BatchSender::add(Record record) {
  waiting_events_ += is_event(record) ? 1U : 0U;
  waiting_bytes_ += record.end - record.begin;
  waiting_.push_back({std::move(record), Clock::now()});
  place_waiting();
}

/// Passes records from waiting_ to place() once all stored ranges that may contain them are known.
void BatchSender::place_waiting() {
  const auto is_of_source = [this](const Record& record) {
    return record.source == nullptr || *record.source == source_.name;
  };
  while (!waiting_.empty()) {
    if (examined_ == 0 && !is_of_source(waiting_.front().record)) {
      begin_source(waiting_.front().record);
    }
    while (examined_ < waiting_.size() && is_of_source(waiting_[examined_].record)) {
      note_sites(waiting_[examined_++].record);
    }
    // Rejected and filtered lines need no range, so --max-errors counts them at once.
    const bool needs_range = is_event(waiting_.front().record);
    if (needs_range && !to_ask_.empty()) return;
    const bool is_end_of_source = ended_ || examined_ < waiting_.size();
    // If the input pauses, as with --follow, a record waits for further records only until kLookFor
    // has passed.
    const bool is_idle = ready_.empty() && Clock::now() - waiting_.front().since >= kLookFor;
    if (needs_range && !is_end_of_source && !is_window_full() && !is_idle) return;
    auto record = std::move(waiting_.front().record);
    waiting_.pop_front();
    --examined_;
    waiting_events_ -= is_event(record) ? 1U : 0U;
    waiting_bytes_ -= record.end - record.begin;
    place(std::move(record));
  }
}

void BatchSender::begin_source(const Record& record) {
  close_batch();
  source_ = {};
  source_.name = *record.source;
}

/// Queues the record's sites in to_ask_, so that the server is asked for their stored ranges.
void BatchSender::note_sites(const Record& record) {
  const auto* event = std::get_if<ReplayEvent>(&record.content);
  if (event == nullptr || record.settled) return;
  for (const auto& sites : event->payload.domains) {
    if (source_.asked.contains(sites)) continue;
    if (source_.asked.size() >= kMaxAskedSites) return;
    source_.asked.insert(sites);
    for (const auto site : split(sites, ',')) to_ask_.emplace_back(trim(site));
  }
}

/// Returns the stored range that contains this byte; nullopt if none does.
std::optional<ByteRange> BatchSender::stored_around(std::uint64_t byte) const {
  const auto after = source_.stored.upper_bound(byte);
  if (after == source_.stored.begin()) return std::nullopt;
  const auto [from, to] = *std::prev(after);
  return byte < to ? std::optional(ByteRange{from, to}) : std::nullopt;
}

/// Counts a record, and puts it into a batch if it is an event that no earlier run has settled.
void BatchSender::place(Record record) {
  const bool is_sent = is_event(record) && record.settled;
  const auto stored = stored_around(record.offset);
  const bool is_of_other_range = !filling_.records.empty() && filling_.stored != stored;
  // A gap between records is harmless inside a stored range, because its lines were settled by an
  // earlier run and none of them is an event.
  const bool is_gap = record.begin != source_.end && !(stored && filling_.stored == stored);
  if (is_gap || is_sent || is_of_other_range) close_batch();
  if (record.begin != source_.end) source_.from = record.begin;
  source_.end = record.end;
  const bool is_passed = is_sent || (record.settled && filling_.records.empty());
  if (is_passed) source_.from = record.end;
  if (!count_other(record)) put(std::move(record), stored);
}

void BatchSender::put(Record record, std::optional<ByteRange> stored) {
  if (filling_.records.empty()) {
    filling_.source = source_.name;
    filling_.stored = stored;
    filling_.range.from = stored ? stored->from : source_.from;
    filling_.records.reserve(config_.lines);
    filled_at_ = Clock::now();
  }
  filling_.body += body_of(record, config_.sender);
  filling_.body += '\n';
  auto& payload = std::get<ReplayEvent>(record.content).payload;
  // Events without a time are stored on the current day, so Days() can represent that day.
  const auto day =
      payload.timestamp ? std::chrono::floor<std::chrono::days>(*payload.timestamp) : Days();
  const bool is_new = filling_.days.emplace(payload.domains, day).second;
  if (is_new) filling_.site_days += payload.domains.size();
  EventPayload kept;  // filling_.body contains the rest
  kept.domains = std::move(payload.domains);
  kept.withheld = payload.withheld;
  payload = std::move(kept);
  filling_.range.to = stored ? stored->to : record.end;
  const bool is_last = stored && record.end >= stored->to;
  filling_.records.push_back(std::move(record));
  const bool is_full = filling_.records.size() >= config_.lines ||
                       filling_.body.size() >= kMaxBatchBytes ||
                       filling_.site_days + event_limits::kMaxDomains > event_limits::kMaxSiteDays;
  // A stored range this large is not one that this program sent.
  const bool is_too_much = filling_.body.size() >= kMaxStoredBytes;
  if (stored ? is_last || is_too_much : is_full) close_batch();
}

/// Moves the batch filling_ to the queue ready_.
void BatchSender::close_batch() {
  if (filling_.records.empty()) return;
  source_.from = filling_.range.to;  // later lines are for the next batch
  ready_.push_back(std::exchange(filling_, {}));
}

void BatchSender::poll(std::chrono::milliseconds wait) {
  const auto now = Clock::now();
  place_waiting();
  const bool is_end = ended_ && waiting_.empty();
  const bool is_due = is_end || (!filling_.stored && now - filled_at_ >= kFillFor);
  if (!filling_.records.empty() && is_due) close_batch();
  const bool has_work = !to_ask_.empty() || !ready_.empty();
  if (has_work && sending_ && !fatal_) {
    if (not_before_ > now) {
      wait = std::min(wait, std::chrono::ceil<std::chrono::milliseconds>(not_before_ - now));
    } else if (!ready_.empty()) {
      send_ready();
    } else if (http_.busy() == 0) {
      ask();
    }
  }
  http_.poll(wait);
}

void BatchSender::ask() {
  const auto import = import_name(config_.import, source_.name, config_.sites);
  HttpRequest request{"GET",
                      config_.sender.url + import_path(to_ask_.front(), import) +
                          "?ranges=1&source=" + source_id(source_.name),
                      {{"Authorization", "Bearer " + config_.sender.api_key}},
                      {}};
  http_.send(0, request, [this](HttpReply reply) {
    const bool answered = reply.failure == HttpReply::Failure::kNone;
    if (!answered || (reply.status != 200 && reply.status != 404)) {
      return try_again(attempt_, std::move(reply));
    }
    attempt_ = 0;
    if (reply.status == 200) {
      for (const auto& [from, to] : stored_ranges(reply.body, source_.name)) {
        source_.stored.emplace(from, to);
      }
    }
    to_ask_.pop_front();
    place_waiting();
  });
}

/// Sends the first batches, one on each connection. Each names its predecessor if that is in
/// flight, so that the server keeps their order.
void BatchSender::send_ready() {
  const Batch* before = nullptr;
  const auto last = std::min(lanes_, ready_.size());
  for (std::size_t place = 0; place < last; ++place) {
    auto& batch = ready_[place];
    const bool must_wait =
        before != nullptr && (batch.goes_alone || batch.source != before->source);
    if (must_wait) return;
    if (!batch.lane) send(batch, before);
    before = &batch;
  }
}

void BatchSender::send(Batch& batch, const Batch* before) {
  std::size_t lane = 0;
  while (!http_.is_free(lane)) ++lane;
  batch.lane = lane;
  HttpRequest request{
      "POST",
      config_.sender.url + "/api/v1/events",
      {{"Content-Type", "application/x-ndjson"},
       {"Authorization", "Bearer " + config_.sender.api_key},
       {header::kImportId, import_name(config_.import, batch.source, config_.sites)},
       {header::kImportSource, source_id(batch.source)},
       {header::kImportRange, to_text(batch.range)}},
      batch.body};
  if (!config_.log.empty()) request.headers.emplace_back(header::kImportLog, config_.log);
  if (before != nullptr) request.headers.emplace_back(header::kImportAfter, to_text(before->range));
  if (config_.sender.dedupe_ids) request.headers.emplace_back(header::kImportDedupe, "id");
  ++accounts_.attempts;
  http_.send(lane, request, [this, lane](HttpReply reply) { take_answer(lane, std::move(reply)); });
}

void BatchSender::take_answer(std::size_t lane, HttpReply reply) {
  const auto sent = std::find_if(ready_.begin(), ready_.end(),
                                 [&](const Batch& batch) { return batch.lane == lane; });
  auto& batch = *sent;
  batch.lane.reset();
  const bool answered = reply.failure == HttpReply::Failure::kNone;
  if (answered) latencies_.add(reply.elapsed);
  if (answered && reply.status == 409 && !batch.goes_alone && is_out_of_order(reply)) {
    batch.goes_alone = true;
    return;
  }
  if (!answered || reply.status != 200) return try_again(batch.attempt, std::move(reply));
  if (!count_lines(batch, reply)) {
    fatal_ = std::move(reply);
    return;
  }
  if (config_.sender.per_second > 0) {
    const std::chrono::duration<double> pause(static_cast<double>(batch.records.size()) /
                                              config_.sender.per_second);
    not_before_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }
  ready_.erase(sent);
  pause_.clear();
}

/// Counts the outcome of every line of a batch. Returns false if the reply is malformed or
/// contradicts itself.
bool BatchSender::count_lines(Batch& batch, const HttpReply& reply) {
  const auto body = json::parse_document(reply.body);
  if (!body || !body->is_object() || !body->contains("problems") ||
      !(*body)["problems"].is_array()) {
    return false;
  }
  struct Problem {
    std::string code, message;
  };
  std::vector<std::optional<Problem>> problems(batch.records.size());
  std::uint64_t stored = batch.records.size();
  bool has_unknown_site = false;
  for (const auto& problem : (*body)["problems"]) {
    const auto first = problem.is_object() ? problem.value("line", std::size_t{0}) : 0;
    const auto count = problem.is_object() ? problem.value("count", std::size_t{1}) : 0;
    if (first < 1 || count < 1 || count > problems.size() || first + count - 1 > problems.size()) {
      return false;
    }
    const Problem one{text_of(problem, "code"), text_of(problem, "error")};
    has_unknown_site = has_unknown_site || one.code == kUnknownSite;
    for (auto line = first; line < first + count; ++line) {
      if (problems[line - 1]) return false;
      problems[line - 1] = one;
      --stored;
    }
  }
  if (body->value("accepted", std::uint64_t{0}) != stored) return false;
  // If the site is created later, the same request stores these lines, so it must be sent again.
  const auto end = has_unknown_site ? Settled::kForThisRun : Settled::kForGood;
  std::set<std::string> holders;  // sites for which the server stores part of the batch
  std::string_view last;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto& record = batch.records[i];
    if (!problems[i]) {
      settle(record, RecordFate::kAccepted, {}, end);
    } else if (problems[i]->code == "duplicate") {
      settle(record, RecordFate::kDuplicate, {}, end);
    } else if (is_drop_reason(problems[i]->code)) {
      settle(record, RecordFate::kDropped, problems[i]->code, end);
      if (problems[i]->code == kUnknownSite) continue;
    } else {
      reject(record, "send", problems[i]->code, problems[i]->message, end);
      continue;
    }
    for (const auto& sites : std::get<ReplayEvent>(record.content).payload.domains) {
      if (sites == last) continue;
      last = sites;
      for (const auto site : split(sites, ',')) holders.emplace(trim(site));
    }
  }
  if (!holders.empty()) observer_.held(batch.source, batch.range, holders);
  return true;
}

/// Schedules another attempt, or sets fatal_ if there is no more. A repetition is harmless,
/// because the server stores a range only once.
void BatchSender::try_again(int& attempt, HttpReply reply) {
  if (!is_transient(reply) || attempt >= config_.sender.retries) {
    if (!fatal_) fatal_ = std::move(reply);
    return;
  }
  ++accounts_.retries;
  note_pause(reply);
  not_before_ =
      Clock::now() + backoff(attempt++, random_part(), retry_after(reply.header("Retry-After")));
}

}  // namespace analytics::cli
