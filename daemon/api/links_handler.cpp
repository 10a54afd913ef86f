#include <nlohmann/json.hpp>

#include "common/text.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/model/link.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json link_form(const Link& link, const std::string& base_url, const std::string& domain) {
  return {{"name", link.name}, {"url", link_url(base_url, domain, link.token)}};
}

struct WantedLink {
  Site site;
  std::string name;
  std::optional<std::string> token{};  ///< For a link that moves here from another service.
};

/// Both parameters must be there before either is judged. Errors: kMissingParameter, kSiteNotFound,
/// kInvalidParameter.
Result<WantedLink> read_link(const Call& call) {
  const auto wanted = call.params.require("site_id");
  if (!wanted) return fail(wanted.error());
  const auto given = call.params.require("name");
  if (!given) return fail(given.error());
  auto site = call.own_site(*wanted);
  if (!site) return fail(site.error());
  auto name = normalise_link_name(*given);
  if (!name) return fail(name.error());
  WantedLink link{std::move(*site), std::move(*name)};
  if (const auto* text = call.params.find("token"); text != nullptr) {
    auto token = read_link_token(trim(*text));
    if (!token) return fail(token.error());
    link.token = std::move(*token);
  }
  return link;
}

}  // namespace

void ensure_link(const Services& services, const Call& call, http::Responder respond) {
  const auto wanted = read_link(call);
  if (!wanted) return respond(error_response(wanted.error()));
  change_registry<store::Changed<Link>>(
      services,
      [id = wanted->site.id, name = wanted->name,
       token = wanted->token.value_or(random_base62(kLinkTokenCharacters)),
       now = std::chrono::floor<std::chrono::seconds>(services.clock.now())](
          store::Registry& registry) { return registry.sites().ensure_link(id, name, token, now); },
      [settings = services.settings.snapshot(),
       domain = wanted->site.domain](const store::Changed<Link>& link) {
        return changed_response(link_form(link.value, settings->base_url, domain).dump(),
                                link.outcome);
      },
      std::move(respond));
}

void list_links(const Services& services, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  read_on_worker(
      services,
      [settings = services.settings.snapshot(),
       site = *site](store::Reader& reader) -> Result<http::Response> {
        const auto links = reader.registry->list_links(site.id);
        if (!links) return fail(links.error());
        ordered_json body;
        body["shared_links"] = ordered_json::array();
        for (const auto& link : *links) {
          body["shared_links"].push_back(link_form(link, settings->base_url, site.domain));
        }
        return json_response(body.dump());
      },
      std::move(respond));
}

void delete_link(const Services& services, const Call& call, http::Responder respond) {
  const auto wanted = read_link(call);
  if (!wanted) return respond(error_response(wanted.error()));
  change_registry<void>(
      services,
      [id = wanted->site.id, name = wanted->name](store::Registry& registry) {
        return registry.sites().delete_link(id, name);
      },
      [] { return deleted_response(); }, std::move(respond));
}

}  // namespace analytics::api
