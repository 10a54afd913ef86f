#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "common/text/text.h"
#include "daemon/model/client.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/value_json.h"
#include "daemon/store/sqlite/stats_store.h"
#include "tests/daemon/store/recount.h"

/// Creates random events for a store, and random queries about them.
namespace analytics::test {

inline const std::vector<std::string> kNames = {"pageview", "pageview", "Signup", "Purchase"};
inline const std::vector<std::string> kPages = {"/", "/blog", "/blog/a", "/blog/a/b", "/Shop"};
inline const std::vector<std::string> kHosts = {"a.example", "b.example"};
inline const std::vector<std::string> kSources = {"", "Google", "google", "Bing"};
inline const std::vector<std::string> kTags = {"", "", "news", "ads"};
inline const std::vector<std::string> kValues = {"", "free", "pro"};
inline const std::vector<std::string> kZones = {"Etc/UTC", "Europe/Berlin", "America/St_Johns",
                                                "Asia/Kathmandu"};
inline const std::vector<Goal> kGoals = {{1, 1, GoalType::kEvent, "Signup", ""},
                                         {2, 1, GoalType::kPage, "/blog**", ""},
                                         {3, 1, GoalType::kPage, "/blog/*", ""},
                                         {4, 1, GoalType::kEvent, "Never", ""}};
inline const std::vector<Channel> kChannels = {Channel::kDirect, Channel::kOrganicSearch,
                                               Channel::kEmail};

/// Creates random events and random queries about them.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }
  bool one_in(unsigned n) { return random_() % n == 0; }

  CountedEvent counted(const PlannedEvent& planned) {
    CountedEvent counted;
    counted.visitor = planned.visitor;
    counted.time = planned.time;
    counted.interactive = planned.interactive;
    auto& values = counted.values;
    values["event:name"] = pick(kNames);
    values["event:page"] = pick(kPages);
    values["event:hostname"] = pick(kHosts);
    values["visit:source"] = pick(kSources);
    values["visit:referrer"] = pick(kHosts);
    values["visit:channel"] = channel_name(pick(kChannels));
    for (const auto& tag : kUtmNames) values["visit:" + std::string(tag)] = pick(kTags);
    values["visit:device"] = one_in(3) ? "" : "Mobile";
    values["visit:browser"] = one_in(3) ? "Firefox" : "Chrome";
    values["visit:browser_version"] = one_in(2) ? "1.0" : "2.0";
    values["visit:os"] = one_in(4) ? "" : "Mac";
    values["visit:os_version"] = one_in(2) ? "1.0" : "";
    values["visit:country"] = one_in(3) ? "" : (one_in(2) ? "DE" : "FR");
    values["visit:region"] = one_in(2) ? "DE-BE" : "";
    const std::map<std::string, std::string> names{{"DE", "Germany"}, {"FR", "France"}, {"", ""}};
    values["visit:country_name"] = names.at(values["visit:country"]);
    values["visit:region_name"] = values["visit:region"].empty() ? "" : "Berlin";
    values["visit:city"] = one_in(2) ? "Berlin" : "";
    values["visit:city_name"] = values["visit:city"];
    values["visit:screen"] = kScreenNames[random_() % kScreenNames.size()];
    values["visit:language"] = one_in(3) ? "" : (one_in(2) ? "de" : "fil");
    for (const auto* key : {"plan", "size"}) {
      if (const auto& value = pick(kValues); !value.empty()) counted.props[key] = value;
    }
    if (one_in(4))
      counted.revenue =
          Revenue{static_cast<std::int64_t>(random_() % 9'000'000), one_in(2) ? "EUR" : "USD"};
    return counted;
  }

  Query query() {
    Query query;
    query.zone = pick(kZones);
    const auto from = kDay - std::chrono::hours(random_() % 48);
    query.selection.range = {UnixSeconds(from) + std::chrono::minutes(random_() % 60),
                             UnixSeconds(from) + std::chrono::hours(1 + random_() % 72)};
    query.selection.site = 1;
    query.selection.goals = kGoals;
    for (auto i = one_in(2) ? random_() % 3 : 0; i > 0; --i)
      query.selection.filter.parts.push_back(filter(0, true));
    for (auto i = random_() % 3; i > 0; --i) add_dimension(query);
    for (int metric = 0; metric <= static_cast<int>(Metric::kAverageRevenue); ++metric) {
      if (one_in(2)) query.metrics.push_back(static_cast<Metric>(metric));
    }
    query.metrics.push_back(Metric::kVisitors);
    return query;
  }

