#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "daemon/app/backends.h"
#include "daemon/ingest/visitor_id.h"
#include "tests/crash/failing_disk.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// Thrown when a promise is broken.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An event that was sent.
struct Sent {
  std::string path;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  SiteId site = 0;
  std::string import;  ///< Empty: live.
};
using Group = std::vector<Sent>;

/// Events that were sent or removed together, when it is not known with what result: all are stored
/// or none.
struct Doubt {
  Group group;
  bool is_removal = false;
};

/// The short random life of a store. The same seed always gives the same life, if secrets are the
/// same, too.
class Life {
 public:
  /// Appends what happens to `story`, a line for each step.
  Life(unsigned seed, FailingDisk& disk, std::string& story);

  /// Takes random steps. Throws Broken if a promise is broken.
  void live();

 private:
  /// Events that are sent together, as the store and as the life know them.
  struct Batch {
    std::vector<Event> events;
    Group group;
  };
  /// A range of an import.
  struct Range {
    ByteRange bytes{0, 0};
    Batch batch;
    bool is_known = false;   ///< Acknowledged.
    bool is_undone = false;  ///< Its import is or may be undone: it must not be sent again.
  };
  /// The exported events of the site: their paths by visit and by visitor.
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
  /// Kills the process or cuts the power, and starts again; perhaps fails while it starts.
  void restart();
  void act();  ///< Takes a step.
  void advance(std::chrono::seconds by);
  void begin_fault();
  bool has_site();
  void make_site();

  /// Returns events of some visitors about that time. No event is near midnight, so that each visit
  /// is within a day.
  Batch make_batch(int count, std::chrono::seconds ago, const std::string& import);
  /// Identifies the visitors with the salts of now, as at each request. Returns false if it is
  /// refused.
  bool identify(Batch& batch);
  void send();
  void import();  ///< Sends the next range of an import, or the last one again.
  void send_range(const std::string& name, Range& range);

  /// Removes events by `request`: they leave if it succeeds, and stay if it is refused.
  template <typename Test, typename Request>
  void remove_by(const Test& is_meant, const Request& request);
  void undo();
  void remove();
  void delete_site();
  void back_up();
  void keep_house();
  /// Runs all work until none is left, as a daemon does in a few seconds.
  void finish_work();

  Export exported();
  void settle_doubts();  ///< Decides what became of the events in doubt, once all work is done.
  void judge();          ///< Throws Broken if anything stored is not as it must be.
  void judge_visits(const Export& found) const;
  void judge_files() const;  ///< Looks for removed pages in the bytes of the files.

  std::mt19937 random_;
  FailingDisk& disk_;
  std::string& story_;
  const BackendKind& kind_ = backends().front();
  TempFolder folder_;
  const std::filesystem::path file_ = folder_ / "a.db";
  UnixSeconds now_ =
      std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + std::chrono::hours(9);
  std::unique_ptr<store::Backend> backend_;
  std::optional<VisitorIds> visitors_;
  SiteId site_ = 0;
  int named_ = 0;
  int pages_ = 0;
  std::map<std::pair<SiteId, std::string>, Range> ranges_;
  std::vector<Sent> stored_;
  std::vector<Sent> removed_;
  std::vector<Doubt> doubts_;
};

/// How the path of each event begins; eight digits follow.
inline constexpr std::string_view kPathStart = "/page-";

/// Returns true if it succeeded. Only a failing disk may refuse.
template <typename T>
bool Life::accept(const Result<T>& result) {
  if (result) return true;
  note("refused: " + result.error().reason());
  if (!disk_.has_failed()) throw Broken("refused without a fault: " + result.error().reason());
  return false;
}

}  // namespace analytics::test
