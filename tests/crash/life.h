#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "daemon/ingest/visitor_id.h"
#include "daemon/store/sqlite/backend.h"
#include "tests/crash/failing_disk.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// Thrown when the store breaks a promise, such as losing an acknowledged event.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An event that a life has sent to the store.
struct Sent {
  std::string path;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  SiteId site = 0;
  std::string import;  ///< Name of the import; empty for a live event.
};
using Group = std::vector<Sent>;

/// Events that were sent or removed together, with an unknown outcome: either all of them are
/// stored or none.
struct Doubt {
  Group group;
  bool is_removal = false;
};

/// Runs random operations on a store, with faults and crashes, and checks its promises. The same
/// seed always gives the same operations, if secrets are the same as well.
class Life {
 public:
  /// Appends a description of each step to `story`, one line each.
  Life(unsigned seed, FailingDisk& disk, std::string& story);

  /// Performs random steps. Throws Broken if the store breaks a promise.
  void live();

 private:
  /// Events that are sent together: as the store gets them (`events`), and as the life remembers
  /// them (`group`).
  struct Batch {
    std::vector<Event> events;
    Group group;
  };
  /// A byte range of an import, with its events.
  struct Range {
    ByteRange bytes{0, 0};
    Batch batch;
    bool is_known = false;  ///< True if the store has acknowledged the range.
    /// True if the import is or may be undone, so that the range must not be sent again.
    bool is_undone = false;
  };
  /// The exported events of the site: all their paths, and the paths by visit and by visitor.
  struct Export {
    std::multiset<std::string> paths;
    std::map<std::uint64_t, std::set<std::string>> visits;
    std::map<std::uint64_t, std::set<std::string>> visitors;
  };

  bool one_in(unsigned n) { return random_() % n == 0; }
  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  void note(const std::string& what) { story_ += "  " + what + "\n"; }
  template <typename T>
  bool accept(const Result<T>& result);

  void open();
  /// Simulates a kill or a power cut, and opens the store again. The disk may fail during that.
  void restart();
  void act();  ///< Performs a random step.
  void advance(std::chrono::seconds by);
  void begin_fault();
  bool has_site();
  void make_site();

  /// Returns `count` events of random visitors from about `ago` before now. No event is near
  /// midnight, so that each visit is within a day.
  Batch make_batch(int count, std::chrono::seconds ago, const std::string& import);
  /// Computes the visitors of the events with the current salts, as for each request. Returns
  /// false if the store refuses.
  bool identify(Batch& batch);
  void send();
  void import();  ///< Sends the next range of an import, or repeats the last one.
  void send_range(const std::string& name, Range& range);

  /// Calls `request`, which removes the stored events that `is_meant` accepts. The events count as
  /// removed if the request succeeds, and as stored if it is refused.
  template <typename Test, typename Request>
  void remove_by(const Test& is_meant, const Request& request);
  void undo();
  void remove();
  void delete_site();
  void back_up();
  void keep_house();
  /// Runs all background work until none is left, as a daemon does within a few seconds.
  void finish_work();

  Export exported();
  /// Finds out whether the events in doubts_ are stored, after all background work is done.
  void settle_doubts();
  void judge();  ///< Throws Broken if the stored data is not as promised.
  void judge_visits(const Export& found) const;
  /// Throws Broken if a file still contains the path of a removed event.
  void judge_files() const;

  std::mt19937 random_;
  FailingDisk& disk_;
  std::string& story_;
  TempFolder folder_;
  const std::filesystem::path file_ = folder_ / "a.db";
  UnixSeconds now_ =
      std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + std::chrono::hours(9);
  std::unique_ptr<sqlite::Backend> backend_;
  std::optional<VisitorIds> visitors_;
  SiteId site_ = 0;
  int named_ = 0;
  int pages_ = 0;
  std::map<std::pair<SiteId, std::string>, Range> ranges_;
  std::vector<Sent> stored_;
  std::vector<Sent> removed_;
  std::vector<Doubt> doubts_;
};

/// Start of each event's path; eight digits follow.
inline constexpr std::string_view kPathStart = "/page-";

/// Returns true if the result is a success. Throws Broken for an error, unless the disk has
/// failed.
template <typename T>
bool Life::accept(const Result<T>& result) {
  if (result) return true;
  note("refused: " + result.error().reason());
  if (!disk_.has_failed()) throw Broken("refused without a fault: " + result.error().reason());
  return false;
}

}  // namespace analytics::test
