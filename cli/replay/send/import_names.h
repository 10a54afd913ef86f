#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/progress/byte_ranges.h"

/// How imports are named on the server, and what it tells of them.
namespace analytics::cli {

/// 32 hex digits that stand for a source on the wire, by its name in records.
[[nodiscard]] std::string source_id(const std::string& source);

/// Names the import that the bytes of a source go into.
struct ImportNames {
  std::string given;  ///< By `--import-id`: of all sources; empty: none.
  /// The sites set by `--site` or `--site-override`; empty: each record names its own.
  std::string sites;
  /// The followed log, by name_of_log(): its rotations, each a source, have one import. Empty: no
  /// log is followed, and each source has its own.
  std::string log;

  [[nodiscard]] std::string of(const std::string& source) const;
};

/// The host and the absolute path of a log, which no other log has.
[[nodiscard]] std::string name_of_log(const std::string& path);

/// The path of the resource that describes the import on one site.
[[nodiscard]] std::string import_path(std::string_view site, std::string_view import);
/// That with each of its ranges.
[[nodiscard]] std::string ranges_path(std::string_view site, std::string_view import);
/// The path that tells which ranges of a source a site has, in whatever import: who follows a log
/// and who replays one of its rotations store a byte once.
[[nodiscard]] std::string stored_path(std::string_view site, const std::string& source);

/// What a site has of a source.
struct StoredSource {
  std::vector<ByteRange> ranges;  ///< Those of each import in order.
  std::set<std::string> imports;  ///< The names of those that have some.
};
/// Reads an answer of one of the last two paths.
[[nodiscard]] StoredSource stored_source(std::string_view body, const std::string& source);

}  // namespace analytics::cli
