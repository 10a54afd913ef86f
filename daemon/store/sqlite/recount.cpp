#include "daemon/store/sqlite/recount.h"

#include <atomic>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "daemon/parts/cold_columns.h"
#include "daemon/query/executor.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/reading/event_source.h"
#include "daemon/store/sqlite/reading/raw_scan.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/removal_table.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

constexpr days kAtOnce{7};
// number of days before and after a week that are also read, because visits may extend into them
constexpr days kAround{2};

/// Identifies a visitor or visit by its part and its id in this part, because each part has its own
/// ids. Part 0 stands for the rows.
using Named = std::pair<query::PartId, std::uint64_t>;

/// Sums over the events of some days, and the visitors and visits that the sums already include.
struct Plain {
  std::set<Named> visitors;
  std::set<Named> visits;
  Sums sums{};
};

struct CountedVisit {
  Visit visit{};
  std::uint64_t visitor = 0;  ///< Visitor of the visit's first event.
};

struct CountedSite {
  SiteId id = 0;
  std::string domain;
};

/// A week of a site, whose events are counted together.
class Slice {
 public:
  Slice(Connection& connection, CountedSite site, Days first)
      : connection_(connection), site_(std::move(site)), days_{first, first + kAtOnce} {}

  void compare(const Found& found) {
    read_rows();
    read_parts();
    std::map<Days, Plain> by_day;
    Plain all;
    for (const auto& [source, event] : events_) {
      const auto day = std::chrono::floor<days>(event.order.first);
      if (day < days_.from || day >= days_.to || event.role == VisitRole::kStay) continue;
      add(source, event, by_day[day]);
      add(source, event, all);
    }
    if (all.sums.events == 0) return;
    Aggregation wanted{{site_.id, days_, {}, {}}, {}};
    wanted.groupings.resize(2);
    for (auto& grouping : wanted.groupings) grouping.visits = true;
    auto& daily = wanted.groupings.back();
    daily.dimensions.push_back({{Field::kDay, {}}});
    for (UnixSeconds day = days_.from; day < days_.to; day += days(1)) {
      daily.buckets.push_back(day);
    }
    SqliteEvents source(connection_, site_.id, budget_);
    const auto answers = query::aggregate(wanted, source, budget_, cores_);
    const auto first = std::chrono::floor<days>(days_.from);
    tell("from " + format_day(first) + " to " + format_day(first + kAtOnce - days(1)), all,
         answers[0]->sums(0), found);
    std::map<Days, Sums> asked;
    for (std::size_t group = 0; group < answers[1]->size(); ++group) {
      asked[first + days(answers[1]->bucket(group))] = answers[1]->sums(group);
    }
    for (const auto& [day, plain] : by_day) tell("on " + format_day(day), plain, asked[day], found);
  }

 private:
  void read_rows() {
    DictionaryReader texts(connection_, site_.id, budget_);
    RawScan scan(connection_, texts, site_.id, around(), last_written(connection_));
    for (query::RawEvent event; scan.next(event);) keep(0, event);
  }

  void read_parts() {
    for (const auto& part : parts_of(connection_, site_.id, around())) {
      if (part.is_copy) continue;  // the rows that the part copies were read already
      const auto fetch = [&](std::uint32_t column) {
        return read_column(connection_, part.id, column);
      };
      const auto head = parts::PartHead::read(fetch(parts::kHeadId));
      for (const auto& event : parts::read_raw_events(head, fetch)) keep(part.id, event);
    }
  }

  [[nodiscard]] TimeRange around() const { return {days_.from - kAround, days_.to + kAround}; }

  void keep(query::PartId source, const query::RawEvent& event) {
    if (event.visit != 0 && event.role != VisitRole::kStay) {
      const Named name{source, static_cast<std::uint64_t>(event.visit)};
      auto& [visit, visitor] = visits_[name];
      visit.add(event.member());
      if (visit.first == event.order) visitor = event.visitor;
    }
    events_.emplace_back(source, event);
  }

