#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"

/// Wire names and forms of the provisioning API, shared by the daemon that writes them and the CLI
/// that reads them.
namespace analytics {

/// The wire form of an error code.
struct ErrorInfo {
  ErrorCode code;
  std::string_view name;  ///< Stable name in snake_case, for programs.
  int status;             ///< HTTP status of an error reply.
};

[[nodiscard]] const ErrorInfo& error_info(ErrorCode code);

/// Returns the JSON body of an error: `{"error": …, "code": …, "errors": {…}}`.
[[nodiscard]] std::string error_body(const Error& error);

/// The permissions of an API key, as bits.
enum class Scope : std::uint32_t {
  kSitesRead = 1,
  kSitesWrite = 2,
  kLinksWrite = 4,
  kGoalsWrite = 8,
  kStatsRead = 16,
  kEventsImport = 32,
};
inline constexpr std::uint32_t kAllScopes = 63;

[[nodiscard]] std::string_view scope_name(Scope scope);
[[nodiscard]] std::optional<Scope> parse_scope(std::string_view name);
/// Returns the scopes as a list: "sites:read,goals:write".
[[nodiscard]] std::string scope_list(std::uint32_t scopes);

/// The effect of a write, as the value of X-Analytics-Outcome.
enum class ChangeOutcome { kCreated, kUpdated, kUnchanged };
[[nodiscard]] std::string_view outcome_name(ChangeOutcome outcome);

enum class GoalType { kEvent, kPage };
[[nodiscard]] std::string_view goal_type_name(GoalType type);

/// Returns true if the text is a valid import name: 1 to 64 of `[A-Za-z0-9._-]`.
[[nodiscard]] bool is_import_name(std::string_view text);

inline constexpr char kKeyPrefix[] = "an_";

namespace header {
/// The effect of a write: see ChangeOutcome.
inline constexpr char kOutcome[] = "X-Analytics-Outcome";
/// Sites that did not count the event, as "domain=reason", separated by commas.
inline constexpr char kDropped[] = "X-Analytics-Dropped";
/// Number of sites in kDropped; the name is Plausible's.
inline constexpr char kDroppedCount[] = "X-Plausible-Dropped";
/// Fields of a body that were ignored: unknown ones, and import fields of an event whose sender
/// lacks the scope for them.
inline constexpr char kIgnored[] = "X-Analytics-Ignored";
/// Nodes of the cluster whose newest events the answer may lack.
inline constexpr char kBehind[] = "X-Analytics-Behind";
inline constexpr char kRequestId[] = "X-Request-Id";
inline constexpr char kIdempotencyKey[] = "Idempotency-Key";
/// With the value "true", the server explains what would happen to the event, and does not store
/// it.
inline constexpr char kDebugRequest[] = "X-Debug-Request";
inline constexpr char kImportId[] = "Import-Id";
/// Id of the source file.
inline constexpr char kImportSource[] = "Import-Source";
/// Range of bytes of the source file that the request contains.
inline constexpr char kImportRange[] = "Import-Range";
/// Range of bytes of the source file that must be stored before this request.
inline constexpr char kImportAfter[] = "Import-After";
/// Name of the log whose rotated files are imported.
inline constexpr char kImportLog[] = "Import-Log";
/// With the value "id", the server stores only one event with each id.
inline constexpr char kImportDedupe[] = "Import-Dedupe";
}  // namespace header

}  // namespace analytics
