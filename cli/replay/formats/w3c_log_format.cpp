// Reads the W3C extended log format (https://www.w3.org/TR/WD-logfile.html): a header names the
// columns. IIS separates values by spaces and writes `+` for a space. CloudFront separates them by
// tabs and percent-encodes them. IIS's Advanced Logging, Incapsula and Shoutcast put values in
// quotes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kFields = "#Fields:";
// A zero-width space, which headers copied from CloudFront's documentation contain.
constexpr std::string_view kInvisible = "\u200b";

enum W3cField : std::uint8_t {
  kDay,
  kHour,
  kStatus,
  kClient,
  kForwarded,
  kMethod,
  kStem,
  kUri,
  kQuery,
  kHost,
  kReferrer,
  kUserAgent,
  kEvent,
  kStreamName,
  kStreamPage,
  kStreamAgent,
  kFieldCount
};

/// The columns that may contain each W3cField, the preferred one first.
constexpr std::array<std::array<std::string_view, 4>, kFieldCount> kW3cColumns = {{
    {"date", "date-UTC", "date-local"},
    {"time", "time-UTC", "time-local"},
    {"sc-status", "c-status"},
    {"c-ip"},
    {"X-Forwarded-For", "cs(X-Forwarded-For)", "x-forwarded-for", "s-xff"},
    {"cs-method"},
    {"cs-uri-stem"},
    {"cs-uri"},
    {"cs-uri-query"},
    {"x-host-header", "cs-host", "cs(Host)"},
    {"cs(Referer)", "cs(Referrer)"},
    {"cs(User-Agent)"},
    {"x-event"},
    {"x-sname"},
    {"x-page-url"},
    {"c-user-agent"},
}};

/// Returns true for a directive such as "#Version: 1.0". Returns false for other comments, with
/// which files in another format may begin.
bool is_directive(std::string_view line) {
  constexpr std::string_view kDirectives[] = {
      "#Version:", "#Fields:", "#Software:", "#Remark:", "#Date:", "#Start-Date:", "#End-Date:"};
  return std::any_of(std::begin(kDirectives), std::end(kDirectives),
                     [&](std::string_view name) { return istarts_with(line, name); });
}

