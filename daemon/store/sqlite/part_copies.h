#pragma once

#include <map>
#include <string>

#include "daemon/store/sqlite/part_maker.h"
#include "daemon/store/sqlite/part_table.h"

namespace analytics::sqlite {

/// Brings what PartMaker makes into PartTable, in slices of the writer.
class PartCopies {
 public:
  /// `table` must outlive the object. `quiet`: how long a day must not have changed.
  PartCopies(std::filesystem::path file, PartTable& table, std::chrono::seconds quiet,
             std::int64_t fewest)
      : table_(table), maker_(std::move(file), fewest), quiet_(quiet) {}

  /// Chooses the next day. Returns false when none is due, or one is under way. Looks once a second
  /// while there is none.
  [[nodiscard]] bool choose(UnixSeconds now);
  /// Begins to make the chosen day. REQUIRES: all of its events are published.
  void begin();
  /// True if there is something that slice() can do.
  [[nodiscard]] bool is_due() const;
  /// Stores some of what was made. Inside a transaction.
  void slice();
  /// True from begin() until the day is stored or given up.
  [[nodiscard]] bool is_under_way() const { return day_.has_value(); }

 private:
  void take_part();
  void end(bool is_made);

  PartTable& table_;
  PartMaker maker_;
  const std::chrono::seconds quiet_;
  std::optional<SiteDay> chosen_;
  std::optional<UnixSeconds> idle_at_;  ///< When no day was due.
  std::optional<SiteDay> day_;          ///< Under way.
  query::PartId part_ = 0;
  std::map<std::uint32_t, std::string> columns_;  ///< Of the part, still to be stored.
};

}  // namespace analytics::sqlite
