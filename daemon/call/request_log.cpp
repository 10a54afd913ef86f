#include "daemon/call/request_log.h"

#include <utility>

#include "common/text/personal_data.h"

namespace analytics::api {

std::optional<std::size_t> LineLimit::take(std::chrono::steady_clock::time_point now) {
  const std::scoped_lock lock(mutex_);
  if (now >= begin_ + std::chrono::minutes(1)) {
    begin_ = now;
    lines_ = 0;
  }
  if (lines_ == kMaxLines) {
    ++left_out_;
    return std::nullopt;
  }
  ++lines_;
  return std::exchange(left_out_, 0);
}

bool may_be_of_stranger(const Route* route, int status) {
  if (status < 400) return false;
  if (route == nullptr || !route->access) return true;
  // These four statuses are sent only after the key was accepted; other errors may come before.
  return status != 403 && status != 404 && status != 409 && status != 422;
}

std::string redacted_path(const http::Head& head) {
  std::string path(head.path);
  (void)redact(path);
  return path;
}

void RequestLog::note(const Route* route, const http::Request& request, int status) {
  const bool is_public = route == nullptr || !route->access;
  const auto level = is_public && status < 400 ? LogLevel::kDebug : LogLevel::kInfo;
  if (!log_.enabled(level)) return;
  if (may_be_of_stranger(route, status)) {
    const auto left_out = of_strangers_.take(clock_.steady());
    if (!left_out) return;
    if (*left_out > 0) {
      log_.info("failed requests were not logged", {{"count", std::to_string(*left_out)}});
    }
  }
  log_.write(level, "request",
             {{"request_id", request.id},
              {"method", std::string(http::method_name(request.head.method))},
              {"path", redacted_path(request.head)},
              {"status", std::to_string(status)}});
}

}  // namespace analytics::api
