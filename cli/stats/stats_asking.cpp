#include "cli/stats/stats_asking.h"

#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/requests.h"
#include "cli/stats/stats_answer.h"
#include "common/text/text.h"
#include "common/wire/caveats.h"

namespace analytics::cli {

using nlohmann::ordered_json;

Asking::Asking(ordered_json common, bool explains, Context& context)
    : common_(std::make_shared<const ordered_json>(std::move(common))),
      explains_(explains),
      context_(context) {}

const ordered_json& Asking::filters() const { return common_->at("filters"); }

const ordered_json& Asking::date_range() const { return common_->at("date_range"); }

Outcome<ordered_json> Asking::ask(const ordered_json& more) const {
  auto query = *common_;
  query.update(more);
  query["include"]["imports"] = true;
  const auto reply =
      TRY(context_.api.call({"POST",
                             "/api/v2/query",
                             {},
                             true,
                             true,
                             {},
                             query.dump(-1, ' ', false, ordered_json::error_handler_t::replace)}));
  auto body = TRY(body_of(reply));
  if (!body.contains("results") || !body["results"].is_array()) return bad_answer();
  warn(body);
  return body;
}

void tell_caveats(const ordered_json& body, Context& context, const std::string& subject) {
  const auto all = sentences(caveats_of(body));
  if (all.empty() || context.settings.quiet) return;
  context.err << "analytics: " << visible(subject + join(all, " ")) << '\n';
}

void Asking::warn(const ordered_json& body) const {
  const auto meta = body.value("meta", ordered_json::object());
  const auto imports = meta.is_object() ? meta.value("imports_warning", "") : "";
  if (!imports.empty() && !context_.settings.quiet && !std::exchange(has_warned_, true)) {
    context_.err << "analytics: " << visible(imports) << '\n';
  }
  const auto warnings = warnings_of(body);
  for (const auto& [metric, warning] : warnings.items()) {
    const bool is_of_totals = warning.value("code", "").starts_with("totals_");
    if (!is_of_totals && !explains_) continue;
    if (std::exchange(has_warned_, true) || context_.settings.quiet) return;
    context_.err << "analytics: " << (is_of_totals ? "" : metric + ": ")
                 << visible(warning.value("warning", "")) << '\n';
  }
}

}  // namespace analytics::cli
