#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// Detects two mistakes in the settings of a proxy. First, nearly all events of a site come from
/// one address although the browsers differ: X-Forwarded-For is missing or not trusted. Second,
/// events have X-Forwarded-For while no proxy is trusted: any client can forge it. Any thread.
class AddressWatch {
 public:
  explicit AddressWatch(Log& log) : log_(log) {}

  /// Records the sender of an event. Keeps only hashes of the address and the User-Agent.
  void saw(const Site& site, std::string_view address, std::string_view user_agent,
           UnixSeconds now);
  /// Counts an event whose address comes from X-Forwarded-For although no proxy is trusted.
  void saw_unverified();
  /// Returns the number of events that saw_unverified() has counted.
  [[nodiscard]] std::uint64_t unverified() const { return unverified_; }
  /// Returns the number of sites whose last window of events came almost only from one address.
  [[nodiscard]] std::size_t suspects() const;

 private:
  /// A majority vote over the addresses of kWindow events of a site (Boyer, Moore 1981). If one
  /// address has a majority, `address` is its hash at the end, and `votes` is at least the number
  /// of events from this address minus the number of all others.
  struct Window {
    std::uint32_t events = 0;
    std::uint32_t votes = 0;
    std::uint64_t address = 0;
    std::uint64_t browser = 0;  ///< Hash of the first event's User-Agent.
    bool has_browsers = false;  ///< True if the events have several User-Agents.
    bool is_suspect = false;    ///< True if the preceding window came almost only from one address.
    UnixSeconds warned_at{};    ///< Time of the last warning about the site in the daemon's log.
  };
  static constexpr std::uint32_t kWindow = 500;  ///< Events per window.
  /// Votes that make a window suspect. An address with 95 % of the events always gets so many, one
  /// with less than 90 % never does.
  static constexpr std::uint32_t kVotes = 450;

  Log& log_;
  std::atomic<std::uint64_t> unverified_{0};
  mutable std::mutex mutex_;
  std::unordered_map<SiteId, Window> sites_;  // guarded by mutex_
};

}  // namespace analytics
