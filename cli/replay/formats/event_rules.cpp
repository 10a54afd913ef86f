#include "cli/replay/formats/event_rules.h"

#include <algorithm>

#include "cli/replay/formats/log_client.h"
#include "common/text/text.h"

namespace analytics::cli {

ReadLine checked_event(EventPayload payload, const ReaderOptions& options) {
  if (options.keep_bots) payload.keep_bots = true;
  const PayloadRights rights{true, options.now};
  if (is_plainly_valid(payload, rights)) return ReplayEvent{std::move(payload)};
  auto checked = parse_event_payload(to_json(payload), rights);
  if (!checked) return checked.error();
  return ReplayEvent{std::move(*checked)};
}

std::string host_of(std::string_view text) {
  auto host = std::string(trim(text));
  if (istarts_with(host, "https://")) host.erase(0, 8);
  if (istarts_with(host, "http://")) host.erase(0, 7);
  host.erase(std::min(host.find('/'), host.size()));  // removes the path
  host.resize(without_port(host).size());
  std::replace(host.begin(), host.end(), ' ', '-');  // a site's name may contain spaces
  return host;
}

std::string base_of(const ReaderOptions& options) {
  auto base = options.base;
  const auto& sites = site_of(options);
  if (base.empty() && !sites.empty()) base = "https://" + host_of(split(sites, ',').front());
  while (base.ends_with('/')) base.pop_back();
  return base;
}

Error no_site_error() {
  return {ErrorCode::kInvalidEvent, "The record does not name a site: use --site DOMAIN.", {}};
}

}  // namespace analytics::cli
