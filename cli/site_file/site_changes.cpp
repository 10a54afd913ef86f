#include "cli/site_file/site_changes.h"

#include <algorithm>

#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Action = SiteChange::Action;

ApiClient::Request request(const char* method, std::string path, Parameters form) {
  return {method, std::move(path), std::move(form), std::string_view(method) != "POST", true, {},
          {}};
}

/// The site or account that owns some links, with the API's path and parameters for them.
struct LinkOwner {
  const char* path;
  Parameters parameters;
  std::string site;  ///< Domain of the site; empty if the owner is the account.
  [[nodiscard]] ApiClient::Request request_for(const char* method, const LinkSpec& link) const {
    auto form = parameters;
    form.emplace_back("name", link.name);
    if (std::string_view(method) != "PUT") return request(method, path, std::move(form));
    if (!link.token.empty()) form.emplace_back("token", link.token);
    for (const auto& term : kLinkTerms) {
      if (const auto& value = link.*term.value) form.emplace_back(term.name, *value);
    }
    if (!link.password.empty()) form.emplace_back("password", link.password);
    return request(method, path, std::move(form));
  }
};

/// Returns true if the server's link has the file's terms. Any password on the server counts as the
/// file's, because the server does not reveal it.
bool has_terms(const LinkSpec& link, const LinkSpec& server) {
  if (!link.password_file.empty() && !server.has_password) return false;
  return std::all_of(std::begin(kLinkTerms), std::end(kLinkTerms), [&](const LinkTerm& term) {
    const auto& wanted = link.*term.value;
    return !wanted || *wanted == (server.*term.value).value_or("");
  });
}

void compare_link(const LinkOwner& owner, const LinkSpec& link, const std::vector<LinkSpec>& server,
                  SiteChanges& result) {
  const auto* there = find_same(server, link);
  if (there == nullptr) {
    result.changes.push_back(
        {Action::kCreate, "link", owner.site, link.name, owner.request_for("PUT", link)});
    return;
  }
  if (link.token.empty() || link.token == there->token) {
    if (has_terms(link, *there)) {
      ++result.unchanged;
      return;
    }
    auto update = link;
    if (there->has_password) update.password.clear();
    result.changes.push_back(
        {Action::kUpdate, "link", owner.site, link.name, owner.request_for("PUT", update)});
    return;
  }
  result.conflicts.push_back("the link " + link.name + " of " +
                             (owner.site.empty() ? "all sites" : owner.site) +
                             " has another token: delete the link, or the token from the file");
}

void prune_links(const LinkOwner& owner, const std::vector<LinkSpec>& wanted,
                 const std::vector<LinkSpec>& server, SiteChanges& result) {
  for (const auto& link : server) {
    if (find_same(wanted, link) != nullptr) continue;
    result.changes.push_back(
        {Action::kDelete, "link", owner.site, link.name, owner.request_for("DELETE", link)});
  }
}

/// Compares a site in the file with the server's, and collects the changes.
class SiteComparison {
 public:
  SiteComparison(const SiteSpec& wanted, const SiteSpec* server, bool prune, SiteChanges& result)
      : wanted_(wanted),
        server_(server),
        links_{kLinksPath, {{"site_id", wanted.domain}}, wanted.domain},
        prune_(prune),
        result_(result) {}

  void run() {
    compare_site();
    const SiteSpec nothing;
    const auto& server = server_ == nullptr ? nothing : *server_;
    for (const auto& goal : wanted_.goals) compare(goal, server.goals);
    for (const auto& funnel : wanted_.funnels) compare(funnel, server.funnels);
    for (const auto& link : wanted_.links) compare_link(links_, link, server.links, result_);
    for (const auto& exclusion : wanted_.exclusions) compare(exclusion, server.exclusions);
    if (prune_) prune(server);
  }

 private:
  void add(Action action, const char* type, std::string name, ApiClient::Request request) {
    result_.changes.push_back({action, type, wanted_.domain, std::move(name), std::move(request)});
  }
  void compare_site();
  void compare(const GoalSpec& goal, const std::vector<GoalSpec>& server);
  void compare(const FunnelSpec& funnel, const std::vector<FunnelSpec>& server);
  void compare(const ExclusionSpec& exclusion, const std::vector<ExclusionSpec>& server);
  void prune(const SiteSpec& server);
  template <typename Spec, typename RequestOf>
  void prune(const char* type, const std::vector<Spec>& server, const std::vector<Spec>& wanted,
             const RequestOf& request_of);

  const SiteSpec& wanted_;
  const SiteSpec* server_;
  const LinkOwner links_;
  const bool prune_;
  SiteChanges& result_;
};

