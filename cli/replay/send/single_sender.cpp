#include "cli/replay/send/single_sender.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/io/backoff.h"
#include "common/json/json.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

std::pair<std::string, std::string> error_of(const HttpReply& reply) {
  const auto body = json::parse_document(reply.body);
  if (!body || !body->is_object()) return {"http_" + std::to_string(reply.status), "refused"};
  const auto member = [&](const char* name, const std::string& otherwise) {
    const auto found = body->find(name);
    return found != body->end() && found->is_string() ? found->get<std::string>() : otherwise;
  };
  return {member("code", "http_" + std::to_string(reply.status)), member("error", "refused")};
}

}  // namespace

SingleSender::SingleSender(SingleSenderConfig config, SendObserver& observer)
    : Sender(observer),
      config_(std::move(config)),
      http_(config_.sender.http, config_.lanes),
      limiter_(config_.sender.per_second, Clock::now()),
      lanes_(config_.lanes) {}

void SingleSender::add(Record record) {
  if (count_other(record)) return;
  const auto& payload = std::get<ReplayEvent>(record.content).payload;
  const auto visitor =
      payload.visitor.value_or(payload.ip.value_or("") + '\n' + payload.user_agent.value_or(""));
  pending_bytes_ += record.memory();
  lanes_[std::hash<std::string>{}(visitor) % lanes_.size()].queue.push_back(std::move(record));
}

HttpRequest SingleSender::to_request(const Record& record) const {
  const auto& payload = std::get<ReplayEvent>(record.content).payload;
  HttpRequest request{"POST",
                      config_.sender.url + "/api/event",
                      {{"Content-Type", "application/json"}},
                      body_of(record, config_.sender)};
  if (payload.user_agent) request.headers.emplace_back("User-Agent", *payload.user_agent);
  if (payload.ip) request.headers.emplace_back("X-Forwarded-For", *payload.ip);
  if (!config_.sender.api_key.empty())
    request.headers.emplace_back("Authorization", "Bearer " + config_.sender.api_key);
  if (config_.idempotent) {
    const bool by_id = config_.sender.dedupe_ids && payload.id;
    const auto digest =
        by_id ? digest_of({"record", *payload.id})
              : digest_of({*record.source, std::to_string(record.offset), record.original});
    request.headers.emplace_back(header::kIdempotencyKey, to_hex(digest));
  }
  return request;
}

void SingleSender::start_lane(std::size_t index) {
  ++accounts_.attempts;
  http_.send(index, to_request(lanes_[index].queue.front()),
             [this, index](HttpReply reply) { take_answer(index, std::move(reply)); });
}

void SingleSender::poll(std::chrono::milliseconds wait) {
  using std::chrono::milliseconds;
  const auto now = Clock::now();
  for (std::size_t i = 0; i < lanes_.size() && sending_ && !fatal_; ++i) {
    const auto& lane = lanes_[i];
    if (lane.queue.empty() || !http_.is_free(i)) continue;
    if (const auto ready = std::max(lane.not_before, paused_until_); ready > now) {
      wait = std::min(wait, std::chrono::ceil<milliseconds>(ready - now));
      continue;
    }
    if (const auto later = limiter_.take(now); later.count() > 0) {
      wait = std::min(wait, std::chrono::ceil<milliseconds>(later));
      break;
    }
    start_lane(i);
  }
  http_.poll(wait);
}

void SingleSender::next(Lane& lane) {
  pending_bytes_ -= lane.queue.front().memory();
  lane.queue.pop_front();
  lane.attempt = 0;
  pause_.clear();
}

void SingleSender::take_answer(std::size_t index, HttpReply reply) {
  auto& lane = lanes_[index];
  if (reply.failure == HttpReply::Failure::kNone) latencies_.add(reply.elapsed);
  const bool answered = reply.failure == HttpReply::Failure::kNone;
  if (answered && reply.status == 202) {
    const auto& payload = std::get<ReplayEvent>(lane.queue.front().content).payload;
    const auto answer =
        fate_of_answer(reply.header(header::kDropped), distinct_domains(payload.domains));
    const bool may_count_later = answer.reason == "unknown_site";
    settle(lane.queue.front(), answer.fate, answer.reason,
           may_count_later ? Settled::kForThisRun : Settled::kForGood);
    next(lane);
  } else if (answered && (reply.status == 400 || reply.status == 413 || reply.status == 414 ||
                          reply.status == 415 || reply.status == 422 || reply.status == 431)) {
    const auto [code, message] = error_of(reply);
    reject(lane.queue.front(), "send", code, message);
    next(lane);
  } else {
    try_again(index, std::move(reply));
  }
}

void SingleSender::try_again(std::size_t index, HttpReply reply) {
  auto& lane = lanes_[index];
  const bool answered = reply.failure == HttpReply::Failure::kNone;
  // A request that may have reached a server without Idempotency-Key must not be repeated, because
  // its event would count twice.
  const bool maybe_done = reply.failure == HttpReply::Failure::kLost ||
                          (answered && reply.status >= 500 && reply.status != 503);
  if (maybe_done && !config_.idempotent) may_have_lost_ = true;
  if (!is_transient(reply) || (maybe_done && !config_.idempotent) ||
      lane.attempt >= config_.sender.retries) {
    if (!fatal_) fatal_ = std::move(reply);
    return;
  }
  const auto wait =
      backoff(lane.attempt++, random_part(), retry_after(reply.header("Retry-After")));
  ++accounts_.retries;
  note_pause(reply);
  lane.not_before = Clock::now() + wait;
  if (answered && (reply.status == 429 || reply.status == 503)) {
    paused_until_ = std::max(paused_until_, lane.not_before);
  }
}

}  // namespace analytics::cli