class W3cFormat final : public AccessLogFormat {
 public:
  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    if (line.starts_with('#')) {
      skip(line);
      return columns_.empty() && !is_directive(line) ? Parsed::kMalformed : Parsed::kNoRecord;
    }
    if (columns_.empty()) return Parsed::kMalformed;
    const bool has_tabs = line.find('\t') != std::string_view::npos;
    const char separator = has_tabs ? '\t' : ' ';
    auto values = values_of(line, separator);
    // If the values do not match the columns, the log does not quote values, and the quotes are
    // part of the values.
    if (!fits(values)) values = split(line, separator);
    if (!fits(values)) return Parsed::kMalformed;
    const auto value = [&](W3cField field) -> std::string_view {
      for (const auto at : places_[field]) {
        if (!values[at].empty() && values[at] != "-") return values[at];
      }
      return {};
    };
    const auto time =
        parse_rfc3339(std::string(value(kDay)) + "T" + std::string(value(kHour)) + "Z");
    if (!time) return Parsed::kMalformed;
    if (!value(kEvent).empty()) return read_stream(value, *time, entry);
    // Incapsula leaves out the status of some replies.
    const auto code = value(kStatus);
    const auto status = is_incapsula_ && code.empty() ? 200 : parse_int(code);
    if (!status) return Parsed::kMalformed;
    entry.time = *time;
    entry.status = static_cast<int>(*status);
    entry.address = value(kClient);
    entry.forwarded = value(kForwarded);
    const bool has_method = !places_[kMethod].empty();
    entry.method = has_method ? value(kMethod) : "GET";  // a stream's log has no method
    entry.target = log_text(value(kStem));
    if (const auto uri = value(kUri); is_incapsula_ && !uri.empty()) {  // cs-uri is host and path
      const auto slash = std::min(uri.find('/'), uri.size());
      entry.host = log_text(uri.substr(0, slash));
      entry.target = slash == uri.size() ? "/" : log_text(uri.substr(slash));
    }
    if (const auto query = value(kQuery); !query.empty()) entry.target += "?" + log_text(query);
    if (entry.host.empty()) entry.host = log_text(value(kHost));
    const bool is_encoded = has_tabs || is_stream_;
    entry.referrer = decode(value(kReferrer), is_encoded);
    entry.user_agent = decode(value(kUserAgent), is_encoded);
    return Parsed::kEntry;
  }

  void skip(std::string_view line) override {
    if (line.starts_with(kFields)) read_header(line.substr(kFields.size()));
  }
  [[nodiscard]] std::string header() const override { return header_; }

 private:
  [[nodiscard]] bool has(std::string_view column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }

  /// Removes surplus empty values from the end. Returns true if each column then has one value.
  bool fits(std::vector<std::string_view>& values) const {
    while (values.size() > columns_.size() && trim(values.back()).empty()) values.pop_back();
    return values.size() == columns_.size();
  }

  /// Splits a line into its values. Several spaces together are one separator.
  std::vector<std::string_view> values_of(std::string_view line, char separator) {
    std::vector<std::string_view> values;
    values.reserve(columns_.size() + 1);
    unescaped_.clear();
    while (!line.empty()) {
      values.push_back(line.starts_with('"') ? take_quoted(line, separator)
                                             : take_plain(line, separator));
      while (separator == ' ' && line.starts_with(' ')) line.remove_prefix(1);
    }
    return values;
  }

  static std::string_view take_plain(std::string_view& line, char separator) {
    const auto end = std::min(line.find(separator), line.size());
    auto value = trim(line.substr(0, end));
    if (value.ends_with(kInvisible)) value.remove_suffix(kInvisible.size());
    line.remove_prefix(std::min(end + 1, line.size()));
    return value;
  }

  /// Removes a value in quotes from the front of `line` and returns it. It ends with a quote before
  /// a separator; `""` inside it is a single quote.
  std::string_view take_quoted(std::string_view& line, char separator) {
    line.remove_prefix(1);
    auto end = line.find('"');
    while (end != std::string_view::npos && end + 1 < line.size() && line[end + 1] != separator) {
      end = line.find('"', end + (line[end + 1] == '"' ? 2 : 1));
    }
    end = std::min(end, line.size());
    const auto value = line.substr(0, end);
    line.remove_prefix(std::min(end + 2, line.size()));
    if (value.find("\"\"") == std::string_view::npos) return value;
    auto& text = unescaped_.emplace_back();
    for (std::size_t at = 0; at < value.size(); ++at) {
      text += value[at];
      if (value.substr(at, 2) == "\"\"") ++at;
    }
    return text;
  }

  /// Reads a line of CloudFront's log of RTMP streams. The start of playback becomes a pageview.
  template <typename Value>
  static Parsed read_stream(const Value& value, UnixMillis time, AccessLogEntry& entry) {
    if (value(kEvent) != "play") return Parsed::kFiltered;
    const auto url = split_url(value(kStem));
    if (!url) return Parsed::kMalformed;
    entry.time = time;
    entry.status = 200;
    entry.method = "GET";
    entry.address = value(kClient);
    entry.host = url->host;
    entry.target = log_text(url->path) + "/" + log_text(value(kStreamName));
    entry.referrer = log_text(value(kStreamPage));
    entry.user_agent = decode(value(kStreamAgent), true);
    return Parsed::kEntry;
  }

  void read_header(std::string_view names) {
    columns_.clear();
    header_ = std::string(kFields) + std::string(names);
    for (const auto name : split(names, names.find('\t') != std::string_view::npos ? '\t' : ' ')) {
      auto column = trim(name);
      if (column.ends_with(kInvisible)) column.remove_suffix(kInvisible.size());
      if (!column.empty()) columns_.emplace_back(column);
    }
    for (std::size_t field = 0; field < kFieldCount; ++field) {
      places_[field].clear();
      for (const auto name : kW3cColumns[field]) {
        const auto at = std::find(columns_.begin(), columns_.end(), name);
        if (!name.empty() && at != columns_.end()) {
          places_[field].push_back(static_cast<std::size_t>(at - columns_.begin()));
        }
      }
    }
    is_incapsula_ = has("cs(Referrer)") && has("s-xff");
    is_stream_ = has("c-status");
  }

  static std::string decode(std::string_view value, bool is_encoded) {
    if (!is_encoded) {
      std::string text = log_text(value);
      for (auto& c : text) c = c == '+' ? ' ' : c;
      return text;
    }
    auto text = percent_decode_lenient(value);
    // CloudFront encoded values of older logs twice.
    if (text.find("%20") != std::string::npos) text = percent_decode_lenient(text);
    return log_text(text);
  }

  std::vector<std::string> columns_;
  /// For each W3cField, the indexes of the columns that may contain it.
  std::array<std::vector<std::size_t>, kFieldCount> places_;
  bool is_incapsula_ = false;
  bool is_stream_ = false;  ///< True for a log of Icecast or Shoutcast.
  /// Values of the line whose quotes were resolved; a deque does not move them when it grows.
  std::deque<std::string> unescaped_;
  std::string header_;
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_w3c_format() { return std::make_unique<W3cFormat>(); }

}  // namespace analytics::cli
