#include "cli/commands/site_changes.h"

#include "cli/commands/provisioning.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using Action = SiteChange::Action;

constexpr char kGoalsPath[] = "/api/v1/sites/goals";
constexpr char kLinksPath[] = "/api/v1/sites/shared-links";

/// Gathers the changes of one site.
class Comparison {
 public:
  Comparison(const SiteSpec& wanted, const SiteSpec* server, bool prune, SiteChanges& result)
      : wanted_(wanted), server_(server), prune_(prune), result_(result) {}

  void run() {
    compare_site();
    const SiteSpec nothing;
    const auto& server = server_ == nullptr ? nothing : *server_;
    for (const auto& goal : wanted_.goals) compare(goal, server.goals);
    for (const auto& link : wanted_.links) compare(link, server.links);
    for (const auto& exclusion : wanted_.exclusions) compare(exclusion, server.exclusions);
    if (prune_) prune(server);
  }

 private:
  void add(Action action, const char* type, std::string name, ApiClient::Request request) {
    result_.changes.push_back({action, type, wanted_.domain, std::move(name), std::move(request)});
  }
  static ApiClient::Request request(const char* method, std::string path, Parameters form) {
    return {method, std::move(path), std::move(form), std::string_view(method) != "POST", true, {},
            {}};
  }

  void compare_site();
  void compare(const GoalSpec& goal, const std::vector<GoalSpec>& server);
  void compare(const LinkSpec& link, const std::vector<LinkSpec>& server);
  void compare(const ExclusionSpec& exclusion, const std::vector<ExclusionSpec>& server);
  void prune(const SiteSpec& server);
  template <typename Spec, typename RequestOf>
  void prune(const char* type, const std::vector<Spec>& server, const std::vector<Spec>& wanted,
             const RequestOf& request_of);

  const SiteSpec& wanted_;
  const SiteSpec* server_;
  const bool prune_;
  SiteChanges& result_;
};

void Comparison::compare_site() {
  const auto& [domain, timezone, keep, keep_totals, goals, links, exclusions] = wanted_;
  const auto update = [this](const char* name, const std::string& value) {
    add(Action::kUpdate, "site", std::string(name) + " " + value,
        request("PUT", site_path(wanted_.domain), {{name, value}}));
  };
  if (server_ == nullptr) {
    Parameters form = {{"domain", domain}};
    if (timezone) form.emplace_back("timezone", *timezone);
    add(Action::kCreate, "site", "", request("POST", "/api/v1/sites", std::move(form)));
    if (keep_totals == true) update("keep_totals", "true");
    if (keep) update("keep", *keep);
    return;
  }
  const bool has_timezone = !timezone || timezone == server_->timezone;
  const bool has_keep = !keep || keep == server_->keep;
  if (!has_timezone) update("timezone", *timezone);
  // Totals first: a shorter time is not to begin without them.
  const bool has_totals = !keep_totals || keep_totals == server_->keep_totals.value_or(false);
  if (!has_totals) update("keep_totals", *keep_totals ? "true" : "false");
  if (!has_keep) update("keep", *keep);
  if (has_timezone && has_keep && has_totals) ++result_.unchanged;
}

void Comparison::compare(const GoalSpec& goal, const std::vector<GoalSpec>& server) {
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

void Comparison::compare(const LinkSpec& link, const std::vector<LinkSpec>& server) {
  const auto* there = find_same(server, link);
  if (there == nullptr) {
    Parameters form = {{"site_id", wanted_.domain}, {"name", link.name}};
    if (!link.token.empty()) form.emplace_back("token", link.token);
    return add(Action::kCreate, "link", link.name, request("PUT", kLinksPath, std::move(form)));
  }
  if (link.token.empty() || link.token == there->token) {
    ++result_.unchanged;
    return;
  }
  result_.conflicts.push_back("the link " + link.name + " of " + wanted_.domain +
                              " has another token: delete the link, or the token from the file");
}

void Comparison::compare(const ExclusionSpec& exclusion, const std::vector<ExclusionSpec>& server) {
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
void Comparison::prune(const char* type, const std::vector<Spec>& server,
                       const std::vector<Spec>& wanted, const RequestOf& request_of) {
  for (const auto& object : server) {
    if (find_same(wanted, object) != nullptr) continue;
    add(Action::kDelete, type, label_of(object), request_of(object));
  }
}

void Comparison::prune(const SiteSpec& server) {
  const auto& domain = wanted_.domain;
  prune("goal", server.goals, wanted_.goals, [&](const GoalSpec& goal) {
    return request("DELETE", std::string(kGoalsPath) + "/" + percent_encode(goal.id),
                   {{"site_id", domain}});
  });
  prune("link", server.links, wanted_.links, [&](const LinkSpec& link) {
    return request("DELETE", kLinksPath, {{"site_id", domain}, {"name", link.name}});
  });
  prune("exclusion", server.exclusions, wanted_.exclusions, [&](const ExclusionSpec& exclusion) {
    return request("DELETE", site_path(domain) + "/exclusions/" + percent_encode(exclusion.id), {});
  });
}

}  // namespace

SiteChanges compare_sites(const std::vector<SiteSpec>& wanted, const std::vector<SiteSpec>& server,
                          bool prune) {
  SiteChanges result;
  for (const auto& site : wanted) Comparison(site, find_same(server, site), prune, result).run();
  for (const auto& site : server) {
    if (find_same(wanted, site) == nullptr) result.not_in_file.push_back(site.domain);
  }
  return result;
}

}  // namespace analytics::cli
