#include <CLI/CLI.hpp>

#include "cli/command_parts.h"

namespace analytics::cli {
namespace {

/// Adds the options of `links ensure` that set or remove a link's terms.
void add_terms(CLI::App& ensure, LinkOptions& link) {
  auto* password = ensure.add_option("--password-file", link.password_file,
                                     "A file whose first line is the password; - is stdin");
  password->type_name("FILE");
  ensure.add_flag("--no-password", link.no_password, "Remove the password")->excludes(password);
  auto* filter = ensure.add_option("--filter", link.filters,
                                   "Show only this, such as page==/blog/**; repeatable");
  filter->type_name("CONDITION")->allow_extra_args(false);
  ensure.add_flag("--no-filters", link.no_filters, "Show everything again")->excludes(filter);
  ensure.add_option("--expires-at", link.expires_at, "When the link ends; '' is never")
      ->type_name("TIME");
  ensure.add_option("--period", link.period, "The page's first period, such as 7d; '' is 30d")
      ->type_name("PERIOD");
  ensure
      .add_option("--frame-ancestors", link.frame_ancestors,
                  "Origins that may show the page in a frame; '' are those of the settings")
      ->type_name("ORIGINS");
}

}  // namespace

void add_links(CLI::App& root, Options& options) {
  auto& app = noun(root, "links", "Ensure, list and delete shared links");
  auto& link = options.link;
  const auto bind = [&link](auto function) {
    return [&link, function](Context& c) { return function(link, c); };
  };
  auto& ensure = command(app, options, "ensure", "Find or create a shared link",
                         "  analytics links ensure --site example.com Team\n"
                         "  analytics links ensure --all-sites Me\n"
                         "  analytics links ensure --site example.com Blog --filter "
                         "'page==/blog/**' --expires-at 2030-01-31",
                         bind(ensure_link));
  add_terms(ensure, link);
  auto& list = command(app, options, "list", "List shared links",
                       "  analytics links list --site example.com", bind(list_links));
  auto& remove =
      command(app, options, "delete", "Delete a shared link",
              "  analytics links delete --site example.com Old --if-exists", bind(delete_link));
  for (auto* one : {&ensure, &list, &remove}) {
    auto* site = one->add_option("--site", link.site, "The site")->type_name("DOMAIN");
    one->add_flag("--all-sites", link.all_sites, "Of all sites of the account")->excludes(site);
  }
  for (auto* one : {&ensure, &remove}) {
    required(*one, "name", link.name, "The link's name", "NAME");
  }
  remove.add_flag("--if-exists", link.if_exists, "Succeed if it does not exist");
}

}  // namespace analytics::cli
