#include "daemon/api/registry/link_terms.h"

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/stats/parsing/v2_query.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

/// Sets `term` to the normalised value of the parameter `name`. Leaves `term` unchanged if the
/// parameter is absent. Errors: those of `normalise`.
template <typename Normalise>
Status read_term(const Params& params, const char* name, const Normalise& normalise,
                 std::optional<std::string>& term) {
  const auto* text = params.find(name);
  if (text == nullptr) return {};
  term = TRY(normalise(*text));
  return {};
}

/// Checks that a link's filters, a JSON text, are valid. `goals`: the site's goals. Errors:
/// kInvalidParameter.
Status check_filters(const std::string& filters, const std::vector<Goal>& goals) {
  const auto document = json::parse_document(filters);
  const auto filter =
      document ? v2::parse_filters(*document, goals) : Result<Filter>(fail(document.error()));
  if (filter) return {};
  const auto& message = filter.error().message;
  return fail({ErrorCode::kInvalidParameter, message, {{"filters", message}}});
}

/// Hashes the link's new password, if there is one, and then calls `change` with the link.
void hash_and_change(const ChangeContext& context, LinkRequest request, std::string known_hash,
                     const http::Responder& respond,
                     std::function<void(WantedLink, http::Responder)> change) {
  if (request.password.empty()) return change(std::move(request.link), respond);
  const bool queued = context.passwords.hash(
      request.account, std::move(request.password), std::move(known_hash),
      [link = std::move(request.link), respond, change = std::move(change)](std::string hash) {
        auto wanted = link;
        wanted.terms.password_hash = std::move(hash);
        change(std::move(wanted), respond);
      });
  if (!queued) {
    respond(error_response(ErrorCode::kOverloaded, "Too many passwords wait to be hashed."));
  }
}

}  // namespace

Result<LinkRequest> read_link_request(const Call& call) {
  const auto& params = call.params;
  const auto given = TRY(params.require("name"));
  auto name = TRY(normalise_link_name(given));
  LinkRequest request{{std::move(name), random_base62(kLinkTokenCharacters)}};
  request.account = call.key->account;
  if (const auto* text = params.find("token"); text != nullptr) {
    request.link.token = TRY(read_link_token(trim(*text)));
  }
  auto& terms = request.link.terms;
  std::optional<std::string> expiry;
  TRY(read_term(params, "expires_at", normalise_link_expiry, expiry));
  TRY(read_term(params, "filters", normalise_link_filters, terms.filters));
  TRY(read_term(params, "period", normalise_link_period, terms.period));
  TRY(read_term(params, "frame_ancestors", normalise_frame_ancestors, terms.frame_ancestors));
  if (expiry) {
    const auto time = parse_rfc3339(*expiry);
    terms.expires_at =
        time ? std::optional(std::chrono::floor<std::chrono::seconds>(*time)) : std::nullopt;
  }
  if (const auto* password = params.find("password"); password != nullptr) {
    if (password->empty()) {
      terms.password_hash = "";
    } else {
      request.password = TRY(check_link_password(*password));
    }
  }
  return request;
}

void prepare_link(const ChangeContext& context, LinkRequest request, std::string known_hash,
                  std::vector<Goal> goals, http::Responder respond,
                  std::function<void(WantedLink, http::Responder)> change) {
  if (request.link.terms.filters.value_or("").empty()) {
    return hash_and_change(context, std::move(request), std::move(known_hash), respond,
                           std::move(change));
  }
  const auto account = request.account;
  work_on_worker(
      context, account,
      [&context, request = std::move(request), known_hash = std::move(known_hash),
       goals = std::move(goals),
       change = std::move(change)](store::Reader&, const http::Responder& answer) {
        if (auto checked = check_filters(*request.link.terms.filters, goals); !checked) {
          return answer(error_response(checked.error()));
        }
        hash_and_change(context, request, known_hash, answer, change);
      },
      std::move(respond));
}

ordered_json link_form(const std::string& name, const std::string& url, const LinkTerms& terms) {
  ordered_json form = {{"name", name}, {"url", url}};
  if (!terms.password_hash.empty()) form["has_password"] = true;
  if (terms.expires_at) form["expires_at"] = format_rfc3339(*terms.expires_at);
  if (!terms.filters.empty()) {
    form["filters"] = ordered_json::parse(terms.filters, nullptr, false);
  }
  if (!terms.period.empty()) form["period"] = terms.period;
  if (!terms.frame_ancestors.empty()) form["frame_ancestors"] = terms.frame_ancestors;
  return form;
}

}  // namespace analytics::api
