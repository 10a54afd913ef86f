#include "daemon/store/sqlite/stats_columns.h"

#include <algorithm>

#include "common/json.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kTextOverhead = 128;  // bytes of a text's nodes and pointers

/// What a visit has, 0 where there is no visit.
template <typename Member>
Column::Extract of_visit(Member member) {
  return [member](const EventRow& row) -> std::int64_t {
    return row.visit == nullptr ? 0 : static_cast<std::int64_t>(row.visit->*member);
  };
}

Column::Extract of_tag(UtmTag tag) {
  return [tag](const EventRow& row) -> std::int64_t {
    return row.visit == nullptr ? 0 : row.visit->utm[static_cast<std::size_t>(tag)];
  };
}

/// The bucket an event's time lies in. Events come nearly in order: mostly it is that of the last.
Column::Extract of_time(const std::vector<UnixSeconds>& buckets) {
  return [&buckets, last = std::size_t{0}](const EventRow& row) mutable -> std::int64_t {
    const auto starts = [&](std::size_t at) {
      return buckets[at].time_since_epoch().count() <= row.time;
    };
    const bool same = starts(last) && (last + 1 == buckets.size() || !starts(last + 1));
    if (!same) {
      const auto after = std::partition_point(
          buckets.begin(), buckets.end(),
          [&](const auto& each) { return each.time_since_epoch().count() <= row.time; });
      last = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - buckets.begin() - 1, 0));
    }
    return static_cast<std::int64_t>(last);
  };
}

std::string prop_of(const std::string& props, const std::string& key) {
  if (props.empty()) return {};
  const auto object = json::parse_object(props);
  const auto* value = object ? object->find(key) : nullptr;
  return value == nullptr ? std::string() : value->text;
}

std::string part_of(Field field, const Client& client) {
  switch (field) {
    case Field::kDevice: return client.device;
    case Field::kBrowser: return client.browser;
    case Field::kBrowserVersion: return client.browser_version;
    case Field::kOs: return client.os;
    default: return client.os_version;
  }
}

std::string part_of(Field field, const Place& place) {
  switch (field) {
    case Field::kCountry: return place.country;
    case Field::kRegion: return place.region;
    default: return place.city;
  }
}

}  // namespace

std::uint32_t Column::learn(std::size_t stored) {
  if (stored >= numbers_.size()) {
    numbers_.resize(std::max(stored + 1, 2 * numbers_.size()), kUnknown);
  }
  const auto next = static_cast<std::uint32_t>(texts_.size());
  const auto [at, is_new] =
      by_text_.try_emplace(describe_(static_cast<std::int64_t>(stored)), next);
  if (is_new) {
    texts_.push_back(&at->first);
    memory_ += at->first.size() + kTextOverhead;
  }
  return numbers_[stored] = at->second;
}

