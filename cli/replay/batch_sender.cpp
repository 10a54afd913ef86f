#include "cli/replay/batch_sender.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "cli/replay/backoff.h"
#include "common/api_types.h"
#include "common/json.h"
#include "common/secret.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

constexpr std::array<std::string_view, 6> kDropReasons = {
    "unknown_site", "bot", "spam_referrer", "excluded", "throttled", "no_visit"};
constexpr std::size_t kImportCharacters = 16;

std::string hex_of(const Digest& digest) { return to_hex(digest.data(), digest.size()); }

std::string text_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

BatchSender::BatchSender(BatchConfig config, OnReject on_reject)
    : Sender(std::move(on_reject)), config_(std::move(config)), http_(config_.sender.http, 1) {}

std::string BatchSender::import_of(const std::string& source) const {
  if (!config_.import.empty()) return config_.import;
  return hex_of(digest_of({"import", source, config_.sites})).substr(0, kImportCharacters);
}

void BatchSender::add(Record record) {
  if (record.source != nullptr && *record.source != source_name_) begin_source(record);
  if (asking_) {
    source_.waiting.push_back(std::move(record));
  } else {
    place(std::move(record));
  }
}

void BatchSender::begin_source(const Record& record) {
  close_batch(source_.end);
  filling_ = {};
  source_name_ = *record.source;
  source_ = {};
  // A name that is longer stands for the second of two files that begin alike.
  source_.id = source_name_.size() == 32 ? source_name_ : hex_of(digest_of({source_name_}));
  asking_ = !config_.site.empty();
}

/// Counts a record and puts it into a batch, unless the server has it.
void BatchSender::place(Record record) {
  const auto end = record.end;
  const auto held = std::find_if(source_.held.begin(), source_.held.end(), [&](const Range& range) {
    return record.offset >= range.from && end <= range.to;
  });
  if (held == source_.held.end()) {
    if (!count_other(record)) put(std::move(record));
    source_.end = end;
    return;
  }
  close_batch(held->from);  // no batch reaches over what is held
  source_.end = held->to;
  filling_.range.from = held->to;
  if (!count_other(record)) {
    --accounts_.pending;
    ++accounts_.duplicate;
  }
}

void BatchSender::put(Record record) {
  if (filling_.records.empty()) {
    filling_.source = source_.id;
    filled_at_ = Clock::now();
  }
  auto payload = std::get<ReplayEvent>(record.content).payload;
  if (!config_.sender.own_time) payload.timestamp.reset();
  filling_.body += to_json(payload);
  filling_.body += '\n';
  const auto end = record.end;
  filling_.records.push_back(std::move(record));
  if (filling_.records.size() >= config_.lines || filling_.body.size() >= kMaxBatchBytes) {
    close_batch(end);
  }
}

/// What was read up to there goes out together.
void BatchSender::close_batch(std::uint64_t to) {
  if (filling_.records.empty()) return;
  filling_.range.to = to;
  ready_.push_back(std::exchange(filling_, {}));
  filling_.range.from = to;
}

void BatchSender::poll(std::chrono::milliseconds wait) {
  const auto now = Clock::now();
  if (!filling_.records.empty() && (ended_ || now - filled_at_ >= kFillFor)) {
    close_batch(source_.end);
  }
  const bool has_work = asking_ || !ready_.empty();
  if (has_work && sending_ && !fatal_ && http_.is_free(0)) {
    if (not_before_ > now) {
      wait = std::min(wait, std::chrono::ceil<std::chrono::milliseconds>(not_before_ - now));
    } else if (asking_ && ready_.empty()) {
      ask();
    } else if (!ready_.empty()) {
      send();
    }
  }
  http_.poll(wait);
}

void BatchSender::ask() {
  HttpRequest request{"GET",
                      config_.sender.url + "/api/v1/sites/" + percent_encode(config_.site) +
                          "/imports/" + percent_encode(import_of(source_.id)),
                      {{"Authorization", "Bearer " + config_.sender.api_key}},
                      {}};
  http_.send(0, std::move(request), [this](HttpReply reply) {
    const bool answered = reply.failure == HttpReply::Failure::kNone;
    if (!answered || (reply.status != 200 && reply.status != 404)) {
      return try_again(std::move(reply));
    }
    attempt_ = 0;
    if (reply.status == 200) take_ranges(reply);
    asking_ = false;
    for (auto& record : std::exchange(source_.waiting, {})) place(std::move(record));
  });
}

