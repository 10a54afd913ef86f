#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "daemon/parts/part_builder.h"
#include "daemon/store/sqlite/part_table.h"

namespace analytics::sqlite {

/// Makes the parts of one day after another, on a thread and a connection of its own. The writer
/// starts it, takes the parts one by one and stores them; the maker does not go on before.
class PartMaker {
 public:
  /// Days with fewer than `fewest` events are not worth parts.
  PartMaker(std::filesystem::path file, std::int64_t fewest);
  ~PartMaker();
  PartMaker(const PartMaker&) = delete;
  PartMaker& operator=(const PartMaker&) = delete;

  enum class State {
    kIdle,       ///< start() may be called.
    kWorking,    ///< Nothing to take yet.
    kHasPart,    ///< take() has the next part of the day.
    kDone,       ///< All parts of the day were taken. reset() makes it idle.
    kFewEvents,  ///< The day is to stay rows, as it is.
    kRefused,    ///< Its parts could not be made: reason() says why.
  };
  [[nodiscard]] State state() const;
  /// REQUIRES: all events of the day that the writer knows are published.
  void start(const SiteDay& day);
  [[nodiscard]] parts::PartBytes take();
  [[nodiscard]] std::string reason() const;
  /// Ends what is under way, if anything.
  void reset();

 private:
  struct FewEvents;
  struct Refused;

  void run();
  void make(const SiteDay& day);
  /// Returns the bounds of visitor ids between which a part has few enough events.
  [[nodiscard]] std::vector<std::uint64_t> find_bounds(Connection& connection, const SiteDay& day);
  [[nodiscard]] parts::PartBytes make_part(Connection& connection, const SiteDay& day,
                                           std::uint64_t first, std::uint64_t last);
  void hand_over(parts::PartBytes part);
  [[nodiscard]] bool is_stopped() const;

  const std::filesystem::path file_;
  const std::int64_t fewest_;
  std::atomic<bool> cancelled_{false};

  mutable std::mutex mutex_;
  std::condition_variable news_;
  State state_ = State::kIdle;            // guarded by mutex_, as all below
  std::optional<SiteDay> day_;            // to be made
  std::optional<parts::PartBytes> part_;  // to be taken
  std::string reason_;
  bool ends_ = false;
  std::thread thread_;  // started with the first day
};

}  // namespace analytics::sqlite
