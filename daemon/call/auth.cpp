#include "daemon/call/auth.h"

#include "common/text/text.h"
#include "daemon/ingest/client_ip.h"

namespace analytics::api {
namespace {

constexpr char kKeyRequired[] = "A valid API key is required: Authorization: Bearer <key>.";

}  // namespace

std::string_view bearer_token(std::string_view authorization) {
  const auto text = trim(authorization);
  const auto space = text.find(' ');
  if (space == std::string_view::npos || !iequals(text.substr(0, space), "Bearer")) return {};
  return trim(text.substr(space + 1));
}

Result<const ApiKey*> Authenticator::authenticate(std::string_view authorization,
                                                  std::string_view client,
                                                  const DirectorySnapshot& snapshot,
                                                  UnixMillis now) {
  // A request without a key is not an attempt to guess one, so it does not count as a failure.
  if (trim(authorization).empty()) return fail(ErrorCode::kUnauthorized, kKeyRequired);
  // Malformed, unknown, revoked and expired keys take the same path: hash the token, look it up,
  // refuse. So the answer does not tell them apart.
  const auto* key = snapshot.key(sha256(bearer_token(authorization)));
  const auto at = std::chrono::floor<std::chrono::seconds>(now);
  if (key != nullptr && (!key->expires_at || now < *key->expires_at)) {
    const std::scoped_lock lock(mutex_);
    uses_[key->id] = at;
    return key;
  }
  if (!failures_.admit(client_group(client), kFailuresPerMinute, at)) {
    return fail(ErrorCode::kRateLimited, "Too many failed authentications; wait a minute.");
  }
  return fail(ErrorCode::kUnauthorized, kKeyRequired);
}

std::vector<store::KeyUse> Authenticator::take_uses() {
  const std::scoped_lock lock(mutex_);
  std::vector<store::KeyUse> uses;
  for (const auto& [key, at] : uses_) uses.push_back({key, at});
  uses_.clear();
  return uses;
}

}  // namespace analytics::api
