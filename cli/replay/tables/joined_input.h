#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/tables/umami_join.h"
#include "common/compressed_input.h"
#include "common/result.h"

/// Files whose records are made of several tables.
namespace analytics::cli {

/// What the files of a run have that belongs to the events in them.
struct SideTables {
  bool are_wanted = false;               ///< Dumps and tables are looked for.
  std::shared_ptr<UmamiSideRows> umami;  ///< Of tables in files of their own; null: none.
  /// Of each dump, which has events as well.
  std::map<std::string, std::shared_ptr<UmamiSideRows>, std::less<>> dumps;
};

/// What the file that begins with this line is for the events of a run.
enum class Part {
  kOwn,       ///< Its lines are its records.
  kDump,      ///< It has events, and what belongs to them.
  kSide,      ///< It has what belongs to events in other files.
  kPersonal,  ///< It says who visitors are.
};
[[nodiscard]] Part part_of_file(std::string_view first_line);

/// Reads what belongs to events in a dump or a side file, from its first line to its last, unless
/// `is_stopped`. Errors: as CompressedInput's, or kMalformedBody.
[[nodiscard]] std::optional<Error> read_side(CompressedInput& input, SideTables& tables,
                                             const std::function<bool()>& is_stopped);

/// What makes lines of the events in a dump. Null: the file's own lines are its records.
[[nodiscard]] std::unique_ptr<Conversion> make_conversion(CompressedInput& input,
                                                          const SideTables& tables);

}  // namespace analytics::cli
