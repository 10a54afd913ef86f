#include "cli/replay/formats/line_fields.h"

#include "cli/replay/formats/log_head.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

using Parsed = AccessLogFormat::Parsed;

/// Resolves the escapes \" \\ and \xNN, which Apache and nginx write.
std::string unescape(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return log_text(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      plain += text[at];
    } else if (text[at + 1] == 'x' && at + 3 < text.size()) {
      const auto byte = percent_decode("%" + std::string(text.substr(at + 2, 2)));
      plain += byte.value_or("\\x");
      at += byte ? 3U : 1U;
    } else {
      plain += text[++at];
    }
  }
  return log_text(plain);
}

using Parse = Parsed (*)(std::string_view, AccessLogEntry&);

class LineFormat final : public AccessLogFormat {
 public:
  LineFormat(Parse function, bool may_have_prefix)
      : parse_(function), may_have_prefix_(may_have_prefix) {}
  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    std::string buffer;
    return parse_(may_have_prefix_ ? bare_line(line, buffer) : line, entry);
  }

 private:
  Parse parse_;
  bool may_have_prefix_;
};

}  // namespace

std::optional<std::string_view> take(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto part = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return part;
}

bool take_fields(std::string_view& rest, char separator, std::span<std::string_view> fields) {
  for (auto& field : fields) {
    const auto part = take(rest, separator);
    if (!part) return false;
    field = *part;
  }
  return true;
}

std::optional<std::string_view> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  for (auto at = rest.find('"', 1); at != std::string_view::npos; at = rest.find('"', at + 1)) {
    auto before = at;
    while (rest[before - 1] == '\\') --before;
    if ((at - before) % 2 == 1) continue;  // an odd number of backslashes escapes the quote
    const auto part = rest.substr(1, at - 1);
    rest.remove_prefix(at + 1);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    return part;
  }
  return std::nullopt;
}

std::string unescape_field(std::string_view text) { return text == "-" ? "" : unescape(text); }

bool parse_status(std::string_view text, int& status) {
  const auto code = parse_int(text);
  if (!code || *code < 100 || *code > 599) return false;
  status = static_cast<int>(*code);
  return true;
}

void parse_request(std::string_view request, AccessLogEntry& entry) {
  const auto method = take(request, ' ');
  if (!method) return;
  entry.method = *method;
  entry.target = unescape(request.substr(0, request.rfind(" HTTP/")));
}

std::unique_ptr<AccessLogFormat> make_line_format(Parse parse) {
  return std::make_unique<LineFormat>(parse, true);
}

std::unique_ptr<AccessLogFormat> make_unprefixed_format(Parse parse) {
  return std::make_unique<LineFormat>(parse, false);
}

}  // namespace analytics::cli
