#include "tests/crash/life.h"

#include <algorithm>
#include <filesystem>

#include <fcntl.h>

#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics::test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr int kSteps = 40;

bool have_same_visitor(const Sent& one, const Sent& other) { return one.visitor == other.visitor; }

}  // namespace

Life::Life(unsigned seed, FailingDisk& disk, std::string& story)
    : random_(seed), disk_(disk), story_(story) {
  disk_.clear();
  open();
}

void Life::live() {
  for (int step = 0; step < kSteps; ++step) {
    try {
      if (!has_site()) make_site();
      act();
    } catch (const store::StoreLost&) {
      note("the store is lost");
      restart();
    }
    if (one_in(12)) restart();
    if (one_in(15)) judge();
  }
  judge();
}

void Life::open() {
  store::Limits limits;
  limits.events.part_quiet = seconds(0);
  limits.events.part_events = 1;
  limits.events.sealed_events = 1;
  limits.events.removal_rows = 4;
  limits.events.between_truncations = seconds(0);
  if (one_in(3)) limits.events.most_events_of_part = 5;
  backend_ = sqlite::open_backend(file_, limits);
  visitors_.emplace(backend_->salts());
}

void Life::restart() {
  for (bool is_open = false; !is_open;) {
    const bool has_power = one_in(2);
    note(has_power ? "kill" : "power cut");
    auto state = disk_.state();
    if (!has_power) state.cut_power(random_);
    visitors_.reset();
    backend_.reset();
    std::filesystem::remove(file_.string() + "-shm");
    disk_.put(std::move(state));
    if (one_in(4)) {
      const auto fault = one_in(2) ? Fault::kWrites : Fault::kSyncs;
      disk_.fail(fault, any(20));
    }
    try {
      open();
      is_open = true;
    } catch (const store::StoreLost&) {
      note("lost while it starts");
    } catch (const std::exception& error) {
      if (!disk_.has_failed()) throw;
      note(std::string("does not start: ") + error.what());
    }
    disk_.repair();
  }
}

void Life::act() {
  switch (any(20)) {
    case 0: return advance(minutes(1 + any(40)));
    case 1: return advance(hours(1 + any(30)));
    case 2: return advance(one_in(2) ? days(3) : -hours(5));
    case 3: return begin_fault();
    case 4: disk_.repair(); return note("repair");
    case 5: return undo();
    case 6: return remove();
    case 7: return delete_site();
    case 8: return (void)accept(visitors_->destroy_old(now_));
    case 9: return (void)accept(backend_->events().publish());
    case 10: return back_up();
    case 11:
    case 12:
    case 13: return import();
    case 14:
    case 15: return keep_house();
    default: return send();
  }
}

void Life::advance(seconds by) {
  now_ += by;
  note("clock " + format_rfc3339(now_));
}

void Life::begin_fault() {
  const auto fault = static_cast<Fault>(1 + any(3));
  disk_.fail(fault, any(8));
  note("fault");
}

bool Life::has_site() {
  const auto all = backend_->registry().directory().value();
  return std::any_of(all.sites.begin(), all.sites.end(),
                     [&](const Site& site) { return site.id == site_; });
}

void Life::make_site() {
  disk_.repair();
  const auto domain = "s" + std::to_string(++named_) + ".example";
  const auto made = backend_->registry().sites().create_site(1, domain, "UTC", now_);
  if (accept(made)) site_ = made->value.id;
}

