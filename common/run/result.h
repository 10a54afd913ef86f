#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace analytics {

/// Kinds of failure that a client can act on. common/wire/api_types.cpp maps each to its stable
/// name on the wire and its HTTP status; the CLI derives its exit code from those.
enum class ErrorCode {
  kInvalidParameter,  ///< A general parameter, option or setting has a bad value.
  kMissingParameter,  ///< A required parameter is absent.
  kLimitReached,      ///< A site or query would have more objects than allowed.
  kMalformedBody,     ///< The body is not valid for its content type.
  kInvalidDomain,
  kInvalidTimezone,
  kInvalidGoalType,
  kInvalidEvent,
  kInvalidTimestamp,
  kUnauthorized,  ///< The request has no API key, or an unknown one.
  kMissingScope,  ///< The API key is valid but lacks a scope.
  kNotFound,      ///< No such path or file.
  kNotSupported,  ///< A path of Plausible that does not exist here.
  kSiteNotFound,
  kLinkNotFound,
  kGoalNotFound,
  kFunnelNotFound,
  kExclusionNotFound,
  kImportNotFound,
  kKeyNotFound,
  kMethodNotAllowed,
  kDomainTaken,
  kDisplayNameTaken,  ///< Another goal of the site has this name.
  kConfirmRequired,   ///< The change removes events, and the request does not confirm that.
  kImportElsewhere,   ///< The import belongs to another node of the cluster.
  kTooOldForCluster,  ///< The node no longer has all events of the import.
  kRangeOverlap,      ///< The import already contains part of the range, or different bytes for it.
  kOutOfOrder,        ///< An earlier batch of the import has not arrived.
  kIdempotencyMismatch,  ///< The Idempotency-Key was used with another body.
  kBodyTooLarge,
  kUnsupportedMediaType,
  kRateLimited,
  kOverloaded,     ///< A queue or the disk is full, or the daemon stops; try again later.
  kRegistryStale,  ///< The cluster's registry cannot be reached, or has not confirmed a change yet.
  kRegistryNotUpgraded,  ///< Nodes of an earlier version could not apply the change.
  kRegistryRewound,      ///< The cluster's registry lacks a revision that the node has applied.
  kDamaged,              ///< The database is damaged, and only its operator can repair it.
  kInternal,             ///< A fault of this program, logged where it is created.
};

/// A problem with a field of the request. `field` is the field's name; if it has a short and a
/// long name, the long one.
struct FieldError {
  std::string field;
  std::string message;
};

/// A failure that the caller must handle. The message is one sentence for people and is never
/// parsed.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::vector<FieldError> fields{};
  std::string cause{};  ///< Details for the program's log only, not shown to clients.

  /// Returns the text for the program's log: the cause if it is known, else the message.
  [[nodiscard]] const std::string& reason() const { return cause.empty() ? message : cause; }
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Returns an error from a function that returns any Result: `return fail(ErrorCode::kSiteNotFound,
/// "…")`.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

/// Moves the value out of a result, for TRY(). REQUIRES: the result has a value.
template <typename T, typename E>
T take_value(tl::expected<T, E>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace analytics

/// Evaluates to the value of a Result (or another tl::expected). If it is an error, returns that
/// error from the enclosing function, whose type must have the same type of error. Use it as a
/// whole statement or as a whole initializer, where no other value of the same expression can be
/// lost:
///   TRY(check_name(name));
///   const auto site = TRY(find_site(domain));
/// It is a statement expression, an extension of GCC and Clang.
#define TRY(...)                                                   \
  __extension__({                                                  \
    auto tried = (__VA_ARGS__);                                    \
    if (!tried) return ::tl::unexpected(std::move(tried).error()); \
    ::analytics::take_value(std::move(tried));                     \
  })
