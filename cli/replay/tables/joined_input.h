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

/// Reads events whose data is spread over several tables, in one SQL dump or in several files.
namespace analytics::cli {

/// Rows that belong to events but are in other tables, such as sessions, from all files of a run.
struct SideTables {
  bool are_wanted = false;  ///< True if the files of the run may be dumps or tables.
  /// Rows from files that contain a single such table; null if the run has no such file.
  std::shared_ptr<UmamiSideRows> umami;
  /// Rows from each dump that also contains events, by the dump's file name.
  std::map<std::string, std::shared_ptr<UmamiSideRows>, std::less<>> dumps;
};

/// The kind of a file, found in its first line.
enum class Part {
  kOwn,       ///< A file of events or requests: each line is a record.
  kDump,      ///< An SQL dump with events and the tables that belong to them.
  kSide,      ///< A table with rows that belong to events in other files.
  kPersonal,  ///< A table that identifies persons; it is not read.
};
[[nodiscard]] Part part_of_file(std::string_view first_line);

/// Reads a file of kind kDump or kSide and stores the rows that belong to events in `tables`.
/// Stops early if `is_stopped` returns true. Errors: those of CompressedInput; kMalformedBody.
[[nodiscard]] std::optional<Error> read_side(CompressedInput& input, SideTables& tables,
                                             const std::function<bool()>& is_stopped);

/// Returns a conversion of an SQL dump into one JSON line per event; null if the file is no dump.
[[nodiscard]] std::unique_ptr<Conversion> make_conversion(CompressedInput& input,
                                                          const SideTables& tables);

}  // namespace analytics::cli
