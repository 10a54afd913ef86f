#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// Joins Umami's tables: each row of website_event becomes a line of JSON, with the columns of its
/// session, of its revenue and of its website (as "website_domain", and "other_websites" when there
/// are several), and the object "event_data".
class UmamiJoin final : public RowSink {
 public:
  /// What belongs to events, and may have been read from other files.
  struct Index {
    DiskIndex texts;                                           ///< By session or event.
    std::map<std::string, std::string, std::less<>> websites;  ///< Members by id.
  };
  enum class Pass {
    kOnly,    ///< The rows that belong to an event must come before it.
    kFirst,   ///< Rows are kept, and no events written.
    kSecond,  ///< Events are written, and all other rows are there.
  };
  UmamiJoin(std::shared_ptr<Index> index, Pass pass) : index_(std::move(index)), pass_(pass) {}

  /// Lines are appended to this from now on.
  void write_to(std::string& lines) { lines_ = &lines; }
  bool begin(std::string_view table, const std::vector<std::string>& columns) override;
  std::string take(TableValues row) override;
  [[nodiscard]] bool has_event_table() const { return has_event_table_; }

 private:
  [[nodiscard]] const std::string* value_of(const TableValues& row, std::string_view column) const;
  [[nodiscard]] const std::string* first_value_of(
      const TableValues& row, std::initializer_list<std::string_view> columns) const;
  void keep(const TableValues& row);
  void write_event(const TableValues& row);

  std::shared_ptr<Index> index_;
  const Pass pass_;
  std::string* lines_ = nullptr;
  UmamiTable table_ = UmamiTable::kOther;
  std::vector<std::string> columns_;
  bool has_event_table_ = false;
  bool has_events_ = false;
  bool has_sessions_ = false;
};

}  // namespace analytics::cli
