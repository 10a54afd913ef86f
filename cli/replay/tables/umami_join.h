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

/// The tables of Umami with events and their data; kOther is any other table. kSessionData
/// identifies visitors and is not read.
enum class UmamiTable { kOther, kEvent, kSession, kEventData, kRevenue, kWebsite, kSessionData };
/// Returns the table with that name in Umami's database; kOther for any other name.
[[nodiscard]] UmamiTable umami_table_called(std::string_view name);
[[nodiscard]] std::string_view umami_table_name(UmamiTable table);
/// Returns the table that has these columns in Umami's database or in an export of Umami Cloud.
[[nodiscard]] UmamiTable umami_table_of(const std::vector<std::string>& columns);

/// Stores the rows of Umami's tables that belong to events: sessions, properties, revenue and
/// websites.
class UmamiSideRows final : public SideRows {
 public:
  /// Stores a row of any table except kEvent. Returns an error message, or an empty text.
  [[nodiscard]] std::string keep(UmamiTable table, const std::vector<std::string>& columns,
                                 const TableValues& row);
  /// Returns a JSON object as SideRows::find() does. Its member "website_domain" is the website's
  /// domain, "event_data" an object with the event's properties, and "other_websites" is true if
  /// there are several websites.
  [[nodiscard]] std::string find(std::string_view session, std::string_view event,
                                 std::string_view website) override;

 private:
  DiskIndex texts_;  ///< JSON members that find() returns, by id of session or event.
  /// JSON members that find() returns about a website, by the website's id.
  std::map<std::string, std::string, std::less<>> websites_;
};

/// Joins Umami's tables: converts each row of website_event to a JSON line with the columns of
/// that row and of the rows in other tables that belong to it.
class UmamiJoin final : public RowSink {
 public:
  enum class Pass {
    kOnly,    ///< Single pass: the other tables' rows must come before the events.
    kFirst,   ///< First of two passes: stores the other tables' rows, skips events.
    kSecond,  ///< Second of two passes: writes the events.
  };
  UmamiJoin(std::shared_ptr<UmamiSideRows> side, Pass pass) : side_(std::move(side)), pass_(pass) {}

  /// Sets the text to which take() appends the JSON lines of events. The text must outlive these
  /// calls of take().
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
  bool has_events_ = false;       ///< True once the line of an event was written.
  bool has_sessions_ = false;     ///< True once begin() has announced the sessions' table.
};

}  // namespace analytics::cli
