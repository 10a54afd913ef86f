#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "common/log.h"
#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// Finds two mistakes in the settings of a proxy. Sites nearly all of whose events seem to come
/// from one address though their browsers differ: its X-Forwarded-For is missing or not believed.
/// And events with that header while no proxy is trusted: anybody can forge it. Any thread.
class AddressWatch {
 public:
  explicit AddressWatch(Log& log) : log_(log) {}

  /// One event; neither the address nor the browser is kept as it is.
  void saw(const Site& site, std::string_view address, std::string_view user_agent,
           UnixSeconds now);
  /// An event whose address is only what an X-Forwarded-For claims, as no proxy is trusted.
  void saw_unverified();
  [[nodiscard]] std::uint64_t unverified() const { return unverified_; }
  /// Sites that look so now.
  [[nodiscard]] std::size_t suspects() const;

 private:
  /// The address that most of a window's events have, if one has, found by voting (Boyer, Moore
  /// 1981): at the end its votes are at least its events less all others.
  struct Window {
    std::uint32_t events = 0;
    std::uint32_t votes = 0;
    std::uint64_t address = 0;
    std::uint64_t browser = 0;
    bool has_browsers = false;  ///< More than one.
    bool is_suspect = false;    ///< The window before was.
    UnixSeconds warned_at{};
  };
  static constexpr std::uint32_t kWindow = 500;  ///< Events.
  /// A majority count of 450 means that 95 % came from one address.
  static constexpr std::uint32_t kVotes = 450;

  Log& log_;
  std::atomic<std::uint64_t> unverified_{0};
  mutable std::mutex mutex_;
  std::unordered_map<SiteId, Window> sites_;  // guarded by mutex_
};

}  // namespace analytics
