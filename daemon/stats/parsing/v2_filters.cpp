#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "common/wire/filter_form.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/parsing/v2_query.h"

namespace analytics::v2 {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLeaves = 200;
constexpr std::size_t kMaxValues = 1'000;  // maximum number of values in all conditions of a query
constexpr std::size_t kMaxRegexes = 20;
constexpr std::size_t kMaxRegexBytes = 1'000;
/// Maximum number of instructions of all regular expressions of a query. Each panel of a page
/// compiles them again, which takes at most 20 ms.
constexpr std::size_t kMaxRegexSize = 20'000;
constexpr std::size_t kMaxBehaviours = 5;  // each has_done reads the events once more
constexpr std::size_t kCountryBytes = 2;

struct Operator {
  std::string_view name;
  MatchKind kind;
  bool negated;
};
constexpr std::array<Operator, 8> kOperators = {
    {{"is", MatchKind::kEquals, false},
     {"is_not", MatchKind::kEquals, true},
     {"contains", MatchKind::kContains, false},
     {"contains_not", MatchKind::kContains, true},
     {"matches", MatchKind::kRegex, false},
     {"matches_not", MatchKind::kRegex, true},
     {"matches_wildcard", MatchKind::kWildcard, false},
     {"matches_wildcard_not", MatchKind::kWildcard, true}}};
static_assert(std::equal(kOperators.begin(), kOperators.end(), kConditionOperators.begin(),
                         kConditionOperators.end(), [](const Operator& op, std::string_view name) {
                           return op.name == name;
                         }));

/// Reads the filters of a query. Throws Error, which parse_filters() returns.
class Reader {
 public:
  Reader(const std::vector<Goal>& goals, UnknownGoals unknown_goals)
      : goals_(goals), unknown_goals_(unknown_goals) {}

  Filter read_top(const json& filters) {
    if (!filters.is_array()) refuse("#/filters", "must be a list of filters");
    Filter all;
    for (std::size_t i = 0; i < filters.size(); ++i) {
      pointer_ = "#/filters/" + std::to_string(i);
      top_ = &filters[i];
      all.parts.push_back(read(filters[i], Place{true, false}));
    }
    return all;
  }

 private:
  /// The place of a condition in the filters.
  struct Place {
    bool is_top;        ///< True if the condition is an element of the list `filters` itself.
    bool is_behaviour;  ///< True if the condition is inside has_done or has_not_done.
  };

  [[noreturn]] static void refuse(const std::string& pointer, const std::string& problem) {
    throw Error{ErrorCode::kInvalidParameter, pointer + ": " + problem + ".", {{pointer, problem}}};
  }
  [[noreturn]] void refuse(const std::string& problem) const { refuse(pointer_, problem); }
  [[noreturn]] void refuse_form() const { refuse("Invalid filter " + excerpt(*top_)); }

  Filter read(const json& value, Place place) {
    if (!value.is_array() || value.size() < 2 || !value[0].is_string()) refuse_form();
    const auto& name = value[0].get_ref<const std::string&>();
    if (name == "and" || name == "or") return read_parts(value, name, place);
    if (name == "not") {
      if (value.size() != 2) refuse_form();
      return wrap(Filter::Kind::kNot, read(value[1], {false, place.is_behaviour}));
    }
    if (name == "has_done" || name == "has_not_done") return read_behaviour(value, name, place);
    return read_condition(value, name, place);
  }

  Filter read_parts(const json& value, const std::string& name, Place place) {
    if (value.size() != 2 || !value[1].is_array() || value[1].empty()) refuse_form();
    Filter filter;
    filter.kind = name == "and" ? Filter::Kind::kAll : Filter::Kind::kAny;
    for (const auto& part : value[1]) {
      filter.parts.push_back(read(part, {false, place.is_behaviour}));
    }
    return filter;
  }

  Filter read_behaviour(const json& value, const std::string& name, Place place) {
    if (value.size() != 2) refuse_form();
    if (place.is_behaviour) refuse("has_done and has_not_done cannot be nested");
    if (++behaviours_ > kMaxBehaviours)
      refuse("has more than " + std::to_string(kMaxBehaviours) + " has_done and has_not_done");
    auto done = wrap(Filter::Kind::kHasDone, read(value[1], {false, true}));
    return name == "has_done" ? done : wrap(Filter::Kind::kNot, std::move(done));
  }

  static Filter wrap(Filter::Kind kind, Filter part) {
    Filter filter;
    filter.kind = kind;
    filter.parts.push_back(std::move(part));
    return filter;
  }

  Filter read_condition(const json& value, const std::string& name, Place place) {
    const auto op = std::find_if(kOperators.begin(), kOperators.end(),
                                 [&](const Operator& each) { return each.name == name; });
    if (op == kOperators.end() || value.size() < 3 || value.size() > 4 || !value[1].is_string()) {
      refuse_form();
    }
    if (++leaves_ > kMaxLeaves) {
      const auto problem =
          "has more than " + std::to_string(kMaxLeaves) + " conditions in all filters";
      throw Error{ErrorCode::kLimitReached, pointer_ + ": " + problem + ".", {{pointer_, problem}}};
    }
    const auto dimension = parse_dimension(value[1].get_ref<const std::string&>());
    if (!dimension || is_time(dimension->field)) refuse_form();
    Filter filter;
    filter.kind = Filter::Kind::kValue;
    filter.dimension = *dimension;
    filter.match.kind = op->kind;
    filter.negated = op->negated;
    filter.match.values = read_values(value[2]);
    if (value.size() == 4) filter.match.any_case = read_any_case(value[3], op->kind);
    check(filter, place);
    return filter;
  }