  void add(query::PartId source, const query::RawEvent& event, Plain& plain) const {
    auto& sums = plain.sums;
    ++sums.events;
    sums.pageviews += event.role == VisitRole::kPage ? 1 : 0;
    const Named name{source, static_cast<std::uint64_t>(event.visit)};
    const auto* counted = event.visit == 0 ? nullptr : &visits_.at(name);
    const auto visitor = counted == nullptr ? event.visitor : counted->visitor;
    sums.visitors += plain.visitors.insert({source, visitor}).second ? 1 : 0;
    if (counted == nullptr || !plain.visits.insert(name).second) return;
    ++sums.visits;
    for (const auto& each : kVisitFacts) sums.facts[each.fact] += each.of(counted->visit);
  }

  /// Returns true if a visit may have events outside the days that were read, for example because
  /// an import named the visit.
  [[nodiscard]] bool has_long_visits() const {
    const UnixMillis from = days_.from - kAround + days(1);
    const UnixMillis to = days_.to + kAround - days(1);
    return std::any_of(visits_.begin(), visits_.end(), [&](const auto& each) {
      const auto& visit = each.second.visit;
      return (visit.started() < from && visit.ended >= days_.from) ||
             (visit.ended >= to && visit.started() < days_.to);
    });
  }

  void tell(const std::string& when, const Plain& plain, const Sums& asked,
            const Found& found) const {
    const auto differs = [&](std::string_view what, std::int64_t counted, std::int64_t answered) {
      if (counted == answered) return;
      found(std::string(what) + " of " + site_.domain + " " + when + ": queries answer " +
            grouped(answered) + ", the events are " + grouped(counted));
    };
    differs("visits", plain.sums.visits, asked.visits);
    differs("pageviews", plain.sums.pageviews, asked.pageviews);
    differs("events", plain.sums.events, asked.events);
    if (has_long_visits()) return;
    differs("visitors", plain.sums.visitors, asked.visitors);
    for (const auto& each : kVisitFacts) {
      differs(each.sum_name, plain.sums.facts[each.fact], asked.facts[each.fact]);
    }
  }

  Connection& connection_;
  const CountedSite site_;
  const TimeRange days_;
  const std::atomic<bool> cancelled_{false};
  query::Budget budget_{{std::chrono::hours(24), SIZE_MAX}, cancelled_};
  query::Cores cores_{1};
  std::vector<std::pair<query::PartId, query::RawEvent>> events_;
  std::map<Named, CountedVisit> visits_;
};

std::vector<CountedSite> sites_of(Connection& connection, const std::string& only) {
  Statement select(connection, "SELECT id, domain FROM sites WHERE ?1 = '' OR domain = ?1");
  auto sites = read_all(select.query(only), [](const Rows& row) {
    return CountedSite{row.int64(0), row.text(1)};
  });
  if (sites.empty() && !only.empty()) throw Error{ErrorCode::kSiteNotFound, "Unknown site.", {}};
  return sites;
}

/// Returns the first day of each Slice in which the site has events.
std::set<Days> slices_of(Connection& connection, SiteId site) {
  std::set<Days> slices;
  const auto add = [&](Days day) { slices.insert(day - (day.time_since_epoch() % kAtOnce)); };
  Statement hours(connection, "SELECT DISTINCT hour / 24 FROM event_hours WHERE site = ?");
  for (auto rows = hours.query(site); rows.next();) add(to_day(rows.int64(0)));
  for (const auto& part :
       parts_of(connection, site, {to_time(-kMaxSeconds), to_time(kMaxSeconds)})) {
    for (auto day = part.first; day <= part.last; day += days(1)) add(day);
  }
  return slices;
}

}  // namespace

std::vector<std::string> recount(Connection& connection, const std::string& only,
                                 const Found& found) {
  std::vector<std::string> left_out;
  for (const auto& site : sites_of(connection, only)) {
    const bool is_changing = !pending_removals(connection, site.id).empty() ||
                             counted_from(connection, site.id) ||
                             !not_leaving(connection, site.id).empty();
    if (is_changing) {
      left_out.push_back(site.domain);
      continue;
    }
    for (const auto first : slices_of(connection, site.id)) {
      Slice(connection, site, first).compare(found);
    }
  }
  return left_out;
}

}  // namespace analytics::sqlite
