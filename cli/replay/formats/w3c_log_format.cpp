// The W3C extended log format (https://www.w3.org/TR/WD-logfile.html): a header names the columns.
// IIS separates them by spaces and writes `+` for a space; CloudFront by tabs, percent-encoded.
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kFields = "#Fields:";

class W3cFormat final : public AccessLogFormat {
 public:
  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    if (line.starts_with('#')) {
      skip(line);
      return Parsed::kNoRecord;
    }
    if (columns_.empty()) return Parsed::kMalformed;
    const bool has_tabs = line.find('\t') != std::string_view::npos;
    auto values = split(line, has_tabs ? '\t' : ' ');
    while (values.size() > columns_.size() && trim(values.back()).empty()) values.pop_back();
    if (values.size() != columns_.size()) return Parsed::kMalformed;
    const auto value = [&](std::string_view name) -> std::string_view {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] == name) return values[i] == "-" ? std::string_view() : values[i];
      }
      return {};
    };
    const auto time =
        parse_rfc3339(std::string(value("date")) + "T" + std::string(value("time")) + "Z");
    const auto status = parse_int(value("sc-status"));
    if (!time || !status) return Parsed::kMalformed;
    entry.time = *time;
    entry.status = static_cast<int>(*status);
    entry.address = value("c-ip");
    for (const auto* name : {"X-Forwarded-For", "cs(X-Forwarded-For)", "x-forwarded-for"}) {
      if (entry.forwarded.empty()) entry.forwarded = value(name);
    }
    entry.method = value("cs-method");
    entry.target = log_text(value("cs-uri-stem"));
    if (const auto query = value("cs-uri-query"); !query.empty()) {
      entry.target += "?" + log_text(query);
    }
    for (const auto* name : {"x-host-header", "cs-host", "cs(Host)"}) {
      if (entry.host.empty()) entry.host = log_text(value(name));
    }
    entry.referrer = decode(value("cs(Referer)"), has_tabs);
    entry.user_agent = decode(value("cs(User-Agent)"), has_tabs);
    return Parsed::kEntry;
  }

  void skip(std::string_view line) override {
    if (line.starts_with(kFields)) read_header(line.substr(kFields.size()));
  }
  [[nodiscard]] std::string header() const override { return header_; }

 private:
  void read_header(std::string_view names) {
    columns_.clear();
    header_ = std::string(kFields) + std::string(names);
    for (const auto name : split(names, names.find('\t') != std::string_view::npos ? '\t' : ' ')) {
      if (const auto column = trim(name); !column.empty()) columns_.emplace_back(column);
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
  std::string header_;
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_w3c_format() { return std::make_unique<W3cFormat>(); }

}  // namespace analytics::cli
