#pragma once

#include <string>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// The commands `apply`, `diff` and `export sites`, which read or write a file of sites.
namespace analytics::cli {

/// Options of `apply` and `diff`, which compare a file of sites with the server.
struct ApplyOptions {
  std::string file;  ///< File of sites; "-" is stdin.
  bool prune = false;
};
Outcome<ExitCode> apply_sites(const ApplyOptions&, Context&);
/// Returns kDifferent if apply_sites() would change anything, or if the server has a site that the
/// file lacks.
Outcome<ExitCode> diff_sites(const ApplyOptions&, Context&);

struct ExportSitesOptions {
  std::string out;  ///< Path of the new file to write; empty for stdout.
  bool with_secrets = false;
};
Outcome<ExitCode> export_sites(const ExportSitesOptions&, Context&);

}  // namespace analytics::cli