void BatchSender::take_ranges(const HttpReply& reply) {
  const auto body = json::parse_document(reply.body);
  if (!body || !body->is_object() || !body->contains("sources")) return;
  if (!(*body)["sources"].is_array()) return;
  for (const auto& source : (*body)["sources"]) {
    if (!source.is_object() || text_of(source, "source") != source_.id) continue;
    if (!source.contains("ranges") || !source["ranges"].is_array()) continue;
    for (const auto& range : source["ranges"]) {
      if (!range.is_object()) continue;
      const auto from = range.value("from", std::uint64_t{0});
      const auto to = range.value("to", std::uint64_t{0});
      if (from < to) source_.held.push_back({from, to});
    }
  }
}

void BatchSender::send() {
  const auto& batch = ready_.front();
  HttpRequest request{"POST",
                      config_.sender.url + "/api/v1/events",
                      {{"Content-Type", "application/x-ndjson"},
                       {"Authorization", "Bearer " + config_.sender.api_key},
                       {header::kImportId, import_of(batch.source)},
                       {header::kImportSource, batch.source},
                       {header::kImportRange,
                        std::to_string(batch.range.from) + "-" + std::to_string(batch.range.to)}},
                      batch.body};
  ++accounts_.attempts;
  http_.send(0, std::move(request), [this](HttpReply reply) { take_answer(std::move(reply)); });
}

void BatchSender::take_answer(HttpReply reply) {
  const bool answered = reply.failure == HttpReply::Failure::kNone;
  if (answered) latencies_.add(reply.elapsed);
  if (!answered || reply.status != 200) return try_again(std::move(reply));
  auto& batch = ready_.front();
  if (!count_lines(batch, reply)) {
    fatal_ = std::move(reply);
    return;
  }
  if (config_.sender.per_second > 0) {
    const std::chrono::duration<double> pause(static_cast<double>(batch.records.size()) /
                                              config_.sender.per_second);
    not_before_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }
  ready_.pop_front();
  attempt_ = 0;
}

/// What became of every line. False when the answer does not account for each.
bool BatchSender::count_lines(Batch& batch, const HttpReply& reply) {
  const auto body = json::parse_document(reply.body);
  if (!body || !body->is_object() || !body->contains("problems") ||
      !(*body)["problems"].is_array()) {
    return false;
  }
  auto accounts = accounts_;
  std::uint64_t left = batch.records.size();
  struct Refusal {
    std::size_t index;
    std::string code, message;
  };
  std::vector<Refusal> refused;
  for (const auto& problem : (*body)["problems"]) {
    const auto line = problem.is_object() ? problem.value("line", std::size_t{0}) : 0;
    if (line < 1 || line > batch.records.size() || left == 0) return false;
    const auto code = text_of(problem, "code");
    --left;
    if (code == "duplicate") {
      ++accounts.duplicate;
    } else if (std::find(kDropReasons.begin(), kDropReasons.end(), code) != kDropReasons.end()) {
      ++accounts.dropped;
      ++accounts.dropped_by[code];
    } else {
      refused.push_back({line - 1, code, text_of(problem, "error")});
    }
  }
  if (body->value("accepted", std::uint64_t{0}) != left) return false;
  accounts.accepted += left;
  accounts.pending -= batch.records.size();
  accounts_ = std::move(accounts);
  for (const auto& [index, code, message] : refused) {
    reject(batch.records[index], "send", code, message);
  }
  return true;
}

/// Repeating is harmless: the server knows the range.
void BatchSender::try_again(HttpReply reply) {
  if (!is_passing(reply) || attempt_ >= config_.sender.retries) {
    if (!fatal_) fatal_ = std::move(reply);
    return;
  }
  ++accounts_.retries;
  not_before_ =
      Clock::now() + backoff(attempt_++, random_part(), retry_after(reply.header("Retry-After")));
}

}  // namespace analytics::cli
