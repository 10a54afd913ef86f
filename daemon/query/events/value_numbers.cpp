#include "daemon/query/events/value_numbers.h"

#include <algorithm>

#include "common/event/event_payload.h"
#include "common/event/screen_class.h"
#include "common/json/json.h"
#include "daemon/model/channel.h"
#include "daemon/model/names/language.h"

namespace analytics::query {
namespace {

// Approximate memory that by_text_ and texts_ need for a text besides its characters, in bytes.
constexpr std::size_t kNumberedTextOverhead = 128;
// Approximate size in bytes of an entry of the maps in GoalNumbers and PropKeyNumbers.
constexpr std::size_t kEntry = 96;

std::string prop_of(const std::string& props, const std::string& key) {
  if (props.empty()) return {};
  const auto object = json::parse_object(props);
  const auto* value = object ? object->find(key) : nullptr;
  return value == nullptr ? std::string() : value->text;
}

template <typename Parts>
const typename Parts::value_type* find_part(const Parts& parts, Field field) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const auto& part) { return part.field == field; });
  return found == parts.end() ? nullptr : &*found;
}

bool has_page(const std::vector<GoalGroup>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const GoalGroup& group) {
    return std::any_of(group.goals.begin(), group.goals.end(),
                       [](const Goal& goal) { return goal.type == GoalType::kPage; });
  });
}

}  // namespace

ValueNumbers::Describe ValueNumbers::describe(const Dimension& dimension, Texts& texts) {
  if (const auto* part = find_part(kClientParts, dimension.field)) {
    return [&texts, text = part->text](std::int64_t number) { return texts.client(number).*text; };
  }
  if (const auto* part = find_part(kPlaceParts, dimension.field)) {
    return [&texts, text = part->text](std::int64_t number) { return texts.place(number).*text; };
  }
  if (const auto* part = find_part(kShownPlaceParts, dimension.field)) {
    return [&texts, part](std::int64_t number) {
      return part->shown(texts.place(number).*part->text);
    };
  }
  if (dimension.field == Field::kChannel) {
    return
        [](std::int64_t number) { return std::string(channel_name(static_cast<Channel>(number))); };
  }
  if (dimension.field == Field::kScreen) {
    return [](std::int64_t number) {
      const bool is_known = number > 0 && number < std::ssize(kScreenNames);
      return std::string(is_known ? kScreenNames[static_cast<std::size_t>(number)] : "");
    };
  }
  if (dimension.field == Field::kLanguage) return language_code;
  if (dimension.field == Field::kProp) {
    return [&texts, key = dimension.key](std::int64_t number) {
      return prop_of(texts.text(Column::kProps, number), key);
    };
  }
  return nullptr;
}

ValueNumbers::ValueNumbers(const Dimension& dimension, std::string empty_text, Texts& texts,
                           Charges& charges)
    : column_(column_of(dimension.field)),
      describe_(describe(dimension, texts)),
      empty_text_(std::move(empty_text)),
      source_(texts),
      charges_(charges) {
  if (describe_ != nullptr) return;
  as_empty_ = {texts.number(column_, {}),
               empty_text_.empty() ? 0 : texts.number(column_, empty_text_)};
}

std::string ValueNumbers::text(std::uint32_t number) const {
  if (describe_ != nullptr) return *texts_[number];
  return number == 0 ? empty_text_ : source_.text(column_, number);
}

std::optional<std::uint32_t> ValueNumbers::find(std::string_view text) const {
  if (text.empty() || text == empty_text_) return 0;
  const auto stored = source_.number(column_, text);
  return stored == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(stored));
}

Groups::Space ValueNumbers::space() const {
  if (describe_ != nullptr || as_empty_[1] != 0) return 0;
  return 1 + index_of(text_column(column_));
}

void ValueNumbers::assign(const EventBatch& batch, const RowList& rows,
                          std::vector<std::uint32_t>& numbers) {
  const auto values = batch[column_];
  numbers.clear();
  for (const auto row : rows) numbers.push_back(number_of(values[row]));
}