 private:
  void add_dimension(Query& query) {
    const auto dimension = any_dimension(static_cast<int>(Field::kMonth));
    const bool is_second_time = is_time(dimension.field) &&
                                std::any_of(query.dimensions.begin(), query.dimensions.end(),
                                            [](const auto& each) { return is_time(each.field); });
    const bool is_there =
        std::count(query.dimensions.begin(), query.dimensions.end(), dimension) > 0;
    if (!is_second_time && !is_there) query.dimensions.push_back(dimension);
  }

  Dimension any_dimension(int last) {
    auto field = static_cast<Field>(random_() % static_cast<unsigned>(last + 1));
    if (field == Field::kPropKey && last == static_cast<int>(Field::kExitHostname))
      field = Field::kProp;
    return {field, field == Field::kProp ? (one_in(2) ? "plan" : "size") : ""};
  }

  Filter filter(int depth, bool is_top) {
    Filter filter;
    const auto kind = random_() % 8;
    if (depth < 2 && kind < 4) {
      filter.kind = static_cast<Filter::Kind>(kind);
      const auto parts =
          filter.kind == Filter::Kind::kAll || filter.kind == Filter::Kind::kAny ? 2 : 1;
      for (int i = 0; i < parts; ++i) filter.parts.push_back(this->filter(depth + 1, false));
      return filter;
    }
    filter.kind = Filter::Kind::kValue;
    do {
      filter.dimension = any_dimension(static_cast<int>(Field::kExitHostname));
    } while (filter.dimension.field == Field::kGoal && !is_top);
    filter.match = match(filter.dimension.field);
    filter.negated = filter.dimension.field != Field::kGoal && one_in(3);
    return filter;
  }

  TextMatch match(Field field) {
    static const std::vector<std::string> kTexts = {
        "/",  "/blog", "/blog/a", "Signup", "pageview", "Google",        "Bing",      "news",
        "DE", "free",  "Mac",     "1.0",    "Firefox",  "Direct / None", "(not set)", "(none)"};
    if (field == Field::kGoal)
      return {MatchKind::kEquals, {goal_name(pick(kGoals)), goal_name(pick(kGoals))}, false};
    if (one_in(4)) return {MatchKind::kRegex, {one_in(2) ? "o.*g" : "^[a-z/]+$"}, false};
    if (one_in(3)) return {MatchKind::kContains, {one_in(2) ? "o" : "/A"}, one_in(2)};
    auto value = pick(kTexts);
    if (one_in(2) && !empty_value(field).empty()) value = empty_value(field);
    // "(not set)" is an ordinary text for other fields, and has its own test.
    if (value == "(not set)" && empty_value(field) != value) value = "x";
    if (value == "(none)" && field != Field::kProp) value = "x";
    return {MatchKind::kEquals, {value, pick(kTexts).substr(0, 3)}, false};
  }

  std::mt19937 random_;
};

inline Event event_of(Store& store, const CountedEvent& counted) {
  const auto at = [&](const std::string& name) { return counted.values.at(name); };
  PlannedEvent planned;
  planned.visitor = counted.visitor;
  planned.time = counted.time;
  planned.name = at("event:name");
  planned.path = at("event:page");
  planned.source = at("visit:source");
  planned.interactive = counted.interactive;
  auto event = store.make(planned);
  event.hostname = at("event:hostname");
  event.referrer = at("visit:referrer");
  for (const auto channel : kChannels) {
    if (channel_name(channel) == at("visit:channel")) event.channel = channel;
  }
  for (std::size_t i = 0; i < kUtmTags; ++i)
    event.utm[i] = at("visit:" + std::string(kUtmNames[i]));
  Client client;
  for (const auto& part : kClientParts) client.*part.text = at("visit:" + std::string(part.name));
  event.client = client;
  Place place;
  for (const auto& part : kPlaceParts) place.*part.text = at("visit:" + std::string(part.name));
  event.place = place;
  event.screen = *parse_screen(at("visit:screen"));
  event.language = parse_language(at("visit:language"));
  for (const auto& [key, value] : counted.props) {
    event.props += (event.props.empty() ? "{\"" : ",\"") + key + "\":\"" + value + "\"";
  }
  if (!event.props.empty()) event.props += "}";
  event.revenue = counted.revenue;
  return event;
}

inline std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return Recount::number(*number);
  const auto* amounts = std::get_if<std::vector<Money>>(&value);
  if (amounts == nullptr) return "-";
  std::string text = "[";
  for (const auto& amount : *amounts) text += amount.currency + std::to_string(amount.micros);
  return text + "]";
}

inline std::vector<std::string> texts_of(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    auto text = join(row.dimensions, "|") + ":";
    for (const auto& value : row.metrics) text += " " + text_of(value);
    texts.push_back(std::move(text));
  }
  return texts;
}

inline std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace analytics::test
