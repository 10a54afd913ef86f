#include "daemon/ingest/address_watch.h"

#include <algorithm>
#include <functional>

namespace analytics {
namespace {

constexpr std::chrono::hours kWarnAgain{24};

}  // namespace

void AddressWatch::saw(const Site& site, std::string_view address, std::string_view user_agent,
                       UnixSeconds now) {
  const std::uint64_t from = std::hash<std::string_view>()(address);
  const std::uint64_t browser = std::hash<std::string_view>()(user_agent);
  const std::scoped_lock lock(mutex_);
  auto& window = sites_[site.id];
  if (window.events == 0) window.browser = browser;
  window.has_browsers = window.has_browsers || browser != window.browser;
  ++window.events;
  if (window.votes == 0) window.address = from;
  window.address == from ? ++window.votes : --window.votes;
  if (window.events < kWindow) return;
  const bool is_suspect = window.votes >= kVotes && window.has_browsers;
  const auto warned_at = window.warned_at;
  window = {};
  window.is_suspect = is_suspect;
  window.warned_at = warned_at;
  if (!is_suspect || now < warned_at + kWarnAgain) return;
  window.warned_at = now;
  log_.warn(
      "nearly all events of a site come from one address; check that the proxy is in "
      "trusted_proxies and sends X-Forwarded-For",
      {{"site", site.domain}});
}

void AddressWatch::saw_unverified() {
  if (unverified_++ > 0) return;
  log_.warn(
      "an event came with X-Forwarded-For and no proxy is trusted: anybody can forge visitors; set "
      "trusted_proxies");
}

std::size_t AddressWatch::suspects() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      sites_.begin(), sites_.end(), [](const auto& site) { return site.second.is_suspect; }));
}

}  // namespace analytics