std::uint32_t ValueNumbers::learn(std::size_t stored) {
  if (stored >= numbers_.size()) {
    const auto size = std::max(stored + 1, 2 * numbers_.size());
    charges_.add((size - numbers_.size()) * sizeof(numbers_[0]));
    numbers_.resize(size, kUnknown);
  }
  auto text = describe_(static_cast<std::int64_t>(stored));
  if (text.empty()) text = empty_text_;
  const auto next = static_cast<std::uint32_t>(texts_.size());
  const auto [at, is_new] = by_text_.try_emplace(std::move(text), next);
  if (is_new) {
    texts_.push_back(&at->first);
    charges_.add(at->first.size() + kNumberedTextOverhead);
  }
  return numbers_[stored] = at->second;
}

void BucketNumbers::assign(const EventBatch& batch, const RowList& rows,
                           std::vector<std::uint32_t>& numbers) {
  const auto times = batch[Column::kTime];
  numbers.clear();
  for (const auto row : rows) numbers.push_back(bucket_of(times[row]));
}

std::uint32_t BucketNumbers::bucket_of(std::int64_t time) {
  const auto has_begun = [&](UnixSeconds start) {
    return start.time_since_epoch().count() <= time;
  };
  const bool is_same =
      has_begun(starts_[last_]) && (last_ + 1 == starts_.size() || !has_begun(starts_[last_ + 1]));
  if (!is_same) last_ = bucket_at(UnixSeconds(std::chrono::seconds(time)));
  return static_cast<std::uint32_t>(last_);
}

std::uint32_t BucketNumbers::bucket_at(UnixSeconds time) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), time);
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after - starts_.begin() - 1, 0));
}

GoalNumbers::GoalNumbers(const std::vector<GoalGroup>& goals, Texts& texts, Charges& charges)
    : ListNumbers(Column::kName, has_page(goals) ? std::optional(Column::kPath) : std::nullopt),
      goals_(goals),
      texts_(texts),
      charges_(charges) {}

const GoalNumbers::Name& GoalNumbers::of_name(std::int64_t name) {
  const auto [at, is_new] = of_names_.try_emplace(name);
  if (is_new) {
    const auto text = texts_.text(Column::kName, name);
    at->second = {text == kPageview, met_by(text, {})};
  }
  return at->second;
}

const std::vector<std::uint32_t>& GoalNumbers::of(std::int64_t name, std::int64_t path) {
  const auto& of_all = of_name(name);
  if (!second() || !of_all.is_pageview) return of_all.met;
  const auto [at, is_new] = of_pageviews_.try_emplace(path);
  if (is_new) at->second = met_by(kPageview, texts_.text(Column::kPath, path));
  return at->second;
}

/// Returns the indexes in goals_ of the groups with a goal that an event with this name and path
/// meets.
std::vector<std::uint32_t> GoalNumbers::met_by(std::string_view name, std::string_view path) {
  std::vector<std::uint32_t> met;
  for (std::uint32_t i = 0; i < goals_.size(); ++i) {
    const auto& goals = goals_[i].goals;
    const bool is_met = std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) {
      return goal_matches(goal, name, path);
    });
    if (is_met) met.push_back(i);
  }
  charges_.add(kEntry + met.capacity() * sizeof(met[0]));
  return met;
}

const std::vector<std::uint32_t>& PropKeyNumbers::of(std::int64_t props, std::int64_t) {
  const auto [at, is_new] = of_props_.try_emplace(props);
  if (!is_new || props == 0) return at->second;
  charges_.add(kEntry);
  const auto object = json::parse_object(texts_.text(Column::kProps, props));
  if (!object) return at->second;
  for (const auto& member : object->members) {
    const auto next = static_cast<std::uint32_t>(keys_.size());
    const auto [number, is_first] = numbers_.try_emplace(member.key, next);
    if (is_first) {
      keys_.push_back(member.key);
      charges_.add(2 * (kEntry + member.key.size()));
    }
    at->second.push_back(number->second);
    charges_.add(sizeof(number->second));
  }
  return at->second;
}

}  // namespace analytics::query
