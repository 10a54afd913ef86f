#include "cli/replay/formats/access_log_reader.h"

#include <algorithm>

#include <fnmatch.h>

#include "cli/replay/formats/event_rules.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_time.h"
#include "common/run/secret.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

// Extensions of files that are not pages, sorted for binary search.
constexpr std::string_view kAssets[] = {
    ".atom", ".avif", ".bmp",         ".css",  ".cur",  ".eot",   ".gif", ".ico",
    ".jpeg", ".jpg",  ".js",          ".json", ".map",  ".mjs",   ".mp3", ".mp4",
    ".ogg",  ".otf",  ".png",         ".rss",  ".svg",  ".swf",   ".ttf", ".txt",
    ".wasm", ".webm", ".webmanifest", ".webp", ".woff", ".woff2", ".xml", ".xsl"};

// Extensions of files that visitors save instead of viewing, sorted for binary search.
constexpr std::string_view kDownloads[] = {
    ".7z",      ".apk", ".asc", ".avi",  ".bin",   ".bz2",    ".cfg",  ".conf", ".csv",  ".deb",
    ".diff",    ".dmg", ".doc", ".docx", ".eps",   ".epub",   ".exe",  ".flac", ".gz",   ".img",
    ".iso",     ".jar", ".key", ".log",  ".m4a",   ".md5",    ".mkv",  ".mobi", ".mov",  ".mpeg",
    ".msi",     ".odp", ".ods", ".odt",  ".patch", ".pdf",    ".pkg",  ".pps",  ".ppsx", ".ppt",
    ".pptx",    ".ps",  ".rar", ".rpm",  ".rtf",   ".sha256", ".sig",  ".sql",  ".tar",  ".tgz",
    ".torrent", ".tsv", ".war", ".wav",  ".wmv",   ".xls",    ".xlsx", ".xz",   ".zip",  ".zst"};
static_assert(std::is_sorted(std::begin(kAssets), std::end(kAssets)));
static_assert(std::is_sorted(std::begin(kDownloads), std::end(kDownloads)));
constexpr char kDownloadEvent[] = "File Download";

bool matches_any(const std::vector<std::string>& globs, const std::string& path) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return fnmatch(glob.c_str(), path.c_str(), 0) == 0;
  });
}

}  // namespace

PageviewRules::PageviewRules(ReaderOptions options)
    : options_(std::move(options)), base_(base_of(options_)) {}

PageviewRules::Kind PageviewRules::kind_of(std::string_view path) const {
  const std::string text(path);
  if (matches_any(options_.exclude, text)) return Kind::kNothing;
  if (!options_.include.empty() && !matches_any(options_.include, text)) return Kind::kNothing;
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != path.npos) return Kind::kPage;
  const auto ending = ascii_lower(path.substr(dot));
  const bool is_wanted = !options_.include.empty();
  const auto is_in = [&](const auto& list) {
    return std::binary_search(std::begin(list), std::end(list), ending);
  };
  if (is_in(kDownloads) && options_.downloads) return Kind::kDownload;
  const bool is_page = is_wanted || (!is_in(kAssets) && !is_in(kDownloads));
  return is_page ? Kind::kPage : Kind::kNothing;
}

ReadLine AccessLogReader::read(std::string_view line) {
  if (trim(line).empty()) return NoRecord{};
  AccessLogEntry entry;
  switch (format_->parse(line, entry)) {
    case AccessLogFormat::Parsed::kNoRecord: return NoRecord{};
    case AccessLogFormat::Parsed::kFiltered: return Filtered{};
    case AccessLogFormat::Parsed::kMalformed:
      if (line.starts_with('#')) return NoRecord{};  // a comment
      return Error{ErrorCode::kMalformedBody, "The line is not in the format of the log.", {}};
    case AccessLogFormat::Parsed::kEntry: break;
  }
  return rules_.judge(entry);
}

ReadLine PageviewRules::judge(AccessLogEntry& entry) const {
  const bool looked_at = entry.method == "GET" && (entry.status / 100 == 2 || entry.status == 304);
  if (!looked_at) return Filtered{};
  const auto kind = kind_of(std::string_view(entry.target).substr(0, entry.target.find('?')));
  return kind == Kind::kNothing ? ReadLine(Filtered{}) : to_event(entry, kind);
}

ReadLine PageviewRules::to_event(AccessLogEntry& entry, Kind kind) const {
  if (entry.host.empty()) {
    if (const auto url = split_url(entry.target)) entry.host = std::string(url->host);
  }
  auto host = host_of(entry.host);
  EventPayload payload;
  payload.name = kind == Kind::kDownload ? kDownloadEvent : kPageview;
  const auto& site = site_of(options_);
  payload.domains = {site.empty() ? host : site};
  if (payload.domains.front().empty()) return no_site_error();
  // An address in place of a host may be a visitor's, so it must not become the name of a site.
  if (parse_address(host) || parse_address(entry.host)) {
    if (site.empty()) {
      return Error{ErrorCode::kInvalidEvent,
                   "The record names an address instead of a site: use --site DOMAIN.",
                   {}};
    }
    host.clear();
  }
  if (entry.target.starts_with('/')) {
    const bool has_host = !host.empty() && options_.base.empty();
    payload.url = (has_host ? "https://" + host : base_) + entry.target;
  } else if (const auto url = split_url(entry.target); url && !options_.base.empty()) {
    payload.url = base_ + (url->path.empty() ? "/" : std::string(url->path));
    if (!url->query.empty()) payload.url += "?" + std::string(url->query);
  } else if (entry.target.find("://") != std::string::npos) {
    payload.url = std::move(entry.target);
  } else {
    return Filtered{};  // "*" or another target that no browser requests
  }
  if (kind == Kind::kDownload) {
    payload.props.push_back({"url", payload.url.substr(0, payload.url.find('?'))});
  }
  payload.referrer = std::move(entry.referrer);
  payload.timestamp = entry.is_local ? from_local(entry.time, options_.times) : entry.time;
  auto client = find_log_client(entry.address, entry.forwarded);
  if (!client.address.empty()) {
    payload.ip = std::move(client.address);
  } else if (!client.name.empty()) {
    const auto digest = digest_of({client.name, entry.user_agent});
    payload.visitor = to_hex(digest);
  } else {  // without this error, the server would use the importer's own address for every visitor
    return Error{ErrorCode::kInvalidEvent,
                 "The record has no client address, so visitors cannot be distinguished. For CSV "
                 "and JSON, use --map ip=COLUMN.",
                 {}};
  }
  payload.user_agent = std::move(entry.user_agent);
  return checked_event(std::move(payload), options_);
}

}  // namespace analytics::cli
