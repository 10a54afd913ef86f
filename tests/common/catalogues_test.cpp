#include <set>

#include <nlohmann/json.hpp>

#include "common/io/fs.h"
#include "common/wire/dimension.h"
#include "common/wire/event_outcome.h"
#include "common/wire/metric.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

namespace analytics::test::catalogues_test {

namespace {

nlohmann::json openapi() {
  return nlohmann::json::parse(*read_file(in_checkout("daemon/web/assets/openapi.json")));
}

std::string manual() { return *read_file(in_checkout("man/analytics.1")); }

/// Collects the values of every "enum" inside a node that contains `known`.
void collect(const nlohmann::json& node, const std::string& known, std::set<std::string>& values) {
  if (node.is_object() && node.contains("enum")) {
    const std::set<std::string> all(node["enum"].begin(), node["enum"].end());
    if (all.contains(known)) values.insert(all.begin(), all.end());
  }
  for (const auto& child : node) {
    if (child.is_structured()) collect(child, known, values);
  }
}

std::set<std::string> documented(const std::string& known) {
  std::set<std::string> values;
  collect(openapi(), known, values);
  return values;
}

}  // namespace

TEST_CASE("catalogues: the documents list exactly the drop reasons", "[common][catalogues]") {
  std::set<std::string> names;
  for (auto number = static_cast<int>(EventOutcome::kDuplicate);
       number <= static_cast<int>(EventOutcome::kExpired); ++number) {
    const auto name = std::string(outcome_name(static_cast<EventOutcome>(number)));
    CHECK(parse_outcome(name) == static_cast<EventOutcome>(number));
    CHECK(manual().find(".Ql " + name) != std::string::npos);
    names.insert(name);
  }
  CHECK(documented("throttled") == names);
  CHECK(is_drop_reason("bot"));
  CHECK_FALSE(is_drop_reason("accepted"));
  CHECK_FALSE(is_drop_reason("duplicate"));
  CHECK_FALSE(is_drop_reason("text_budget"));
}

TEST_CASE("catalogues: the documents list exactly the metrics", "[common][catalogues]") {
  std::set<std::string> names;
  for (const auto& metric : all_metrics()) {
    CHECK(parse_metric(metric.name) == metric.metric);
    names.emplace(metric.name);
  }
  CHECK(documented("bounce_rate") == names);
  CHECK_FALSE(parse_metric("time_on_site"));
}

TEST_CASE("catalogues: the documents list exactly the dimensions", "[common][catalogues]") {
  std::set<std::string> names;
  for (const auto& field : all_fields()) {
    if (field.name.empty() || field.field == Field::kProp) continue;
    CHECK(parse_dimension(field.name) == Dimension{field.field, {}});
    names.emplace(field.name);
  }
  CHECK(documented("visit:source") == names);
  CHECK(parse_dimension("event:props:plan") == Dimension{Field::kProp, "plan"});
  for (const auto* wrong : {"", "event:props", "event:props:", "visit:nonsense"}) {
    CHECK_FALSE(parse_dimension(wrong));
  }
}

}  // namespace analytics::test::catalogues_test
