#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cli/replay/tables/umami_join.h"
#include "common/compressed_input.h"
#include "common/result.h"

/// Files whose records are made of several tables.
namespace analytics::cli {

/// What the files of a run have that belongs to the events in them.
struct SideTables {
  std::shared_ptr<UmamiJoin::Index> umami;  ///< Null: nothing.
  std::set<std::string> dumps;              ///< The files among it that have the events as well.
};

/// What the file that begins with this line is for the events of a run.
enum class Part {
  kOwn,       ///< Its lines are its records.
  kDump,      ///< It has events, and what belongs to them.
  kSide,      ///< It has what belongs to events in other files.
  kPersonal,  ///< It says who visitors are.
};
[[nodiscard]] Part part_of_file(std::string_view first_line);

/// Reads what belongs to events in a dump or a side file, from its first line to its last. Errors:
/// as CompressedInput's, or kMalformedBody.
[[nodiscard]] std::optional<Error> read_side(CompressedInput& input, SideTables& tables);

/// What makes lines of the events in a file: of a dump, or of a table to which `tables` belong.
/// Null: the file's own lines are its records.
[[nodiscard]] std::unique_ptr<Conversion> make_conversion(CompressedInput& input,
                                                          const SideTables& tables);

}  // namespace analytics::cli
