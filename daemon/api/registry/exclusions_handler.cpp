#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/model/exclusion.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json exclusion_form(const Exclusion& exclusion) {
  return {{"id", std::to_string(exclusion.id)},
          {"type", exclusion_kind_name(exclusion.kind)},
          {"value", exclusion.value}};
}

struct WantedExclusion {
  ExclusionKind kind;
  std::string value;
};

/// Parses the exclusion in the parameters `type` and `value`. Errors: kMissingParameter,
/// kInvalidParameter.
Result<WantedExclusion> read_exclusion(const Params& params) {
  const auto type = TRY(params.require("type"));
  const auto given = TRY(params.require("value"));
  const auto kind = parse_exclusion_kind(trim(type));
  if (!kind) {
    return fail({ErrorCode::kInvalidParameter,
                 "type must be address, page or hostname.",
                 {{"type", "must be address, page or hostname"}}});
  }
  auto value = TRY(normalise_exclusion(*kind, given));
  return WantedExclusion{*kind, std::move(value)};
}

}  // namespace

void ensure_exclusion(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto wanted = read_exclusion(call.params);
  if (!wanted) return respond(error_response(wanted.error()));
  change_registry<store::Changed<Exclusion>>(
      context,
      [id = site->id, wanted = *wanted](sqlite::Registry& registry) {
        return registry.sites().ensure_exclusion(id, wanted.kind, wanted.value);
      },
      [](const store::Changed<Exclusion>& made) {
        return changed_response(exclusion_form(made.value).dump(), made.outcome);
      },
      std::move(respond));
}

void list_exclusions(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  read_on_worker(
      context, call.key->account,
      [site = site->id, page = *page](store::Reader& reader) -> Result<http::Response> {
        const auto exclusions = TRY(reader.registry->list_exclusions(site, page));
        auto rows = ordered_json::array();
        for (const auto& one : exclusions.items) rows.push_back(exclusion_form(one));
        return list_response("exclusions", std::move(rows), page, exclusions.ends);
      },
      std::move(respond));
}

void delete_exclusion(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto id = parse_id(call.request.parameters.back());
  if (!id) {
    return respond(
        error_response(ErrorCode::kExclusionNotFound, "The site has no exclusion with this id."));
  }
  change_registry<void>(
      context,
      [site = site->id, id = *id](sqlite::Registry& registry) {
        return registry.sites().delete_exclusion(site, id);
      },
      [] { return deleted_response(); }, std::move(respond));
}

}  // namespace analytics::api
