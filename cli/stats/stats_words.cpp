#include "cli/stats/stats_words.h"

#include "common/wire/dimension.h"
#include "common/wire/metric.h"

namespace analytics::cli {
namespace {

/// Returns the word that users type for a dimension: its name without "visit:" or "event:"; empty
/// if it has no such word.
std::string_view word_of(const FieldInfo& field) {
  if (field.name.empty() || is_time(field.field) || field.field == Field::kProp) return {};
  return field.name.substr(field.name.find(':') + 1);
}

}  // namespace

std::vector<std::string> stats_words() {
  std::vector<std::string> words;
  for (const auto& field : all_fields()) {
    if (const auto word = word_of(field); !word.empty()) words.emplace_back(word);
  }
  for (const auto* interval : {"hour", "day", "week", "month"}) words.emplace_back(interval);
  return words;
}

std::string property_of(const std::string& word) {
  if (word.starts_with("event:") || word.starts_with("visit:")) return word;
  if (word.starts_with("props:")) return "event:" + word;
  for (const auto& field : all_fields()) {
    if (word_of(field) == word) return std::string(field.name);
  }
  return "visit:" + word;  // a newer server may know it
}

std::vector<std::string> stats_metrics() {
  std::vector<std::string> names;
  for (const auto& metric : all_metrics()) names.emplace_back(metric.name);
  return names;
}

}  // namespace analytics::cli
