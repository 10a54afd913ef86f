// Checks a store against the events that a Life has sent and removed.
#include <algorithm>

#include "common/io/fs.h"
#include "daemon/store/sqlite/file_check.h"
#include "tests/crash/life.h"

namespace analytics::test {
namespace {

/// Returns the paths in `one` that `other` lacks, each after `word`.
std::string only_in(const std::multiset<std::string>& one, const std::multiset<std::string>& other,
                    const std::string& word) {
  std::vector<std::string> paths;
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(),
                      std::back_inserter(paths));
  std::string text;
  for (const auto& path : paths) text += word + path;
  return text;
}

}  // namespace

Life::Export Life::exported() {
  Export all;
  const auto reader = backend_->open_reader();
  EventSelection what;
  what.site = site_;
  const auto reading = reader.events->begin(what);
  if (!reading) throw Broken("no export: " + reading.error().reason());
  for (bool is_last = false; !is_last;) {
    const auto page = reader.events->read(**reading);
    if (!page) throw Broken("no export: " + page.error().reason());
    for (const auto& event : page->events) {
      all.paths.insert(event.path);
      all.visitors[event.visitor].insert(event.path);
      all.visits[event.visit.value_or(0)].insert(event.path);
    }
    is_last = page->last;
  }
  return all;
}

void Life::settle_doubts() {
  if (doubts_.empty()) return;
  disk_.repair();
  finish_work();
  const auto found = exported().paths;
  for (const auto& [group, is_removal] : doubts_) {
    const auto here = std::count_if(group.begin(), group.end(), [&](const Sent& event) {
      return event.site == site_ && found.contains(event.path);
    });
    if (here != 0 && here != std::ssize(group)) throw Broken("half of a group is stored");
    if (here != 0) stored_.insert(stored_.end(), group.begin(), group.end());
    if (here == 0 && is_removal) removed_.insert(removed_.end(), group.begin(), group.end());
    for (auto& [key, range] : ranges_) {
      if (!is_removal && range.batch.group.front().path == group.front().path) {
        range.is_known = here != 0;
      }
    }
  }
  doubts_.clear();
}

void Life::judge() {
  note("judge");
  disk_.repair();
  settle_doubts();
  finish_work();
  const auto found = exported();
  std::multiset<std::string> expected;
  for (const auto& event : stored_) expected.insert(event.path);
  if (found.paths != expected) {
    throw Broken("not as expected:" + only_in(found.paths, expected, " stored ") +
                 only_in(expected, found.paths, " missing "));
  }
  judge_visits(found);
  judge_files();
  const auto checked =
      sqlite::check_file(file_, {.recounts = true},
                         [](const std::string& problem) { throw Broken("check: " + problem); });
  if (!checked) throw Broken("no check: " + checked.error().reason());
}

void Life::judge_visits(const Export& found) const {
  auto sorted = stored_;
  std::sort(sorted.begin(), sorted.end(), [](const Sent& one, const Sent& other) {
    return std::tie(one.visitor, one.time) < std::tie(other.visitor, other.time);
  });
  std::set<std::set<std::string>> visits;
  std::set<std::set<std::string>> visitors;
  std::set<std::string> visit;
  std::set<std::string> visitor;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& event = sorted[i];
    visit.insert(event.path);
    visitor.insert(event.path);
    const bool is_last = i + 1 == sorted.size() || sorted[i + 1].visitor != event.visitor;
    if (is_last || sorted[i + 1].time > event.time + kVisitGap)
      visits.insert(std::exchange(visit, {}));
    if (is_last) visitors.insert(std::exchange(visitor, {}));
  }
  const auto values_of = [](const auto& map) {
    std::set<std::set<std::string>> all;
    for (const auto& [key, paths] : map) all.insert(paths);
    return all;
  };
  if (values_of(found.visits) != visits) throw Broken("the visits are not those of the events");
  if (values_of(found.visitors) != visitors)
    throw Broken("the visitors are not those of the events");
}

void Life::judge_files() const {
  std::set<std::string> removed;
  for (const auto& event : removed_) removed.insert(event.path);
  for (const auto& file : {file_.string(), file_.string() + "-wal"}) {
    const auto bytes = read_file(file).value_or("");
    for (auto at = bytes.find(kPathStart); at != std::string::npos;
         at = bytes.find(kPathStart, at + 1)) {
      const auto path = bytes.substr(at, kPathStart.size() + 8);
      if (removed.contains(path)) throw Broken(path + " was removed and is in " + file);
    }
  }
}

}  // namespace analytics::test
