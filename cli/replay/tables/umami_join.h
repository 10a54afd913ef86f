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

/// The tables of Umami that say what an event is, and the one that says who its visitor is.
enum class UmamiTable { kOther, kEvent, kSession, kEventData, kRevenue, kWebsite, kSessionData };
/// The table of that name in Umami's database.
[[nodiscard]] UmamiTable umami_table_called(std::string_view name);
[[nodiscard]] std::string_view umami_table_name(UmamiTable table);
/// The table whose columns these are, in Umami's database or in the export of its cloud.
[[nodiscard]] UmamiTable umami_table_of(const std::vector<std::string>& columns);

/// What Umami's tables say about events: sessions, properties, revenue and websites.
class UmamiSideRows final : public SideRows {
 public:
  /// Takes a row of another table than kEvent. Returns what is wrong; empty: nothing.
  [[nodiscard]] std::string keep(UmamiTable table, const std::vector<std::string>& columns,
                                 const TableValues& row);
  /// With the website's domain as "website_domain", "other_websites" when there are several, and
  /// the object "event_data".
  [[nodiscard]] std::string find(std::string_view session, std::string_view event,
                                 std::string_view website) override;

 private:
  DiskIndex texts_;                                           ///< By session or event.
  std::map<std::string, std::string, std::less<>> websites_;  ///< Members by id.
};

/// Joins Umami's tables: each row of website_event becomes a line of JSON, with what the others say
/// about it behind its own columns.
class UmamiJoin final : public RowSink {
 public:
  enum class Pass {
    kOnly,    ///< The rows that belong to an event must come before it.
    kFirst,   ///< Rows are kept, and no events written.
    kSecond,  ///< Events are written, and all other rows are there.
  };
  UmamiJoin(std::shared_ptr<UmamiSideRows> side, Pass pass) : side_(std::move(side)), pass_(pass) {}

  /// Lines are appended to this from now on.
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
  bool has_event_table_ = false;
  bool has_events_ = false;
  bool has_sessions_ = false;
};

}  // namespace analytics::cli
