#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/side_rows.h"
#include "cli/replay/tables/disk_index.h"
#include "cli/replay/tables/row_sink.h"

namespace analytics::cli {

/// Umami's tables with events and their data. kSessionData identifies visitors and is not read.
enum class UmamiTable { kOther, kEvent, kSession, kEventData, kRevenue, kWebsite, kSessionData };
/// Returns the table with that name in Umami's database.
[[nodiscard]] UmamiTable umami_table_called(std::string_view name);
[[nodiscard]] std::string_view umami_table_name(UmamiTable table);
/// Returns the table that has these columns in Umami's database or in an export of Umami Cloud.
[[nodiscard]] UmamiTable umami_table_of(const std::vector<std::string>& columns);

/// Stores the rows of Umami's tables that belong to events: sessions, properties, revenue and
/// websites.
class UmamiSideRows final : public SideRows {
 public:
  /// Stores a row of any table except kEvent. Returns what is wrong, or an empty text.
  [[nodiscard]] std::string keep(UmamiTable table, const std::vector<std::string>& columns,
                                 const TableValues& row);
  /// See SideRows. Adds the website's domain as "website_domain", "other_websites" if there are
  /// several, and the event's properties as the object "event_data".
  [[nodiscard]] std::string find(std::string_view session, std::string_view event,
                                 std::string_view website) override;

 private:
  DiskIndex texts_;  ///< More members of an event, as JSON, by the id of a session or event.
  std::map<std::string, std::string, std::less<>> websites_;  ///< Members as JSON, by website id.
};

/// Joins Umami's tables: turns each row of website_event into a JSON line with its own columns and
/// those of the rows that belong to it in other tables.
class UmamiJoin final : public RowSink {
 public:
  enum class Pass {
    kOnly,    ///< Single pass: the other tables' rows must come before the events.
    kFirst,   ///< First of two passes: stores the other tables' rows, skips events.
    kSecond,  ///< Second of two passes: writes the events.
  };
  UmamiJoin(std::shared_ptr<UmamiSideRows> side, Pass pass) : side_(std::move(side)), pass_(pass) {}

  /// Sets the text to which the lines of events are appended. It must outlive its use.
  void write_to(std::string& lines) { lines_ = &lines; }
  [[nodiscard]] bool knows(std::string_view table) const override;
  [[nodiscard]] bool must_be_one(std::string_view table) const override;
  bool begin(std::string_view table, const std::vector<std::string>& columns) override;
  std::string take(TableValues row) override;
  [[nodiscard]] bool has_event_table() const { return has_event_table_; }

 private:
  void write_event(const TableValues& row);

  std::shared_ptr<UmamiSideRows> side_;
  const Pass pass_;
  std::string* lines_ = nullptr;
  UmamiTable table_ = UmamiTable::kOther;
  std::vector<std::string> columns_;
  bool has_event_table_ = false;  ///< True once begin() has announced the events' table.
  bool has_events_ = false;       ///< True once an event was written.
  bool has_sessions_ = false;     ///< True once begin() has announced the sessions' table.
};

}  // namespace analytics::cli
