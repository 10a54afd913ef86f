#include "daemon/totals/value_filter.h"

#include <algorithm>
#include <vector>

#include "daemon/model/text_condition.h"

namespace analytics::totals {
namespace {

/// Calls `use` with each condition of the filter. Returns false if the filter contains kHasDone.
template <typename Use>
bool each_condition(const Filter& filter, const Use& use) {
  if (filter.kind == Filter::Kind::kHasDone) return false;
  if (filter.kind == Filter::Kind::kValue) use(filter);
  return std::all_of(filter.parts.begin(), filter.parts.end(),
                     [&](const Filter& part) { return each_condition(part, use); });
}

bool means_one_value(const Filter& filter) {
  if (filter.kind == Filter::Kind::kAll || filter.kind == Filter::Kind::kAny) {
    return filter.parts.size() == 1 && means_one_value(filter.parts.front());
  }
  const auto& match = filter.match;
  return filter.kind == Filter::Kind::kValue && !filter.negated && !match.any_case &&
         match.kind == MatchKind::kEquals && match.values.size() == 1;
}

}  // namespace

/// A node of the filter tree, with its condition compiled.
struct ValueFilter::Node {
  explicit Node(const Filter& filter) : kind(filter.kind) {
    if (kind == Filter::Kind::kValue) condition.emplace(filter);
    for (const auto& part : filter.parts) parts.emplace_back(part);
  }

  [[nodiscard]] bool holds(const std::string& text) const {
    const auto does = [&](const Node& part) { return part.holds(text); };
    switch (kind) {
      case Filter::Kind::kAll: return std::all_of(parts.begin(), parts.end(), does);
      case Filter::Kind::kAny: return std::any_of(parts.begin(), parts.end(), does);
      case Filter::Kind::kNot: return !parts.front().holds(text);
      case Filter::Kind::kHasDone: break;
      case Filter::Kind::kValue: return condition->holds(text);
    }
    return false;
  }

  Filter::Kind kind;
  std::optional<TextCondition> condition{};
  std::vector<Node> parts{};
};

std::optional<ValueFilter> ValueFilter::of(const Filter& filter) {
  std::optional<Dimension> dimension;
  bool is_of_one = true;
  const auto learn = [&](const Filter& condition) {
    is_of_one = is_of_one && (!dimension || *dimension == condition.dimension);
    dimension = condition.dimension;
  };
  if (!each_condition(filter, learn) || !is_of_one || !dimension) return std::nullopt;
  if (is_time(dimension->field)) return std::nullopt;
  ValueFilter made;
  made.dimension_ = *dimension;
  made.is_one_value_ = means_one_value(filter);
  made.root_ = std::make_shared<const Node>(filter);
  return made;
}

bool ValueFilter::holds(const std::string& text) const { return root_->holds(text); }

}  // namespace analytics::totals
