#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace analytics {

/// Kinds of failure that a client can act on. common/api_types.cpp maps each to its stable name on
/// the wire and its HTTP status; the CLI derives its exit code from those.
enum class ErrorCode {
  kInvalidParameter,  ///< A general parameter, option or setting has a bad value.
  kMissingParameter,  ///< A required parameter is absent.
  kLimitReached,      ///< More of something than one site or query may have.
  kMalformedBody,     ///< The body cannot be read as what it claims to be.
  kInvalidDomain,
  kInvalidTimezone,
  kInvalidGoalType,
  kInvalidEvent,
  kInvalidTimestamp,
  kUnauthorized,  ///< No key, or one that does not open anything.
  kMissingScope,  ///< A valid key that does not open this.
  kNotFound,      ///< No such path.
  kSiteNotFound,
  kLinkNotFound,
  kGoalNotFound,
  kFunnelNotFound,
  kExclusionNotFound,
  kImportNotFound,
  kKeyNotFound,
  kMethodNotAllowed,
  kDomainTaken,
  kDisplayNameTaken,     ///< Another goal of the site was given this name.
  kConfirmRequired,      ///< The change removes events, which the request does not confirm.
  kImportElsewhere,      ///< Another node of the cluster has the import.
  kTooOldForCluster,     ///< The node does not have all events of the import any more.
  kRangeOverlap,         ///< An import holds part of the range, or other bytes under it.
  kOutOfOrder,           ///< The batch of an import that must come first has not arrived.
  kIdempotencyMismatch,  ///< The key was spent on another body.
  kBodyTooLarge,
  kUnsupportedMediaType,
  kRateLimited,
  kOverloaded,           ///< Try again later: queue full, draining, disk full.
  kRegistryStale,        ///< The node has not heard of the cluster's registry for too long.
  kRegistryNotUpgraded,  ///< Nodes of an earlier version could not follow a change.
  kRegistryRewound,      ///< The cluster's registry is another than the one that the node knows.
  kDamaged,              ///< The database is damaged: only its operator can help.
  kInternal,             ///< Our fault. Logged where it is made.
};

/// A field of the request that is to blame, by its long name.
struct FieldError {
  std::string field;
  std::string message;
};

/// An outcome the caller must handle. The message is one sentence for a person and never parsed.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::vector<FieldError> fields{};
  std::string cause{};  ///< For the log only: what a stranger need not know.

  /// The text for the log: the cause where there is one, else the message.
  [[nodiscard]] const std::string& reason() const { return cause.empty() ? message : cause; }
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// `return fail(ErrorCode::kSiteNotFound, "…")` from any function that returns a Result.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace analytics
