#include <nlohmann/json.hpp>

#include "daemon/api/registry/link_terms.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json form_of(const AccountLink& link, const std::string& base_url) {
  return link_form(link.name, account_link_url(base_url, link.token), link.terms);
}

/// Rejects an API key that is limited to some sites, because an account's link shows all sites of
/// the account. Errors: kMissingScope.
Status check_unlimited(const Call& call) {
  if (call.key->sites.empty()) return {};
  return fail(ErrorCode::kMissingScope,
              "This key is limited to certain sites, and a link of the account shows all.");
}

/// Parses a request for a link to all sites of the account, which may have no filters. Errors:
/// those of check_unlimited(), kMissingParameter, kInvalidParameter.
Result<LinkRequest> read_account_link(const Call& call) {
  TRY(check_unlimited(call));
  auto request = read_link_request(call);
  if (request && !request->link.terms.filters.value_or("").empty()) {
    return fail({ErrorCode::kInvalidParameter,
                 "A link to all sites has no filters; create a link to a single site.",
                 {{"filters", "are for links of one site"}}});
  }
  return request;
}

}  // namespace

void ensure_account_link(const ChangeContext& context, const Call& call, http::Responder respond) {
  auto request = read_account_link(call);
  if (!request) return respond(error_response(request.error()));
  const auto account = call.key->account;
  const auto* known = call.snapshot->account_link_named(account, request->link.name);
  prepare_link(
      context, std::move(*request), known == nullptr ? "" : known->terms.password_hash, {},
      std::move(respond), [&context, account](WantedLink link, http::Responder answer) {
        change_registry<store::Changed<AccountLink>>(
            context,
            [account, link = std::move(link),
             now = context.now_in_seconds()](sqlite::Registry& registry) {
              return registry.account_links().ensure_account_link(account, link, now);
            },
            [settings = context.settings.snapshot()](const store::Changed<AccountLink>& made) {
              return changed_response(form_of(made.value, settings->base_url).dump(), made.outcome);
            },
            std::move(answer));
      });
}

void list_account_links(const ChangeContext& context, const Call& call, http::Responder respond) {
  if (const auto allowed = check_unlimited(call); !allowed) {
    return respond(error_response(allowed.error()));
  }
  read_on_worker(
      context, call.key->account,
      [settings = context.settings.snapshot(),
       account = call.key->account](store::Reader& reader) -> Result<http::Response> {
        const auto links = TRY(reader.registry->list_account_links(account));
        ordered_json body;
        body["shared_links"] = ordered_json::array();
        for (const auto& link : links) {
          body["shared_links"].push_back(form_of(link, settings->base_url));
        }
        return json_response(body.dump());
      },
      std::move(respond));
}

void delete_account_link(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto request = read_account_link(call);
  if (!request) return respond(error_response(request.error()));
  change_registry<void>(
      context,
      [account = call.key->account, name = request->link.name](sqlite::Registry& registry) {
        return registry.account_links().delete_account_link(account, name);
      },
      [] { return deleted_response(); }, std::move(respond));
}

}  // namespace analytics::api
