#include "daemon/store/sqlite/stats_columns.h"

#include <algorithm>
#include <stdexcept>

#include "common/json.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kTextOverhead = 128;  // bytes of a text's nodes and pointers

/// Extracts a member of the event's visit; 0 without a visit.
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

std::string prop_of(const std::string& props, const std::string& key) {
  if (props.empty()) return {};
  const auto object = json::parse_object(props);
  const auto* value = object ? object->find(key) : nullptr;
  return value == nullptr ? std::string() : value->text;
}

/// A part of a client or place by its number, read as it is asked for.
template <typename Part>
Column::Describe of_client(DictionaryReader& texts, Part Client::*part) {
  return [&texts, part](std::int64_t number) { return texts.client(number).*part; };
}
template <typename Part>
Column::Describe of_place(DictionaryReader& texts, Part Place::*part) {
  return [&texts, part](std::int64_t number) { return texts.place(number).*part; };
}

/// Returns the function that extracts a field's value from a row. REQUIRES: a field that
/// make_column() accepts.
Column::Extract extract_of(Field field) {
  switch (field) {
    case Field::kName: return [](const EventRow& row) { return row.name; };
    case Field::kPage: return [](const EventRow& row) { return row.path; };
    case Field::kHostname: return [](const EventRow& row) { return row.hostname; };
    case Field::kProp: return [](const EventRow& row) { return row.props; };
    case Field::kSource: return of_visit(&VisitRow::source);
    case Field::kReferrer: return of_visit(&VisitRow::referrer);
    case Field::kChannel: return of_visit(&VisitRow::channel);
    case Field::kUtmSource: return of_tag(UtmTag::kSource);
    case Field::kUtmMedium: return of_tag(UtmTag::kMedium);
    case Field::kUtmCampaign: return of_tag(UtmTag::kCampaign);
    case Field::kUtmContent: return of_tag(UtmTag::kContent);
    case Field::kUtmTerm: return of_tag(UtmTag::kTerm);
    case Field::kDevice:
    case Field::kBrowser:
    case Field::kBrowserVersion:
    case Field::kOs:
    case Field::kOsVersion: return of_visit(&VisitRow::client);
    case Field::kCountry:
    case Field::kRegion:
    case Field::kCity: return of_visit(&VisitRow::place);
    case Field::kEntryPage: return of_visit(&VisitRow::entry_page);
    case Field::kExitPage: return of_visit(&VisitRow::exit_page);
    case Field::kGoal:
    case Field::kPropKey:
    case Field::kHour:
    case Field::kDay:
    case Field::kWeek:
    case Field::kMonth: break;
  }
  throw std::logic_error("no column has this field");
}

/// Returns the function that turns an extracted value into its text; empty for no value.
Column::Describe describe_of(const Dimension& dimension, DictionaryReader& texts) {
  const auto text_of = [&texts](StringKind kind) {
    return [&texts, kind](std::int64_t number) { return texts.text(kind, number); };
  };
  switch (dimension.field) {
    case Field::kName: return text_of(StringKind::kName);
    case Field::kPage:
    case Field::kEntryPage:
    case Field::kExitPage: return text_of(StringKind::kPath);
    case Field::kHostname: return text_of(StringKind::kHostname);
    case Field::kProp:
      return [&texts, key = dimension.key](std::int64_t number) {
        return prop_of(texts.text(StringKind::kProps, number), key);
      };
    case Field::kSource: return text_of(StringKind::kSource);
    case Field::kReferrer: return text_of(StringKind::kReferrer);
    case Field::kChannel:
      return [](std::int64_t number) {
        return std::string(channel_name(static_cast<Channel>(number)));
      };
    case Field::kUtmSource: return text_of(StringKind::kUtmSource);
    case Field::kUtmMedium: return text_of(StringKind::kUtmMedium);
    case Field::kUtmCampaign: return text_of(StringKind::kUtmCampaign);
    case Field::kUtmContent: return text_of(StringKind::kUtmContent);
    case Field::kUtmTerm: return text_of(StringKind::kUtmTerm);
    case Field::kDevice: return of_client(texts, &Client::device);
    case Field::kBrowser: return of_client(texts, &Client::browser);
    case Field::kBrowserVersion: return of_client(texts, &Client::browser_version);
    case Field::kOs: return of_client(texts, &Client::os);
    case Field::kOsVersion: return of_client(texts, &Client::os_version);
    case Field::kCountry: return of_place(texts, &Place::country);
    case Field::kRegion: return of_place(texts, &Place::region);
    case Field::kCity: return of_place(texts, &Place::city);
    case Field::kGoal:
    case Field::kPropKey:
    case Field::kHour:
    case Field::kDay:
    case Field::kWeek:
    case Field::kMonth: break;
  }
  throw std::logic_error("no column has this field");
}

}  // namespace

