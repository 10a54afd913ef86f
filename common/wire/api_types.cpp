#include "common/wire/api_types.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr ErrorInfo kErrors[] = {
    {ErrorCode::kInvalidParameter, "invalid_parameter", 400},
    {ErrorCode::kMissingParameter, "missing_parameter", 400},
    {ErrorCode::kLimitReached, "limit_reached", 400},
    {ErrorCode::kMalformedBody, "malformed_body", 400},
    {ErrorCode::kInvalidDomain, "invalid_domain", 400},
    {ErrorCode::kInvalidTimezone, "invalid_timezone", 400},
    {ErrorCode::kInvalidGoalType, "invalid_goal_type", 400},
    {ErrorCode::kInvalidEvent, "invalid_event", 400},
    {ErrorCode::kInvalidTimestamp, "invalid_timestamp", 400},
    {ErrorCode::kUnauthorized, "unauthorized", 401},
    {ErrorCode::kMissingScope, "missing_scope", 403},
    {ErrorCode::kNotFound, "not_found", 404},
    {ErrorCode::kNotSupported, "not_supported", 404},
    {ErrorCode::kSiteNotFound, "site_not_found", 404},
    {ErrorCode::kLinkNotFound, "link_not_found", 404},
    {ErrorCode::kGoalNotFound, "goal_not_found", 404},
    {ErrorCode::kFunnelNotFound, "funnel_not_found", 404},
    {ErrorCode::kExclusionNotFound, "exclusion_not_found", 404},
    {ErrorCode::kImportNotFound, "import_not_found", 404},
    {ErrorCode::kKeyNotFound, "key_not_found", 404},
    {ErrorCode::kMethodNotAllowed, "method_not_allowed", 405},
    {ErrorCode::kDomainTaken, "domain_taken", 409},
    {ErrorCode::kDisplayNameTaken, "display_name_taken", 409},
    {ErrorCode::kConfirmRequired, "confirm_required", 409},
    {ErrorCode::kImportElsewhere, "import_elsewhere", 409},
    {ErrorCode::kTooOldForCluster, "too_old_for_cluster", 409},
    {ErrorCode::kRangeOverlap, "range_overlap", 409},
    {ErrorCode::kOutOfOrder, "out_of_order", 409},
    {ErrorCode::kIdempotencyMismatch, "idempotency_mismatch", 422},
    {ErrorCode::kBodyTooLarge, "body_too_large", 413},
    {ErrorCode::kUnsupportedMediaType, "unsupported_media_type", 415},
    {ErrorCode::kRateLimited, "rate_limited", 429},
    {ErrorCode::kOverloaded, "overloaded", 503},
    {ErrorCode::kRegistryStale, "registry_stale", 503},
    {ErrorCode::kRegistryNotUpgraded, "registry_not_upgraded", 503},
    {ErrorCode::kRegistryRewound, "registry_rewound", 503},
    {ErrorCode::kDamaged, "database_damaged", 503},
    {ErrorCode::kInternal, "internal", 500},
};

constexpr std::pair<Scope, std::string_view> kScopes[] = {
    {Scope::kSitesRead, "sites:read"},   {Scope::kSitesWrite, "sites:write"},
    {Scope::kLinksWrite, "links:write"}, {Scope::kGoalsWrite, "goals:write"},
    {Scope::kStatsRead, "stats:read"},   {Scope::kEventsImport, "events:import"},
};

}  // namespace

const ErrorInfo& error_info(ErrorCode code) {
  const auto* found = std::find_if(std::begin(kErrors), std::end(kErrors),
                                   [&](const ErrorInfo& info) { return info.code == code; });
  return found == std::end(kErrors) ? kErrors[std::size(kErrors) - 1] : *found;
}

std::string error_body(const Error& error) {
  nlohmann::ordered_json body;
  body["error"] = error.message;
  body["code"] = error_info(error.code).name;
  for (const auto& field : error.fields) body["errors"][field.field].push_back(field.message);
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view scope_name(Scope scope) {
  for (const auto& [value, name] : kScopes) {
    if (value == scope) return name;
  }
  return {};
}

std::optional<Scope> parse_scope(std::string_view text) {
  for (const auto& [value, name] : kScopes) {
    if (name == text) return value;
  }
  return std::nullopt;
}

std::string scope_list(std::uint32_t scopes) {
  std::string list;
  for (const auto& [value, name] : kScopes) {
    if ((scopes & static_cast<std::uint32_t>(value)) == 0) continue;
    if (!list.empty()) list += ',';
    list += name;
  }
  return list;
}

std::string_view outcome_name(ChangeOutcome outcome) {
  switch (outcome) {
    case ChangeOutcome::kCreated: return "created";
    case ChangeOutcome::kUpdated: return "updated";
    case ChangeOutcome::kUnchanged: return "unchanged";
  }
  return {};
}

std::string_view goal_type_name(GoalType type) {
  switch (type) {
    case GoalType::kEvent: return "event";
    case GoalType::kPage: return "page";
  }
  return {};
}

bool is_import_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace analytics
