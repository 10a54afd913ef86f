#include <nlohmann/json.hpp>

#include "daemon/api/registry/link_terms.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json form_of(const Link& link, const std::string& base_url, const std::string& domain) {
  return link_form(link.name, link_url(base_url, domain, link.token), link.terms);
}

/// A request to create or change a link to `site`.
struct SiteLinkRequest {
  Site site;
  LinkRequest request;
};

/// Parses the site and the link. Reports a missing `site_id` or `name` before an invalid one.
/// Errors: kMissingParameter, kSiteNotFound, kInvalidParameter.
Result<SiteLinkRequest> read_link(const Call& call) {
  const auto wanted = TRY(call.params.require("site_id"));
  TRY(call.params.require("name"));
  auto site = TRY(call.own_site(wanted));
  auto request = TRY(read_link_request(call));
  return SiteLinkRequest{std::move(site), std::move(request)};
}

}  // namespace

void ensure_link(const ChangeContext& context, const Call& call, http::Responder respond) {
  auto wanted = read_link(call);
  if (!wanted) return respond(error_response(wanted.error()));
  const auto& site = wanted->site;
  const auto* known = call.snapshot->link_named(site.id, wanted->request.link.name);
  prepare_link(
      context, std::move(wanted->request), known == nullptr ? "" : known->terms.password_hash,
      call.snapshot->goals(site.id), std::move(respond),
      [&context, id = site.id, domain = site.domain](WantedLink link, http::Responder answer) {
        change_registry<store::Changed<Link>>(
            context,
            [id, link = std::move(link), now = context.now_in_seconds()](
                sqlite::Registry& registry) { return registry.sites().ensure_link(id, link, now); },
            [settings = context.settings.snapshot(), domain](const store::Changed<Link>& made) {
              return changed_response(form_of(made.value, settings->base_url, domain).dump(),
                                      made.outcome);
            },
            std::move(answer));
      });
}

void list_links(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  read_on_worker(
      context, call.key->account,
      [settings = context.settings.snapshot(),
       site = *site](store::Reader& reader) -> Result<http::Response> {
        const auto links = TRY(reader.registry->list_links(site.id));
        ordered_json body;
        body["shared_links"] = ordered_json::array();
        for (const auto& link : links) {
          body["shared_links"].push_back(form_of(link, settings->base_url, site.domain));
        }
        return json_response(body.dump());
      },
      std::move(respond));
}

void delete_link(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto wanted = read_link(call);
  if (!wanted) return respond(error_response(wanted.error()));
  change_registry<void>(
      context,
      [id = wanted->site.id, name = wanted->request.link.name](sqlite::Registry& registry) {
        return registry.sites().delete_link(id, name);
      },
      [] { return deleted_response(); }, std::move(respond));
}

}  // namespace analytics::api
