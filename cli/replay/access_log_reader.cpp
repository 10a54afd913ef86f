#include "cli/replay/access_log_reader.h"

#include <algorithm>
#include <array>

#include <fnmatch.h>

#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::string_view kAssets[] = {
    ".css",  ".js",   ".mjs",  ".map",  ".png",   ".jpg", ".jpeg", ".gif",  ".svg",        ".ico",
    ".webp", ".avif", ".bmp",  ".woff", ".woff2", ".ttf", ".otf",  ".eot",  ".json",       ".xml",
    ".txt",  ".rss",  ".atom", ".mp4",  ".webm",  ".mp3", ".ogg",  ".wasm", ".webmanifest"};

/// Takes the text up to `end` off the front, and `end` with it.
std::optional<std::string_view> take(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto part = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return part;
}

/// A quoted field, in which \" does not end it.
std::optional<std::string_view> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '\\') {
      ++at;
    } else if (rest[at] == '"') {
      const auto part = rest.substr(1, at - 1);
      rest.remove_prefix(at + 1);
      if (rest.starts_with(' ')) rest.remove_prefix(1);
      return part;
    }
  }
  return std::nullopt;
}

/// "17/May/2015:10:05:03 +0200"
std::optional<UnixMillis> parse_time(std::string_view text) {
  if (text.size() != 26 || text[2] != '/' || text[6] != '/' || text[11] != ':' || text[20] != ' ')
    return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) {
    return static_cast<int>(parse_int(text.substr(at, size)).value_or(-1));
  };
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(3, 3)) - kMonths.begin();
  const bool minus = text[21] == '-';
  if ((!minus && text[21] != '+') || number(22, 2) < 0 || number(24, 2) < 0) return std::nullopt;
  const std::chrono::minutes offset(number(22, 2) * 60 + number(24, 2));
  const auto time = civil_time(number(7, 4), static_cast<unsigned>(month + 1),
                               static_cast<unsigned>(number(0, 2)), number(12, 2), number(15, 2),
                               number(18, 2), minus ? -offset : offset);
  if (!time) return std::nullopt;
  return *time;
}

/// Resolves \" \\ and \xNN, as Apache and nginx write them; what is not UTF-8 becomes U+FFFD.
std::string unescape(std::string_view text) {
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
  std::replace_if(plain.begin(), plain.end(), is_control, ' ');
  return is_valid_utf8(plain) ? plain : repair_utf8(plain);
}

bool matches_any(const std::vector<std::string>& globs, const std::string& path) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return fnmatch(glob.c_str(), path.c_str(), 0) == 0;
  });
}

}  // namespace

AccessLogReader::AccessLogReader(ReaderOptions options)
    : options_(std::move(options)), base_(options_.base) {
  if (base_.empty()) {
    const auto& sites = options_.site_override.empty() ? options_.site : options_.site_override;
    auto site = std::string(trim(split(sites, ',').front()));
    if (istarts_with(site, "https://")) site.erase(0, 8);
    if (istarts_with(site, "http://")) site.erase(0, 7);
    site.erase(std::min(site.find('/'), site.size()));  // targets begin with its path
    // A site need not be a domain name; a URL must hold a host all the same.
    for (auto at = site.find(' '); at != std::string::npos; at = site.find(' ')) {
      site.replace(at, 1, "-");
    }
    base_ = "https://" + site;
  }
  while (base_.ends_with('/')) base_.pop_back();
}

std::optional<AccessLogLine> parse_combined(std::string_view line) {
  AccessLogLine parsed;
  const auto address = take(line, ' ');
  const auto bracket = take(line, '[');  // identity and user stand before it
  const auto stamp = take(line, ']');
  if (!address || !bracket || !stamp || !line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(1);
  const auto time = parse_time(*stamp);
  auto request = take_quoted(line);
  const auto status = take(line, ' ');
  const auto size = take(line, ' ');
  const auto referrer = take_quoted(line);
  const auto user_agent = take_quoted(line);
  if (!time || !request || !status || !size || !referrer || !user_agent) return std::nullopt;
  const auto code = parse_int(*status);
  if (!code || *code < 100 || *code > 599) return std::nullopt;
  parsed.address = *address;
  parsed.time = *time;
  parsed.status = static_cast<int>(*code);
  parsed.referrer = *referrer;
  parsed.user_agent = *user_agent;
  if (const auto method = take(*request, ' ')) {
    parsed.method = *method;
    parsed.target = request->substr(0, request->rfind(" HTTP/"));
  }
  return parsed;
}

bool AccessLogReader::is_page(std::string_view path) const {
  const std::string text(path);
  if (matches_any(options_.exclude, text)) return false;
  if (!options_.include.empty()) return matches_any(options_.include, text);
  const auto lower = ascii_lower(path);
  return std::none_of(std::begin(kAssets), std::end(kAssets),
                      [&](std::string_view asset) { return lower.ends_with(asset); });
}

ReadLine AccessLogReader::read(std::string_view line) const {
  if (trim(line).empty()) return NoRecord{};
  const auto parsed = parse_combined(line);
  if (!parsed)
    return Error{ErrorCode::kMalformedBody, "The line is not in the combined log format.", {}};
  const bool looked_at =
      parsed->method == "GET" && (parsed->status / 100 == 2 || parsed->status == 304);
  if (!looked_at || !is_page(parsed->target.substr(0, parsed->target.find('?')))) return Filtered{};
  const auto& site = options_.site_override.empty() ? options_.site : options_.site_override;
  EventPayload payload;
  payload.domains = {site};
  payload.name = kPageview;
  const auto target = unescape(parsed->target);
  if (target.starts_with('/')) {
    payload.url = base_ + target;
  } else if (target.find("://") != std::string::npos) {
    payload.url = target;
  } else {
    return Filtered{};  // "*", or what no browser asks for
  }
  if (parsed->referrer != "-") payload.referrer = unescape(parsed->referrer);
  payload.timestamp = parsed->time;
  payload.ip = std::string(parsed->address);
  payload.user_agent = parsed->user_agent == "-" ? "" : unescape(parsed->user_agent);
  if (options_.keep_bots) payload.keep_bots = true;
  // The rules of an event hold for those of a log too: one home for them.
  auto checked = parse_event_payload(to_json(payload), {true, options_.now});
  if (!checked) return checked.error();
  return ReplayEvent{std::move(*checked), ""};
}

}  // namespace analytics::cli