void SiteComparison::compare_site() {
  const auto& [domain, timezone, keep, keep_totals, languages, goals, funnels, links, exclusions] =
      wanted_;
  const auto update = [this](const char* name, const std::string& value) {
    add(Action::kUpdate, "site", std::string(name) + " " + value,
        request("PUT", site_path(wanted_.domain), {{name, value}}));
  };
  if (server_ == nullptr) {
    Parameters form = {{"domain", domain}};
    if (timezone) form.emplace_back("timezone", *timezone);
    add(Action::kCreate, "site", "", request("POST", kSitesPath, std::move(form)));
    if (keep_totals == true) update("keep_totals", "true");
    if (keep) update("keep", *keep);
    if (languages == true) update("languages", "true");
    return;
  }
  const bool has_timezone = !timezone || timezone == server_->timezone;
  const bool has_keep = !keep || keep == server_->keep;
  if (!has_timezone) update("timezone", *timezone);
  // Changes keep_totals before keep, so that a shorter retention does not remove events without
  // totals.
  const bool has_totals = !keep_totals || keep_totals == server_->keep_totals.value_or(false);
  if (!has_totals) update("keep_totals", *keep_totals ? "true" : "false");
  if (!has_keep) update("keep", *keep);
  const bool has_languages = !languages || languages == server_->languages.value_or(false);
  if (!has_languages) update("languages", *languages ? "true" : "false");
  if (has_timezone && has_keep && has_totals && has_languages) ++result_.unchanged;
}

void SiteComparison::compare(const GoalSpec& goal, const std::vector<GoalSpec>& server) {
  const auto* there = find_same(server, goal);
  const auto shown = [](const GoalSpec& of) {
    return of.display_name.value_or(default_goal_name(of.type, of.value));
  };
  if (there != nullptr && (!goal.display_name || shown(goal) == shown(*there))) {
    ++result_.unchanged;
    return;
  }
  const bool is_page = goal.type == GoalType::kPage;
  Parameters form = {{"site_id", wanted_.domain},
                     {"goal_type", std::string(goal_type_name(goal.type))},
                     {is_page ? "page_type" : "event_name", goal.value}};
  if (goal.display_name) form.emplace_back("display_name", *goal.display_name);
  add(there == nullptr ? Action::kCreate : Action::kUpdate, "goal", label_of(goal),
      request("PUT", kGoalsPath, std::move(form)));
}

void SiteComparison::compare(const FunnelSpec& funnel, const std::vector<FunnelSpec>& server) {
  const auto* there = find_same(server, funnel);
  if (there != nullptr && there->steps == funnel.steps && there->within == funnel.within) {
    ++result_.unchanged;
    return;
  }
  add(there == nullptr ? Action::kCreate : Action::kUpdate, "funnel", label_of(funnel),
      request("PUT", kFunnelsPath,
              {{"site_id", wanted_.domain},
               {"name", funnel.name},
               {"steps", to_json(funnel.steps)},
               {"within", std::string(funnel_within_name(funnel.within))}}));
}

void SiteComparison::compare(const ExclusionSpec& exclusion,
                             const std::vector<ExclusionSpec>& server) {
  if (find_same(server, exclusion) != nullptr) {
    ++result_.unchanged;
    return;
  }
  add(Action::kCreate, "exclusion", label_of(exclusion),
      request("PUT", site_path(wanted_.domain) + "/exclusions",
              {{"type", std::string(exclusion_kind_name(exclusion.kind))},
               {"value", exclusion.value}}));
}

template <typename Spec, typename RequestOf>
void SiteComparison::prune(const char* type, const std::vector<Spec>& server,
                           const std::vector<Spec>& wanted, const RequestOf& request_of) {
  for (const auto& object : server) {
    if (find_same(wanted, object) != nullptr) continue;
    add(Action::kDelete, type, label_of(object), request_of(object));
  }
}

void SiteComparison::prune(const SiteSpec& server) {
  const auto& domain = wanted_.domain;
  prune("goal", server.goals, wanted_.goals, [&](const GoalSpec& goal) {
    return request("DELETE", std::string(kGoalsPath) + "/" + percent_encode(goal.id),
                   {{"site_id", domain}});
  });
  prune("funnel", server.funnels, wanted_.funnels, [&](const FunnelSpec& funnel) {
    return request("DELETE", kFunnelsPath, {{"site_id", domain}, {"name", funnel.name}});
  });
  prune_links(links_, wanted_.links, server.links, result_);
  prune("exclusion", server.exclusions, wanted_.exclusions, [&](const ExclusionSpec& exclusion) {
    return request("DELETE", site_path(domain) + "/exclusions/" + percent_encode(exclusion.id), {});
  });
}

}  // namespace

SiteChanges compare_sites(const AccountSpec& wanted, const AccountSpec& server, bool prune) {
  SiteChanges result;
  const LinkOwner account{kAccountLinksPath, {}, ""};
  for (const auto& link : wanted.links) compare_link(account, link, server.links, result);
  if (prune && !wanted.links.empty()) prune_links(account, wanted.links, server.links, result);
  for (const auto& site : wanted.sites) {
    SiteComparison(site, find_same(server.sites, site), prune, result).run();
  }
  for (const auto& site : server.sites) {
    if (find_same(wanted.sites, site) == nullptr) result.not_in_file.push_back(site.domain);
  }
  return result;
}

}  // namespace analytics::cli