Column make_column(const Dimension& dimension, DictionaryReader& texts,
                   const std::vector<UnixSeconds>& buckets, Empty empty) {
  const auto field = dimension.field;
  const std::string_view reads = empty == Empty::kNamed ? empty_value(field) : "";
  const auto shown = [reads](std::string text) { return text.empty() ? std::string(reads) : text; };
  const auto text_of = [&texts, shown](StringKind kind) {
    return [&texts, shown, kind](std::int64_t number) { return shown(texts.text(kind, number)); };
  };
  switch (field) {
    case Field::kName:
      return {[](const EventRow& row) { return row.name; }, text_of(StringKind::kName)};
    case Field::kPage:
      return {[](const EventRow& row) { return row.path; }, text_of(StringKind::kPath)};
    case Field::kHostname:
      return {[](const EventRow& row) { return row.hostname; }, text_of(StringKind::kHostname)};
    case Field::kProp:
      return {[](const EventRow& row) { return row.props; },
              [&texts, shown, key = dimension.key](std::int64_t number) {
                return shown(prop_of(texts.text(StringKind::kProps, number), key));
              }};
    case Field::kSource: return {of_visit(&VisitRow::source), text_of(StringKind::kSource)};
    case Field::kReferrer: return {of_visit(&VisitRow::referrer), text_of(StringKind::kReferrer)};
    case Field::kChannel:
      return {of_visit(&VisitRow::channel), [shown](std::int64_t number) {
                return shown(std::string(channel_name(static_cast<Channel>(number))));
              }};
    case Field::kUtmSource: return {of_tag(UtmTag::kSource), text_of(StringKind::kUtmSource)};
    case Field::kUtmMedium: return {of_tag(UtmTag::kMedium), text_of(StringKind::kUtmMedium)};
    case Field::kUtmCampaign: return {of_tag(UtmTag::kCampaign), text_of(StringKind::kUtmCampaign)};
    case Field::kUtmContent: return {of_tag(UtmTag::kContent), text_of(StringKind::kUtmContent)};
    case Field::kUtmTerm: return {of_tag(UtmTag::kTerm), text_of(StringKind::kUtmTerm)};
    case Field::kDevice:
    case Field::kBrowser:
    case Field::kBrowserVersion:
    case Field::kOs:
    case Field::kOsVersion:
      return {of_visit(&VisitRow::client), [&texts, shown, field](std::int64_t number) {
                return shown(part_of(field, texts.client(number)));
              }};
    case Field::kCountry:
    case Field::kRegion:
    case Field::kCity:
      return {of_visit(&VisitRow::place), [&texts, shown, field](std::int64_t number) {
                return shown(part_of(field, texts.place(number)));
              }};
    case Field::kEntryPage: return {of_visit(&VisitRow::entry_page), text_of(StringKind::kPath)};
    case Field::kExitPage: return {of_visit(&VisitRow::exit_page), text_of(StringKind::kPath)};
    case Field::kHour:
    case Field::kDay:
    case Field::kWeek:
    case Field::kMonth:
      return {of_time(buckets), [](std::int64_t number) { return std::to_string(number); }};
    case Field::kGoal:
    case Field::kPropKey: break;  // a ListColumn's
  }
  return {[](const EventRow&) { return std::int64_t{0}; },
          [](std::int64_t) { return std::string(); }};
}

void ask_for(Field field, Columns& columns) {
  if (is_of_visit(field)) columns.visit_id = columns.visit = true;
  switch (field) {
    case Field::kPage:
    case Field::kGoal: columns.path = true; return;
    case Field::kHostname: columns.hostname = true; return;
    case Field::kProp:
    case Field::kPropKey: columns.props = true; return;
    case Field::kEntryPage: columns.entry_page = true; return;
    case Field::kExitPage: columns.exit_page = true; return;
    default: columns.first_event = columns.first_event || is_of_visit(field);
  }
}

const std::vector<std::uint32_t>& GoalColumn::numbers(const EventRow& row) {
  const auto pair =
      static_cast<std::uint64_t>(row.name) << 32 | static_cast<std::uint64_t>(row.path);
  const auto [at, is_new] = met_.try_emplace(pair);
  if (is_new) {
    const auto name = texts_.text(StringKind::kName, row.name);
    const auto path = texts_.text(StringKind::kPath, row.path);
    for (std::uint32_t i = 0; i < goals_.size(); ++i) {
      if (goal_matches(goals_[i], name, path)) at->second.push_back(i);
    }
  }
  return at->second;
}

const std::vector<std::uint32_t>& PropKeyColumn::numbers(const EventRow& row) {
  const auto [at, is_new] = of_props_.try_emplace(row.props);
  if (!is_new || row.props == 0) return at->second;
  const auto object = json::parse_object(texts_.text(StringKind::kProps, row.props));
  if (!object) return at->second;
  for (const auto& member : object->members) {
    const auto next = static_cast<std::uint32_t>(keys_.size());
    const auto [number, is_first] = numbers_.try_emplace(member.key, next);
    if (is_first) keys_.push_back(member.key);
    at->second.push_back(number->second);
  }
  return at->second;
}

}  // namespace analytics::sqlite