std::uint32_t Column::learn(std::size_t stored) {
  if (stored >= numbers_.size()) {
    const auto size = std::max(stored + 1, 2 * numbers_.size());
    budget_.charge((size - numbers_.size()) * sizeof(numbers_[0]));
    numbers_.resize(size, kUnknown);
  }
  const auto next = static_cast<std::uint32_t>(texts_.size());
  const auto [at, is_new] =
      by_text_.try_emplace(describe_(static_cast<std::int64_t>(stored)), next);
  if (is_new) {
    texts_.push_back(&at->first);
    budget_.charge(at->first.size() + kTextOverhead);
  }
  return numbers_[stored] = at->second;
}

Column make_column(const Dimension& dimension, DictionaryReader& texts, Empty empty) {
  auto describe = describe_of(dimension, texts);
  if (empty == Empty::kEmpty) {
    return {extract_of(dimension.field), std::move(describe), texts.budget()};
  }
  return {extract_of(dimension.field),
          [describe = std::move(describe), field = dimension.field](std::int64_t number) {
            auto text = describe(number);
            return text.empty() ? std::string(empty_value(field)) : text;
          },
          texts.budget()};
}

std::uint32_t TimeColumn::number(const EventRow& row) {
  const auto begins = [&](UnixSeconds start) {
    return start.time_since_epoch().count() <= row.time;
  };
  const bool same =
      begins(starts_[last_]) && (last_ + 1 == starts_.size() || !begins(starts_[last_ + 1]));
  if (!same) {
    const auto after = std::partition_point(starts_.begin(), starts_.end(), begins);
    last_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - starts_.begin() - 1, 0));
  }
  return static_cast<std::uint32_t>(last_);
}

void ask_for(Field field, Columns& columns) {
  columns.path = columns.path || field == Field::kPage || field == Field::kGoal;
  columns.hostname = columns.hostname || field == Field::kHostname;
  columns.props = columns.props || field == Field::kProp || field == Field::kPropKey;
  columns.entry_page = columns.entry_page || field == Field::kEntryPage;
  columns.exit_page = columns.exit_page || field == Field::kExitPage;
  if (!is_of_visit(field)) return;
  columns.visit_id = columns.visit = true;
  const bool has_pages_alone = field == Field::kEntryPage || field == Field::kExitPage;
  columns.first_event = columns.first_event || !has_pages_alone;
}

GoalColumn::GoalColumn(const std::vector<Goal>& goals, DictionaryReader& texts)
    : goals_(goals), texts_(texts) {
  for (const auto& goal : goals_) {  // goals that read alike are one
    const auto same = std::find_if(goals_.begin(), goals_.end(), [&](const Goal& each) {
      return goal_name(each) == goal_name(goal);
    });
    numbers_.push_back(static_cast<std::uint32_t>(same - goals_.begin()));
  }
}

const std::vector<std::uint32_t>& GoalColumn::numbers(const EventRow& row) {
  const auto pair =
      static_cast<std::uint64_t>(row.name) << 32 | static_cast<std::uint64_t>(row.path);
  const auto [at, is_new] = met_.try_emplace(pair);
  if (is_new) {
    const auto name = texts_.text(StringKind::kName, row.name);
    const auto path = texts_.text(StringKind::kPath, row.path);
    auto& met = at->second;
    for (std::size_t i = 0; i < goals_.size(); ++i) {
      const bool is_there = std::find(met.begin(), met.end(), numbers_[i]) != met.end();
      if (!is_there && goal_matches(goals_[i], name, path)) met.push_back(numbers_[i]);
    }
    texts_.budget().charge(kEntry + met.capacity() * sizeof(met[0]));
  }
  return at->second;
}

const std::vector<std::uint32_t>& PropKeyColumn::numbers(const EventRow& row) {
  const auto [at, is_new] = of_props_.try_emplace(row.props);
  if (!is_new || row.props == 0) return at->second;
  auto& budget = texts_.budget();
  budget.charge(kEntry);
  const auto object = json::parse_object(texts_.text(StringKind::kProps, row.props));
  if (!object) return at->second;
  for (const auto& member : object->members) {
    const auto next = static_cast<std::uint32_t>(keys_.size());
    const auto [number, is_first] = numbers_.try_emplace(member.key, next);
    if (is_first) {
      keys_.push_back(member.key);
      budget.charge(2 * (kEntry + member.key.size()));
    }
    at->second.push_back(number->second);
    budget.charge(sizeof(number->second));
  }
  return at->second;
}

Column& FilterColumns::column(const Dimension& dimension) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const auto& each) { return each.first == dimension; });
  if (found != columns_.end()) return *found->second;
  auto column = std::make_unique<Column>(make_column(dimension, texts_, Empty::kEmpty));
  return *columns_.emplace_back(dimension, std::move(column)).second;
}

GoalColumn& FilterColumns::goals() {
  if (goals_ == nullptr) goals_ = std::make_unique<GoalColumn>(selection_.goals, texts_);
  return *goals_;
}

}  // namespace analytics::sqlite
