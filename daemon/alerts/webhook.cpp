#include "daemon/alerts/webhook.h"

#include <optional>

#include "common/io/http_client.h"
#include "common/run/version.h"

namespace analytics {
namespace {

constexpr int kTries = 3;
constexpr std::chrono::seconds kFirstPause{2};
constexpr std::chrono::milliseconds kPoll{200};

HttpClientConfig client_config() {
  HttpClientConfig config;
  config.connect_timeout = std::chrono::seconds(5);
  config.timeout = std::chrono::seconds(5);
  config.user_agent = std::string("analyticsd/") + kVersion;
  return config;
}

bool is_final(int status) { return status < 500 && status != 408 && status != 429; }

}  // namespace

Status Webhook::post(const std::string& url, const std::string& json) {
  const HttpRequest request{"POST", url, {{"Content-Type", "application/json"}}, json};
  std::string reason;
  auto wait = kFirstPause;
  for (int i = 0; i < kTries; ++i, wait *= 2) {
    if (i > 0 && !pause(wait)) break;
    // Each attempt has its own HttpLanes, whose destructor aborts a request that stop()
    // interrupted.
    HttpLanes lanes(client_config(), 1);
    std::optional<HttpReply> reply;
    lanes.send(0, request, [&](HttpReply done) { reply = std::move(done); });
    while (!reply && !is_stopping()) lanes.poll(kPoll);
    if (!reply) break;
    if (reply->failure == HttpReply::Failure::kNone) {
      if (reply->status >= 200 && reply->status < 300) return {};
      reason = "it answered " + std::to_string(reply->status);
      if (is_final(reply->status)) return fail(ErrorCode::kInvalidParameter, reason);
    } else {
      reason = reply->failure == HttpReply::Failure::kConnect ? "it could not be reached"
                                                              : "it did not answer";
    }
  }
  if (is_stopping()) return fail(ErrorCode::kOverloaded, "The service is shutting down.");
  return fail(ErrorCode::kInternal, reason);
}

void Webhook::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

bool Webhook::is_stopping() {
  const std::scoped_lock lock(mutex_);
  return stopping_;
}

bool Webhook::pause(std::chrono::seconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return stopping_; });
}

}  // namespace analytics
