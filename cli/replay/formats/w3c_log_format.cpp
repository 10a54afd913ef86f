// The W3C extended log format (https://www.w3.org/TR/WD-logfile.html): a header names the columns.
// IIS separates them by spaces and writes `+` for a space; CloudFront by tabs, percent-encoded;
// IIS's Advanced Logging, Incapsula and Shoutcast put values in quotes.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kFields = "#Fields:";
constexpr std::string_view kInvisible = "\u200b";  // in copies of CloudFront's documentation

class W3cFormat final : public AccessLogFormat {
 public:
  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    if (line.starts_with('#')) {
      skip(line);
      return Parsed::kNoRecord;
    }
    if (columns_.empty()) return Parsed::kMalformed;
    const bool has_tabs = line.find('\t') != std::string_view::npos;
    const char separator = has_tabs ? '\t' : ' ';
    auto values = values_of(line, separator);
    // A quote may be part of a value, where values have none around them.
    if (!fits(values)) values = split(line, separator);
    if (!fits(values)) return Parsed::kMalformed;
    const auto value = [&](std::string_view name) -> std::string_view {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] != name) continue;
        return values[i] == "-" ? std::string_view() : values[i];
      }
      return {};
    };
    const auto first = [&](std::initializer_list<std::string_view> names) {
      std::string_view found;
      for (const auto name : names) {
        if (found.empty()) found = value(name);
      }
      return found;
    };
    const auto day = first({"date", "date-UTC", "date-local"});
    const auto hour = first({"time", "time-UTC", "time-local"});
    const auto time = parse_rfc3339(std::string(day) + "T" + std::string(hour) + "Z");
    if (!time) return Parsed::kMalformed;
    if (!value("x-event").empty()) return read_stream(value("x-event"), value, *time, entry);
    // Incapsula leaves the status of some answers out.
    const auto code = first({"sc-status", "c-status"});
    const bool is_incapsula = has("cs(Referrer)") && has("s-xff");
    const auto status = is_incapsula && code.empty() ? 200 : parse_int(code);
    if (!status) return Parsed::kMalformed;
    entry.time = *time;
    entry.status = static_cast<int>(*status);
    entry.address = value("c-ip");
    entry.forwarded = first({"X-Forwarded-For", "cs(X-Forwarded-For)", "x-forwarded-for", "s-xff"});
    entry.method = has("cs-method") ? value("cs-method") : "GET";  // a stream's log has none
    entry.target = log_text(value("cs-uri-stem"));
    if (const auto uri = value("cs-uri"); is_incapsula && !uri.empty()) {  // host and path
      const auto slash = std::min(uri.find('/'), uri.size());
      entry.host = log_text(uri.substr(0, slash));
      entry.target = slash == uri.size() ? "/" : log_text(uri.substr(slash));
    }
    if (const auto query = value("cs-uri-query"); !query.empty()) {
      entry.target += "?" + log_text(query);
    }
    for (const auto* name : {"x-host-header", "cs-host", "cs(Host)"}) {
      if (entry.host.empty()) entry.host = log_text(value(name));
    }
    const bool is_encoded = has_tabs || has("c-status");
    entry.referrer = decode(first({"cs(Referer)", "cs(Referrer)"}), is_encoded);
    entry.user_agent = decode(value("cs(User-Agent)"), is_encoded);
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

  /// Removes blanks at the end of a line. True if each column has its value.
  bool fits(std::vector<std::string_view>& values) const {
    while (values.size() > columns_.size() && trim(values.back()).empty()) values.pop_back();
    return values.size() == columns_.size();
  }

  /// The values of a line. Runs of blanks are one separator.
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

  /// A value in quotes ends with the quote before a separator; `""` in it is one quote.
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

  /// CloudFront's log of streams (RTMP): who begins to play one has seen it.
  template <typename Value>
  static Parsed read_stream(std::string_view event, const Value& value, UnixMillis time,
                            AccessLogEntry& entry) {
    if (event != "play") return Parsed::kFiltered;
    const auto url = split_url(value("cs-uri-stem"));
    if (!url) return Parsed::kMalformed;
    entry.time = time;
    entry.status = 200;
    entry.method = "GET";
    entry.address = value("c-ip");
    entry.host = url->host;
    entry.target = log_text(url->path) + "/" + log_text(value("x-sname"));
    entry.referrer = log_text(value("x-page-url"));
    entry.user_agent = decode(value("c-user-agent"), true);
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
  }

  static std::string decode(std::string_view value, bool is_encoded) {
    if (!is_encoded) {
      std::string text = log_text(value);
      for (auto& c : text) c = c == '+' ? ' ' : c;
      return text;
    }
    auto text = percent_decode_lenient(value);
    if (text.find("%20") != std::string::npos) text = percent_decode_lenient(text);  // older logs
    return log_text(text);
  }

  std::vector<std::string> columns_;
  std::deque<std::string> unescaped_;  ///< Values of the line, which stay where they are.
  std::string header_;
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_w3c_format() { return std::make_unique<W3cFormat>(); }

}  // namespace analytics::cli
