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
#include "common/run/result.h"
#include "common/wire/event_payload.h"

namespace analytics::cli {

/// A record that is an event.
struct ReplayEvent {
  EventPayload payload;
  /// True if the line itself is an equivalent event body and can be sent unchanged.
  bool is_body = false;
  /// Number of values that were left out because they may identify a person.
  std::size_t withheld = 0;
};
/// A record that is not an event to import: an asset, a failed request, another method.
struct Filtered {};
/// A line that is not a record: blank, a comment, a header.
struct NoRecord {};

using ReadLine = std::variant<ReplayEvent, Filtered, NoRecord, Error>;

/// Turns the lines of a format into events, in order; some formats begin with a header. It
/// accesses neither files nor the clock.
class LineReader {
 public:
  virtual ~LineReader() = default;
  /// Reads one record.
  [[nodiscard]] virtual ReadLine read(std::string_view line) = 0;
  /// Receives one part of a record and the total number of parts. Returns false to stop.
  using TakePart = std::function<bool(std::string part, std::size_t count)>;
  /// Splits a record with several events into one text per event; read() accepts each text. Does
  /// nothing for other records.
  virtual void divide(std::string_view, const TakePart&) const {}
  /// Passes over a record that an earlier run has read. Keeps only what later records need, such as
  /// a header.
  virtual void skip(std::string_view) {}
  /// Returns true if the text is a whole record; otherwise the next line belongs to it too.
  [[nodiscard]] virtual bool is_whole(std::string_view) const { return true; }
  /// Returns true if the joined lines parse as a single record.
  [[nodiscard]] virtual bool is_sound(std::string_view) const { return true; }
  /// Returns the line that a new reader must read before a single record of this file; empty if it
  /// needs none.
  [[nodiscard]] virtual std::string header() const { return {}; }
};

/// Prefix of `--map` fields that set a property.
inline constexpr std::string_view kPropPrefix = "prop.";

/// Options that apply to every record.
struct ReaderOptions {
  std::string site;           ///< Site of records that name none.
  std::string site_override;  ///< Site of all records, if not empty.
  std::string base;  ///< Prefix of page URLs in access logs; empty for https:// and the site.
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  bool downloads = false;  ///< Requests for documents and archives become "File Download" events.
  UnixMillis now{};
  TimeForms times{};       ///< The form of times that do not show it.
  std::string log_format;  ///< Form of the log's lines, see LogPattern; empty for a known format.
  /// `--map`: each field and the column that contains it.
  std::vector<std::pair<std::string, std::string>> map;
  std::shared_ptr<SideRows>
      side_rows{};  ///< Rows of Umami's other tables; null without such tables.
};

}  // namespace analytics::cli