Life::Batch Life::make_batch(int count, std::chrono::seconds ago, const std::string& import) {
  Batch batch;
  for (int i = 0; i < count; ++i) {
    Event event;
    event.site = site_;
    event.time = now_ - ago + std::chrono::milliseconds(random_() % 60'000);
    const auto of_day = event.time - std::chrono::floor<days>(event.time);
    if (of_day < minutes(40) || of_day > hours(23) + minutes(20)) event.time += hours(2);
    event.name = "pageview";
    event.hostname = "s.example";
    const auto number = std::to_string(++pages_);
    event.path = std::string(kPathStart) + std::string(8 - number.size(), '0') + number;
    event.identity = digest_of({std::to_string(site_), std::to_string(any(5))});
    batch.group.push_back({event.path, event.time, 0, site_, import});
    batch.events.push_back(std::move(event));
  }
  return batch;
}

bool Life::identify(Batch& batch) {
  for (std::size_t i = 0; i < batch.events.size(); ++i) {
    auto& event = batch.events[i];
    const auto keys = visitors_->keys(event.identity, activity_of(event), kVisitGap, now_);
    if (!accept(keys)) return false;
    event.visit_keys = *keys;
    batch.group[i].visitor = event.visitor = keys->own;
  }
  return true;
}

void Life::send() {
  const int count = 1 + any(4);
  auto batch = make_batch(count, seconds(any(60)), "");
  if (!identify(batch)) return;
  std::vector<const Event*> pointers;
  for (const auto& event : batch.events) pointers.push_back(&event);
  std::vector<EventOutcome> outcomes(batch.events.size());
  doubts_.push_back({batch.group});  // the outcome is unknown until append() returns
  const bool is_stored = accept(backend_->events().append(pointers, outcomes, now_, {}));
  doubts_.pop_back();
  note("send " + batch.group.front().path + " +" + std::to_string(batch.group.size() - 1) +
       (is_stored ? "" : ", refused"));
  if (is_stored) stored_.insert(stored_.end(), batch.group.begin(), batch.group.end());
}

void Life::import() {
  const auto name = "i" + std::to_string(any(2));
  auto& range = ranges_[{site_, name}];
  if (range.batch.events.empty() || range.is_known || range.is_undone) {
    const auto end = range.bytes.to;
    const int count = 1 + any(9);
    range = {{end, end + 10}, make_batch(count, hours(any(120)), name)};
  }
  send_range(name, range);
  if (range.is_known && one_in(4)) send_range(name, range);
}

void Life::send_range(const std::string& name, Range& range) {
  auto& events = range.batch.events;
  auto& group = range.batch.group;
  const auto is_of_range = [&](const Doubt& doubt) {
    return !doubt.is_removal && doubt.group.front().path == group.front().path;
  };
  const bool was_known = range.is_known;
  const auto doubted = group;
  if (!identify(range.batch)) return;
  bool is_doubtful = std::any_of(doubts_.begin(), doubts_.end(), is_of_range);
  if (is_doubtful && !std::equal(group.begin(), group.end(), doubted.begin(), have_same_visitor)) {
    // The visitors of the first attempt are replaced, so its outcome must be known first.
    settle_doubts();
    if (range.is_known) return;
    is_doubtful = false;
  }
  const ImportRange sent{1, name, digest_of({name}), range.bytes, {}};
  store::BulkRequest request;
  request.events = events;
  request.range = &sent;
  if (!was_known && !is_doubtful) doubts_.push_back({group});
  const auto done = backend_->events().append_bulk(request, now_);
  const bool is_stored = accept(done);
  note("import " + name + " " + std::to_string(range.bytes.from) + (is_stored ? "" : ", refused"));
  if (!is_stored) {
    if (!was_known && !is_doubtful) doubts_.pop_back();
    return;
  }
  if (was_known && !done->range_known) throw Broken("a known range was stored again");
  if (was_known) return;
  std::erase_if(doubts_, is_of_range);
  range.is_known = true;
  stored_.insert(stored_.end(), group.begin(), group.end());
}

template <typename Test, typename Request>
void Life::remove_by(const Test& is_meant, const Request& request) {
  settle_doubts();
  Group taken;
  std::copy_if(stored_.begin(), stored_.end(), std::back_inserter(taken), is_meant);
  std::erase_if(stored_, is_meant);
  doubts_.push_back({taken, true});
  const bool is_done = accept(request());
  doubts_.pop_back();
  for (const auto& event : taken) (is_done ? removed_ : stored_).push_back(event);
}

void Life::undo() {
  const auto name = "i" + std::to_string(any(2));
  const auto at = ranges_.find({site_, name});
  const bool has_any = at != ranges_.end() && at->second.is_known && !at->second.is_undone;
  if (!has_any) return;
  note("undo " + name);
  at->second.is_undone = true;
  remove_by([&](const Sent& event) { return event.site == site_ && event.import == name; },
            [&] { return backend_->registry().imports().delete_import(site_, name); });
}

void Life::remove() {
  EventSelection what;
  what.site = site_;
  what.from = now_ - hours(any(80));
  what.to = what.from + hours(1 + any(40));
  note("remove from " + format_rfc3339(what.from) + " to " + format_rfc3339(what.to));
  remove_by(
      [&](const Sent& event) {
        return event.site == site_ && what.has_time(std::chrono::floor<seconds>(event.time));
      },
      [&] { return backend_->events().remove(what, now_, [](const auto&) {}); });
}

void Life::delete_site() {
  if (!one_in(4)) return;
  note("delete the site");
  remove_by([&](const Sent& event) { return event.site == site_; },
            [&] { return backend_->registry().sites().delete_site(site_); });
}

void Life::back_up() {
  if (!one_in(4)) return;
  const auto path = folder_ / "copy.db";
  const FileDescriptor copy(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!accept(sqlite::write_copy(file_, copy, false))) return;
  const auto checked = sqlite::check_copy(copy);
  if (!checked) throw Broken("the backup: " + checked.error().reason());
  note("backup");
}

void Life::keep_house() {
  const auto tasks = backend_->housekeeping();
  for (int i = any(12); i > 0; --i) {
    (void)accept(tasks[static_cast<std::size_t>(any(static_cast<int>(tasks.size())))].slice(now_));
  }
  note("housekeeping");
}

void Life::finish_work() {
  // Work of the last task may need earlier tasks to run again.
  for (int idle = 0; idle < 2; ++idle) {
    for (const auto& task : backend_->housekeeping()) {
      const auto left = task.slice(now_);
      if (!accept(left)) return;
      if (*left != store::Left::kNothing) idle = -1;
    }
    if (!accept(backend_->compact(now_))) return;  // also waits for the thread that makes parts
  }
  (void)accept(backend_->events().publish());
}

}  // namespace analytics::test
