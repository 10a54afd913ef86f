#include "daemon/share/link_access.h"

#include "common/run/secret.h"
#include "common/text/site_name.h"
#include "common/text/text.h"
#include "daemon/call/work.h"
#include "daemon/share/handlers.h"
#include "daemon/share/page.h"
#include "daemon/share/security_headers.h"

namespace analytics::share {
namespace {

constexpr char kSharePath[] = "/share";
constexpr char kAllPath[] = "/share/@all";
constexpr std::chrono::hours kUnlockedFor{24};
constexpr char kWrong[] = "This is not the password.";
constexpr std::size_t kNameBytes = 8;  // bytes of the digest in the name of a link's cookie

std::string hex_of(const Digest& digest, std::size_t bytes = sizeof(Digest)) {
  return to_hex(digest.data(), bytes);
}

std::string cookie_name(const UsedLink& link) {
  return "link_" + hex_of(digest_of({"cookie name", link.token}), kNameBytes);
}

/// Returns "1798761600.3f…": the Unix time `until`, when the cookie expires, and a digest of the
/// password's hash. A new password has a new salt, which invalidates old cookies.
std::string cookie_value(const UsedLink& link, std::string_view until) {
  return std::string(until) + "." +
         hex_of(digest_of({"link cookie", link.terms.password_hash, link.token, until}));
}

/// Returns the value of a cookie from the Cookie header; empty if it is missing.
std::string_view find_cookie(std::string_view cookies, std::string_view name) {
  for (const auto pair : split(cookies, ';')) {
    const auto cookie = trim(pair);
    if (cookie.size() > name.size() && cookie.starts_with(name) && cookie[name.size()] == '=') {
      return cookie.substr(name.size() + 1);
    }
  }
  return {};
}

/// The form that asks for a link's password and sends it to `action`.
struct Asking {
  std::string action;
  Embedding embedding;

