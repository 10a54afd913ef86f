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
#include "common/event_payload.h"
#include "common/result.h"

namespace analytics::cli {

/// A record that is an event.
struct ReplayEvent {
  EventPayload payload;
  bool is_body = false;      ///< The line itself says the same, and can be sent as it is.
  std::size_t withheld = 0;  ///< Values of its record that may name a person and were left out.
};
/// A record that no person looked at: an asset, a failed request, another method.
struct Filtered {};
/// A line that is no record: blank, a comment, a header.
struct NoRecord {};

using ReadLine = std::variant<ReplayEvent, Filtered, NoRecord, Error>;

/// Turns the lines of one format into events, in their order: some have a header. No files, no
/// clock.
class LineReader {
 public:
  virtual ~LineReader() = default;
  [[nodiscard]] virtual ReadLine read(std::string_view line) = 0;
  /// Takes a part of a record, of so many. Returns false if no more is wanted.
  using TakePart = std::function<bool(std::string part, std::size_t count)>;
  /// Divides a record that holds several events into texts that hold one of them each, which read()
  /// takes too, one at a time. Does nothing for others.
  virtual void divide(std::string_view, const TakePart&) const {}
  /// A line that an earlier run has read: only what those behind it need is taken from it.
  virtual void skip(std::string_view) {}
  /// True if the text is a whole record; otherwise the next line belongs to it too.
  [[nodiscard]] virtual bool is_whole(std::string_view) const { return true; }
  /// True if the joined lines parse as a single record.
  [[nodiscard]] virtual bool is_sound(std::string_view) const { return true; }
  /// The line that a reader of one single record must see first; empty: none.
  [[nodiscard]] virtual std::string header() const { return {}; }
};

/// The beginning of a field of `--map` that is a property.
inline constexpr std::string_view kPropPrefix = "prop.";

/// Options that apply to every record.
struct ReaderOptions {
  std::string site;           ///< For records that name none.
  std::string site_override;  ///< For all.
  std::string base;           ///< Prefix of page URLs in access logs; empty: https:// and the site.
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  bool downloads = false;  ///< Requests for documents and archives become "File Download" events.
  UnixMillis now{};
  TimeForms times{};       ///< How times are written that do not show it.
  std::string log_format;  ///< The form of a log's lines: see LogPattern. Empty: a known one.
  std::vector<std::pair<std::string, std::string>> map;  ///< Fields by columns, where they differ.
  std::shared_ptr<SideRows> side_rows{};  ///< For Umami's events; null: there are none.
};

}  // namespace analytics::cli
