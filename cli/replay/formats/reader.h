#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/replay/formats/log_time.h"
#include "cli/replay/formats/side_rows.h"
#include "common/event/event_payload.h"
#include "common/run/result.h"

namespace analytics::cli {

/// The event that a record contains.
struct ReplayEvent {
  EventPayload payload;
  /// True if the line itself is a request body for this event and can be sent unchanged.
  bool is_body = false;
};
/// A valid record that is not imported, such as a failed request or a request for an asset.
struct Filtered {};
/// A line that is not a record: blank, a comment, a header.
struct NoRecord {};

/// The result of reading a line; an Error if the record cannot be an event.
using ReadLine = std::variant<ReplayEvent, Filtered, NoRecord, Error>;

/// Converts the lines of a file to events. It must get the lines in order, because some formats
/// have a header line. Accesses neither files nor the clock.
class LineReader {
 public:
  virtual ~LineReader() = default;
  /// Reads one record.
  [[nodiscard]] virtual ReadLine read(std::string_view line) = 0;
  /// Function that receives the text of a single event in a record, and the number of events in
  /// the record. Returns false to stop.
  using TakePart = std::function<bool(std::string part, std::size_t count)>;
  /// Splits a record with several events into one text per event; read() accepts each text. Does
  /// nothing for other records.
  virtual void divide(std::string_view, const TakePart&) const {}
  /// Skips a record that an earlier run has read, but remembers data that later records need, such
  /// as a header.
  virtual void skip(std::string_view) {}
  /// Returns true if the text is a whole record; otherwise the next line may belong to it too.
  [[nodiscard]] virtual bool is_whole(std::string_view) const { return true; }
  /// Returns true if the text, several lines joined, parses as a single record.
  [[nodiscard]] virtual bool is_sound(std::string_view) const { return true; }
  /// Returns the header line that another reader must read before it can read a record of this
  /// file; empty if it needs none.
  [[nodiscard]] virtual std::string header() const { return {}; }
};

/// Prefix of `--map` fields that set a property.
inline constexpr std::string_view kPropPrefix = "prop.";

/// Options that apply to every record.
struct ReaderOptions {
  std::string site;           ///< Site of records that name none.
  std::string site_override;  ///< Site of all records; empty to use each record's own, or `site`.
  std::string base;  ///< Prefix of page URLs in access logs; empty for https:// and the site.
  std::vector<std::string> include;  ///< Globs of paths to import; empty for all paths.
  std::vector<std::string> exclude;  ///< Globs of paths to leave out.
  bool keep_bots = false;            ///< True to import the events of bots too.
  bool downloads = false;            ///< True to import requests for documents as "File Download".
  UnixMillis now{};                  ///< Current time, against which timestamps are checked.
  TimeForms times{};                 ///< Format and zone of the times in the file.
  std::string log_format;  ///< Value of --log-format, see LogPattern; empty for a known format.
  /// Values of `--map`: each field and the column that contains it.
  std::vector<std::pair<std::string, std::string>> map;
  std::shared_ptr<SideRows> side_rows{};  ///< Rows of Umami's other tables; null for other input.
};

}  // namespace analytics::cli