  std::vector<std::string> read_values(const json& list) {
    if (!list.is_array() || list.empty()) refuse_form();
    std::vector<std::string> values;
    for (const auto& value : list) {
      if (!value.is_string()) refuse_form();
      values.push_back(value.get<std::string>());
    }
    values_ += values.size();
    if (values_ > kMaxValues)
      refuse("has more than " + std::to_string(kMaxValues) + " values in all filters");
    return values;
  }

  bool read_any_case(const json& modifiers, MatchKind kind) {
    if (!modifiers.is_object() || modifiers.size() != 1 || kind == MatchKind::kRegex) refuse_form();
    const auto found = modifiers.find("case_sensitive");
    if (found == modifiers.end() || !found->is_boolean()) refuse_form();
    return !found->get<bool>();
  }

  void check(const Filter& filter, Place place) {
    if (place.is_behaviour && is_of_visit(filter.dimension.field)) {
      refuse("has_done and has_not_done take conditions on events, not on visits");
    }
    if (filter.match.kind == MatchKind::kRegex) check_regexes(filter);
    if (filter.dimension.field == Field::kGoal) check_goal(filter, place);
    const bool is_country =
        filter.dimension.field == Field::kCountry && filter.match.kind == MatchKind::kEquals;
    if (!is_country) return;
    for (const auto& value : filter.match.values) {
      const bool is_empty = value.empty() || reads_as_empty(Field::kCountry, value);
      if (!is_empty && value.size() != kCountryBytes) {
        refuse(
            "Invalid visit:country filter, visit:country needs to be a valid 2-letter country "
            "code");
      }
    }
  }

  void check_regexes(const Filter& filter) {
    regexes_ += filter.match.values.size();
    if (regexes_ > kMaxRegexes)
      refuse("has more than " + std::to_string(kMaxRegexes) +
             " regular expressions in all filters");
    for (const auto& value : filter.match.values) {
      if (value.size() > kMaxRegexBytes) refuse("has a regular expression of over 1000 bytes");
      const auto size = regex_size(value);
      if (!size) refuse("is not a regular expression in RE2 syntax: " + size.error());
      regex_size_ += *size;
      if (regex_size_ > kMaxRegexSize) refuse("has too many or too large regular expressions");
    }
  }

  void check_goal(const Filter& filter, Place place) {
    if (filter.negated || filter.match.kind == MatchKind::kRegex) refuse_form();
    if (!place.is_top && !place.is_behaviour) {
      refuse("Dimension event:goal can only be filtered at the top level, and in has_done");
    }
    if (filter.match.kind != MatchKind::kEquals || filter.match.any_case) return;
    if (unknown_goals_ == UnknownGoals::kNeverMet) return;
    for (const auto& value : filter.match.values) {
      const bool exists = std::any_of(goals_.begin(), goals_.end(),
                                      [&](const Goal& goal) { return goal_name(goal) == value; });
      if (!exists)
        refuse("The goal " + json(cut_utf8(value, 200)).dump() +
               " is not configured for this site");
    }
  }

  const std::vector<Goal>& goals_;
  const UnknownGoals unknown_goals_;
  std::string pointer_;
  const json* top_ = nullptr;
  std::size_t leaves_ = 0;
  std::size_t values_ = 0;
  std::size_t regexes_ = 0;
  std::size_t regex_size_ = 0;
  std::size_t behaviours_ = 0;
};

std::string_view operator_of(const Filter& filter) {
  return std::find_if(kOperators.begin(), kOperators.end(),
                      [&](const Operator& each) {
                        return each.kind == filter.match.kind && each.negated == filter.negated;
                      })
      ->name;
}

}  // namespace

Result<Filter> parse_filters(const json& filters, const std::vector<Goal>& goals,
                             UnknownGoals unknown_goals) {
  try {
    return Reader(goals, unknown_goals).read_top(filters);
  } catch (const Error& error) {
    return fail(error);
  }
}

nlohmann::ordered_json to_json(const Filter& filter) {
  using nlohmann::ordered_json;
  const auto parts = [&] {
    auto list = ordered_json::array();
    for (const auto& part : filter.parts) list.push_back(to_json(part));
    return list;
  };
  const auto list = [](auto&&... values) {
    auto array = ordered_json::array();
    (array.push_back(values), ...);
    return array;
  };
  switch (filter.kind) {
    case Filter::Kind::kAll: return list("and", parts());
    case Filter::Kind::kAny: return list("or", parts());
    case Filter::Kind::kNot: return list("not", to_json(filter.parts.front()));
    case Filter::Kind::kHasDone: return list("has_done", to_json(filter.parts.front()));
    case Filter::Kind::kValue: break;
  }
  auto condition =
      list(std::string(operator_of(filter)), dimension_name(filter.dimension), filter.match.values);
  if (filter.match.any_case) condition.push_back({{"case_sensitive", false}});
  return condition;
}

}  // namespace analytics::v2
