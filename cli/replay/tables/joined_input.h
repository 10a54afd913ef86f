#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/tables/umami_join.h"
#include "common/io/compressed_input.h"
#include "common/run/result.h"

/// Reads files whose records are joined from several tables.
namespace analytics::cli {

/// Tables in the files of a run with data about the events.
struct SideTables {
  bool are_wanted = false;  ///< True if dumps and tables are searched for.
  /// Data from tables in separate files; null if the run has no such files.
  std::shared_ptr<UmamiSideRows> umami;
  /// Data from each dump that also has events, by file.
  std::map<std::string, std::shared_ptr<UmamiSideRows>, std::less<>> dumps;
};

/// Role of a file, shown by its first line.
enum class Part {
  kOwn,       ///< Each line is a record.
  kDump,      ///< An SQL dump with events and data about them.
  kSide,      ///< A table with data about events in other files.
  kPersonal,  ///< A table that identifies visitors; it is not read.
};
[[nodiscard]] Part part_of_file(std::string_view first_line);

/// Reads all data about events in a dump or a side file. Stops early if `is_stopped` returns true.
/// Errors: as CompressedInput's, or kMalformedBody.
[[nodiscard]] std::optional<Error> read_side(CompressedInput& input, SideTables& tables,
                                             const std::function<bool()>& is_stopped);

/// Returns a conversion of a dump into one line per event; null if the file's own lines are its
/// records.
[[nodiscard]] std::unique_ptr<Conversion> make_conversion(CompressedInput& input,
                                                          const SideTables& tables);

}  // namespace analytics::cli