  /// Returns the form as a response. `problem`: why the last try failed; empty for the first try.
  [[nodiscard]] http::Response answer(int status, const std::string& problem) const {
    http::Response response(status, "text/html; charset=utf-8",
                            render_password_form(action, embedding, problem));
    protect(response);
    return response;
  }
};

/// Returns the password form for a request. Its action is the page's path with the request's
/// parameters and the link's token.
Asking asking_of(const UsedLink& link, const http::Head& head) {
  auto parameters = parse_form(head.query).value_or(Parameters{});
  std::erase_if(parameters, [](const auto& each) { return each.first == "auth"; });
  parameters.insert(parameters.begin(), {"auth", link.token});
  return {link.path + "?" + encode_form(parameters), read_embedding(parameters)};
}

/// Returns a redirect to the page, with a cookie that opens the page for 24 hours.
http::Response unlock(const UsedLink& link, const std::string& url, bool is_https,
                      UnixSeconds now) {
  const auto until = std::to_string((now + kUnlockedFor).time_since_epoch().count());
  http::Response response(303, "text/html; charset=utf-8", "");
  protect(response)
      .set("Location", url)
      .set("Set-Cookie", cookie_name(link) + "=" + cookie_value(link, until) +
                             "; Path=" + (link.account ? kSharePath : link.path) + "; Max-Age=" +
                             std::to_string(std::chrono::seconds(kUnlockedFor).count()) +
                             "; HttpOnly; SameSite=Lax" + (is_https ? "; Secure" : ""));
  return response;
}

/// Checks the password from the form on another thread, then answers the request.
void check_password(const api::ReadContext& context, const api::Call& call, const UsedLink& link,
                    const http::Responder& respond) {
  auto asking = asking_of(link, call.request.head);
  const auto now = context.now_in_seconds();
  const bool is_https = context.settings.snapshot()->base_url.starts_with("https://");
  if (link.terms.password_hash.empty()) return respond(unlock(link, asking.action, is_https, now));
  const api::Params form(parse_form(call.request.body).value_or(Parameters{}));
  const auto* password = form.find("password");
  if (password == nullptr || !check_link_password(*password)) {
    return respond(asking.answer(403, kWrong));
  }
  using Verdict = api::LinkPasswords::Verdict;
  const auto client =
      limited_client(api::verified_client(context, call.request.head, call.request.peer));
  const bool queued = context.passwords.check(
      {link.owner, link.token, link.terms.password_hash, client.value_or(""), *password},
      [link, asking, is_https, now, respond](Verdict verdict, std::chrono::seconds wait) {
        switch (verdict) {
          case Verdict::kRight: return respond(unlock(link, asking.action, is_https, now));
          case Verdict::kWrong: return respond(asking.answer(403, kWrong));
          case Verdict::kTooMany: break;
        }
        auto refusal = asking.answer(
            429, "Too many tries: try again in " + std::to_string(wait.count()) + " s.");
        refusal.set("Retry-After", std::to_string(wait.count()));
        respond(std::move(refusal));
      });
  if (queued) return;
  auto busy = asking.answer(503, "Too many passwords are being checked: try again.");
  busy.set("Retry-After", "1");
  respond(std::move(busy));
}

}  // namespace

std::string page_path(const Site& site) { return "/share/" + percent_encode(site.domain); }

std::optional<UsedLink> find_account_link(const api::ReadContext& context, const api::Call& call) {
  const auto token = query_value(call.request.head.query, "auth");
  const auto* link = call.snapshot->account_link(token);
  if (link == nullptr || link->terms.is_over(context.now_in_seconds())) return std::nullopt;
  return UsedLink{token, link->terms, link->account, link->account, kAllPath};
}

std::optional<UsedLink> find_link(const api::ReadContext& context, const api::Call& call) {
  const auto now = context.now_in_seconds();
  const auto* site = find_site(call, now);
  if (site == nullptr) return std::nullopt;
  if (auto used = find_account_link(context, call); used && used->account == site->account) {
    used->path = page_path(*site);
    return used;
  }
  const auto token = query_value(call.request.head.query, "auth");
  const auto* link = call.snapshot->link(site->id, token);
  if (link == nullptr || link->terms.is_over(now)) return std::nullopt;
  return UsedLink{token, link->terms, site->account, std::nullopt, page_path(*site)};
}

const Site* find_site(const api::Call& call, UnixSeconds now) {
  const auto domain = normalise_domain(call.request.parameters.front());
  return domain ? call.snapshot->collecting_site(*domain, now) : nullptr;
}

WorkLane lane_of(const api::ReadContext& context, const UsedLink& link) {
  return api::lane_of_link(context, link.owner, link.token);
}

bool is_unlocked(const UsedLink& link, const http::Head& head, UnixSeconds now) {
  if (link.terms.password_hash.empty()) return true;
  const auto given = find_cookie(head.field("Cookie"), cookie_name(link));
  const auto until = given.substr(0, given.find('.'));
  const auto end = parse_int(until);
  return end && *end > now.time_since_epoch().count() &&
         equal_constant_time(given, cookie_value(link, until));
}

http::Response ask_for_password(const UsedLink& link, const http::Head& head) {
  return asking_of(link, head).answer(403, {});
}

std::string frames_of(const api::ReadContext& context, const UsedLink& link) {
  if (!link.terms.password_hash.empty()) return kNoFrames;
  if (!link.terms.frame_ancestors.empty()) return link.terms.frame_ancestors;
  const auto& frames = context.settings.snapshot()->frame_ancestors;
  return frames.empty() ? kNoFrames : frames;
}

void post_password(const api::ReadContext& context, const api::Call& call,
                   http::Responder respond) {
  const auto link = find_link(context, call);
  if (!link) return respond(not_found());
  check_password(context, call, *link, respond);
}

void post_account_password(const api::ReadContext& context, const api::Call& call,
                           http::Responder respond) {
  const auto link = find_account_link(context, call);
  if (!link) return respond(not_found());
  check_password(context, call, *link, respond);
}

}  // namespace analytics::share
