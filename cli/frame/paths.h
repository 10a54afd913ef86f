#pragma once

/// Paths of the API that more than one command uses.
namespace analytics::cli {

inline constexpr char kSitesPath[] = "/api/v1/sites";
inline constexpr char kGoalsPath[] = "/api/v1/sites/goals";
inline constexpr char kFunnelsPath[] = "/api/v1/sites/funnels";
inline constexpr char kLinksPath[] = "/api/v1/sites/shared-links";
inline constexpr char kAccountLinksPath[] = "/api/v1/account/shared-links";

}  // namespace analytics::cli
