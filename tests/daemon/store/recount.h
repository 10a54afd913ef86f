#pragma once

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <regex>
#include <set>

#include "daemon/model/query.h"
#include "tests/daemon/store/counted_event.h"
#include "tests/daemon/store/visit_fixture.h"

/// Answers queries the simple way: by recounting a list of events value by value, without the
/// program's code except the query types.
namespace analytics::test {

class Recount {
 public:
  explicit Recount(std::vector<CountedEvent> counted_events) : events_(std::move(counted_events)) {
    std::stable_sort(events_.begin(), events_.end(),
                     [](const CountedEvent& a, const CountedEvent& b) {
                       return std::tie(a.visitor, a.time) < std::tie(b.visitor, b.time);
                     });
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const bool goes_on = i > 0 && events_[i].visitor == events_[i - 1].visitor &&
                           events_[i].time <= events_[i - 1].time + kVisitGap;
      if (!goes_on) visits_.emplace_back();
      events_[i].visit = visits_.size() - 1;
      visits_.back().push_back(i);
    }
  }

  /// Returns the rows as "value|value: metric metric", sorted.
  std::vector<std::string> rows(Query query) const {
    auto& conditions = query.selection.filter.parts;
    while (std::any_of(conditions.begin(), conditions.end(), is_list_of_all)) {
      const auto list = std::find_if(conditions.begin(), conditions.end(), is_list_of_all);
      const auto inner = std::move(list->parts);
      conditions.erase(list);
      conditions.insert(conditions.end(), inner.begin(), inner.end());
    }
    const bool by_page = has(query, Field::kPage);
    const bool page_condition =
        std::any_of(query.selection.filter.parts.begin(), query.selection.filter.parts.end(),
                    [](const Filter& part) { return is_on(part, Field::kPage); });
    auto entered = query;
    for (auto& part : entered.selection.filter.parts) {
      if (is_on(part, Field::kPage)) part.dimension.field = Field::kEntryPage;
    }
    for (auto& dimension : entered.dimensions) {
      if (dimension.field == Field::kPage) dimension.field = Field::kEntryPage;
    }
    auto everyone = query;
    std::erase_if(everyone.selection.filter.parts, [](const Filter& part) {
      return is_on(part, Field::kGoal) || is_on(part, Field::kProp);
    });
    auto row_everyone = everyone;
    std::erase_if(row_everyone.dimensions,
                  [](const Dimension& each) { return each.field == Field::kGoal; });
    std::erase_if(everyone.dimensions, [](const Dimension& each) { return !is_time(each.field); });
    auto all = query;
    all.dimensions.clear();

    const auto groups = count(query);
    const auto entries = count(entered);
    const auto in_all = static_cast<double>(count(all)[{}].visitors.size());
    auto by_bucket = count(everyone);
    auto by_row = count(row_everyone);
    std::vector<std::string> rows;
    for (const auto& [key, group] : groups) {
      std::string row;
      std::vector<std::string> row_key;
      std::vector<std::string> bucket;
      for (std::size_t i = 0; i < key.size(); ++i) {
        row += (i == 0 ? "" : "|") + key[i];
        const auto field = query.dimensions[i].field;
        if (field != Field::kGoal) row_key.push_back(key[i]);
        if (is_time(field)) bucket.push_back(key[i]);
      }
      row += ":";
      const auto found = entries.find(key);
      const auto entry = found == entries.end() ? Group() : found->second;
      const auto visitors = static_cast<double>(group.visitors.size());
      for (const auto metric : query.metrics) {
        const bool is_by_entry = (by_page || page_condition) && (metric == Metric::kBounceRate ||
                                                                 metric == Metric::kVisitDuration);
        const auto& visits = is_by_entry ? entry.visits : group.visits;
        const auto of_row = static_cast<double>(by_row[row_key].visitors.size());
        row += " ";
        switch (metric) {
          case Metric::kVisitors: row += number(visitors); break;
          case Metric::kVisits: row += std::to_string(group.visits.size()); break;
          case Metric::kPageviews: row += std::to_string(group.pageviews); break;
          case Metric::kEvents: row += std::to_string(group.events); break;
          case Metric::kViewsPerVisit:
            row += number(share(group.pageviews, static_cast<double>(visits.size()), 100));
            break;
          case Metric::kBounceRate:
            row += number(share(100 * total(visits, &Recount::bounced),
                                static_cast<double>(visits.size()), 1));
            break;
          case Metric::kVisitDuration:
            row += visits.empty() ? "-"
                                  : number(share(total(visits, &Recount::seconds),
                                                 static_cast<double>(visits.size()), 1));
            break;
          case Metric::kPercentage: row += number(share(100 * visitors, in_all, 10)); break;
          case Metric::kConversionRate:
            row += number(
                share(100 * visitors, static_cast<double>(by_bucket[bucket].visitors.size()), 100));
            break;
          case Metric::kGroupConversionRate:
            row += number(share(100 * visitors, of_row, 100));
            break;
          case Metric::kTimeOnPage:  // random queries leave these out: see engagement_test.cpp
          case Metric::kScrollDepth:
          case Metric::kExitRate: break;
          case Metric::kTotalRevenue:
          case Metric::kAverageRevenue:
            row += "[";
            for (const auto& [currency, amounts] : group.revenue) {
              std::int64_t sum = 0;
              for (const auto micros : amounts) sum += micros;
              const auto events = static_cast<std::int64_t>(amounts.size());
              const auto average = sum / events / 1'000 * 1'000;  // three decimals of the unit
              row += currency + std::to_string(metric == Metric::kTotalRevenue ? sum : average);
            }
            row += "]";
        }
      }
      rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  static std::string number(double value) {
    std::string text = std::to_string(value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  }

 private:
  static bool is_list_of_all(const Filter& part) { return part.kind == Filter::Kind::kAll; }
  struct Group {
    std::set<std::pair<int, Days>> visitors;
    std::set<std::size_t> visits;
    int pageviews = 0;
    int events = 0;
    std::map<std::string, std::vector<std::int64_t>> revenue;
  };

  static double share(double part, double whole, double scale) {
    return whole == 0 ? 0 : std::nearbyint(part * scale / whole) / scale;
  }
  static bool is_on(const Filter& filter, Field field) {
    return filter.kind == Filter::Kind::kValue && filter.dimension.field == field;
  }
  static bool has(const Query& query, Field field) {
    return std::any_of(query.dimensions.begin(), query.dimensions.end(),
                       [&](const auto& each) { return each.field == field; });
  }

  double total(const std::set<std::size_t>& visits,
               double (Recount::*of)(std::size_t) const) const {
    double sum = 0;
    for (const auto visit : visits) sum += (this->*of)(visit);
    return sum;
  }
  double bounced(std::size_t visit) const {
    int pages = 0;
    bool interactive = false;
    for (const auto i : visits_[visit]) {
      const bool is_page = events_[i].values.at("event:name") == "pageview";
      pages += is_page ? 1 : 0;
      interactive = interactive || (!is_page && events_[i].interactive);
    }
    return pages < 2 && !interactive ? 1 : 0;
  }
  double seconds(std::size_t visit) const {
    const auto whole = [&](std::size_t i) {
      return std::chrono::floor<std::chrono::seconds>(events_[i].time);
    };
    return static_cast<double>(
        (whole(visits_[visit].back()) - whole(visits_[visit].front())).count());
  }

  /// Returns the stored form of a value; empty if the event has no such value.
  std::string stored(const Dimension& dimension, const CountedEvent& counted) const {
    const auto at = [](const CountedEvent& from, const std::string& name) {
      const auto found = from.values.find(name);
      return found == from.values.end() ? std::string() : found->second;
    };
    const auto name = dimension_name(dimension);
    if (dimension.field == Field::kProp) {
      const auto found = counted.props.find(dimension.key);
      return found == counted.props.end() ? "" : found->second;
    }
    const bool of_exit =
        dimension.field == Field::kExitPage || dimension.field == Field::kExitHostname;
    const bool of_host =
        dimension.field == Field::kEntryHostname || dimension.field == Field::kExitHostname;
    if (of_exit || of_host || dimension.field == Field::kEntryPage) {
      std::string text;
      for (const auto i : visits_[counted.visit]) {
        if (events_[i].values.at("event:name") != "pageview") continue;
        if (of_exit || text.empty())
          text = at(events_[i], of_host ? "event:hostname" : "event:page");
      }
      return text;
    }
    return at(is_of_visit(dimension.field) ? events_[visits_[counted.visit].front()] : counted,
              name);
  }

  /// Returns the label of a time bucket, by the C library's local time.
  static std::string time_label(Field field, const CountedEvent& counted, const Query& query) {
    ::setenv("TZ", query.zone.c_str(), 1);
    ::tzset();
    const auto local = [](UnixSeconds time) {
      const std::time_t seconds = time.time_since_epoch().count();
      std::tm parts{};
      ::localtime_r(&seconds, &parts);
      return parts;
    };
    auto parts = local(std::chrono::floor<std::chrono::seconds>(counted.time));
    const auto text = [](const std::tm& of, const char* format) {
      char buffer[64];
      return std::string(buffer, std::strftime(buffer, sizeof buffer, format, &of));
    };
    if (field == Field::kMinute) return text(parts, "%F %H:%M:00");
    if (field == Field::kHour) return text(parts, "%F %H:00:00");
    if (field == Field::kDay) return text(parts, "%F");
    if (field == Field::kMonth) return text(parts, "%Y-%m-01");
    parts.tm_mday -= (parts.tm_wday + 6) % 7;
    parts.tm_hour = 12;
    parts.tm_isdst = -1;
    ::mktime(&parts);
    return std::max(text(parts, "%F"), text(local(query.selection.range.from), "%F"));
  }

  static bool is_meant(const Goal& goal, const CountedEvent& counted) {
    if (goal.type == GoalType::kEvent) return counted.values.at("event:name") == goal.value;
    std::string pattern;
    for (std::size_t i = 0; i < goal.value.size(); ++i) {
      const bool two = goal.value.compare(i, 2, "**") == 0;  // * and ** both match any text
      if (goal.value[i] != '*') {
        pattern += std::string("\\") + goal.value[i];
      } else {
        pattern += ".*";
        i += two ? 1 : 0;
      }
      if (std::isalnum(static_cast<unsigned char>(goal.value[i])) != 0 && goal.value[i] != '*') {
        pattern.erase(pattern.size() - 2, 1);
      }
    }
    return counted.values.at("event:name") == "pageview" &&
           std::regex_match(counted.values.at("event:page"), std::regex(pattern));
  }

  static bool text_matches(const TextMatch& match, const std::string& text) {
    const auto folded = [&](std::string value) {
      if (match.any_case) {
        for (auto& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
      return value;
    };
    for (const auto& value : match.values) {
      const auto a = folded(value);
      const auto b = folded(text);
      if (match.kind == MatchKind::kEquals && a == b) return true;
      if (match.kind == MatchKind::kContains && b.find(a) != std::string::npos) return true;
      if (match.kind == MatchKind::kRegex && std::regex_search(b, std::regex(a))) return true;
    }
    return false;
  }

  bool holds(const Filter& filter, const CountedEvent& counted, const Query& query) const {
    const auto part_holds = [&](const Filter& part) { return holds(part, counted, query); };
    switch (filter.kind) {
      case Filter::Kind::kAll:
        return std::all_of(filter.parts.begin(), filter.parts.end(), part_holds);
      case Filter::Kind::kAny:
        return std::any_of(filter.parts.begin(), filter.parts.end(), part_holds);
      case Filter::Kind::kNot: return !part_holds(filter.parts.front());
      case Filter::Kind::kHasDone:
        for (const auto i : visits_[counted.visit]) {
          if (in_range(events_[i], query) && holds(filter.parts.front(), events_[i], query))
            return true;
        }
        return false;
      case Filter::Kind::kValue: break;
    }
    if (filter.dimension.field == Field::kGoal) {
      return std::any_of(
          query.selection.goals.begin(), query.selection.goals.end(), [&](const Goal& goal) {
            return text_matches(filter.match, goal_name(goal)) && is_meant(goal, counted);
          });
    }
    const auto text = stored(filter.dimension, counted);
    const auto shown = text.empty() ? std::string(empty_value(filter.dimension.field)) : text;
    if (filter.match.kind == MatchKind::kEquals) {
      return (text_matches(filter.match, text) || text_matches(filter.match, shown)) !=
             filter.negated;
    }
    if (text.empty() && filter.dimension.field == Field::kProp) return false;
    return text_matches(filter.match, text) != filter.negated;
  }

  static bool in_range(const CountedEvent& counted, const Query& query) {
    return counted.time >= query.selection.range.from && counted.time < query.selection.range.to;
  }

  std::vector<std::vector<std::string>> keys_of(const CountedEvent& counted,
                                                const Query& query) const {
    std::vector<std::vector<std::string>> keys{{}};
    for (const auto& dimension : query.dimensions) {
      std::vector<std::string> values;
      if (is_time(dimension.field)) {
        values = {time_label(dimension.field, counted, query)};
      } else if (dimension.field == Field::kPropKey) {
        for (const auto& [key, value] : counted.props) values.push_back(key);
      } else if (dimension.field == Field::kGoal) {
        for (const auto& goal : query.selection.goals) {
          const bool asked = std::all_of(
              query.selection.filter.parts.begin(), query.selection.filter.parts.end(),
              [&](const Filter& part) {
                return !is_on(part, Field::kGoal) || text_matches(part.match, goal_name(goal));
              });
          if (asked && is_meant(goal, counted)) values.push_back(goal_name(goal));
        }
      } else {
        const auto text = stored(dimension, counted);
        values = {text.empty() ? std::string(empty_value(dimension.field)) : text};
      }
      std::vector<std::vector<std::string>> longer;
      for (const auto& key : keys) {
        for (const auto& value : values) {
          longer.push_back(key);
          longer.back().push_back(value);
        }
      }
      keys = std::move(longer);
    }
    return keys;
  }

  std::map<std::vector<std::string>, Group> count(const Query& query) const {
    std::map<std::vector<std::string>, Group> groups;
    if (query.dimensions.empty()) groups[{}];
    for (const auto& counted : events_) {
      if (!in_range(counted, query) || !holds(query.selection.filter, counted, query)) continue;
      for (const auto& key : keys_of(counted, query)) {
        auto& group = groups[key];
        const auto& first = events_[visits_[counted.visit].front()];
        group.visitors.emplace(counted.visitor, std::chrono::floor<std::chrono::days>(first.time));
        group.visits.insert(counted.visit);
        group.pageviews += counted.values.at("event:name") == "pageview" ? 1 : 0;
        ++group.events;
        if (counted.revenue)
          group.revenue[counted.revenue->currency].push_back(counted.revenue->micros);
      }
    }
    return groups;
  }

  std::vector<CountedEvent> events_;
  std::vector<std::vector<std::size_t>> visits_;
};

}  // namespace analytics::test
