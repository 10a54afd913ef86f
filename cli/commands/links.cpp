#include <istream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/link_terms.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "cli/stats/stats_query.h"
#include "common/io/fs.h"
#include "common/text/text.h"
#include "common/wire/provisioned.h"

namespace analytics::cli {
namespace {

/// Checks that the options name a site or all sites. Failures: kUsage.
Outcome<void> check_owner(const LinkOptions& options) {
  if (options.site.empty() && !options.all_sites) {
    return give_up(ExitCode::kUsage, "--site DOMAIN or --all-sites is required", "usage");
  }
  return {};
}

/// Returns a request about the named link. Failures: those of check_owner().
Outcome<ApiClient::Request> request_of(const char* method, const LinkOptions& options) {
  TRY(check_owner(options));
  Parameters form;
  if (!options.site.empty()) form.emplace_back("site_id", options.site);
  form.emplace_back("name", options.name);
  return ApiClient::Request{
      method, options.all_sites ? kAccountLinksPath : kLinksPath, std::move(form), true, true, {},
      {}};
}

/// Returns the terms of a link for people: "password, until 2027-01-31T00:00:00Z, period 7d".
std::string terms_text(const nlohmann::ordered_json& link) {
  std::vector<std::string> terms;
  if (link.contains("has_password")) terms.emplace_back("password");
  for (const auto& [name, word] :
       {std::pair("expires_at", "until "), std::pair("filters", "filters "),
        std::pair("period", "period "), std::pair("frame_ancestors", "frames ")}) {
    if (link.contains(name)) terms.push_back(word + cell_of(link, name));
  }
  return join(terms, ", ");
}

/// Adds the terms that the options set or remove to the form. Failures: kUsage; kSetup for a file
/// that cannot be read.
Outcome<void> add_terms(const LinkOptions& options, Context& context, Parameters& form) {
  if (!options.password_file.empty()) {
    auto password = TRY(read_password(options.password_file, context));
    form.emplace_back("password", std::move(password));
  }
  if (options.no_password) form.emplace_back("password", "");
  if (!options.filters.empty()) {
    const auto filters = TRY(filters_of(options.filters));
    form.emplace_back("filters", filters.dump());
  }
  if (options.no_filters) form.emplace_back("filters", "");
  for (const auto& [name, value] :
       {std::pair("expires_at", options.expires_at), std::pair("period", options.period),
        std::pair("frame_ancestors", options.frame_ancestors)}) {
    if (value) form.emplace_back(name, *value);
  }
  return {};
}

}  // namespace

Outcome<std::string> read_password(const std::string& file, Context& context) {
  std::string text;
  if (file == "-") {
    std::getline(context.in, text);
  } else {
    auto read = read_file(file);
    if (!read) return give_up(ExitCode::kSetup, read.error().message, "unreadable_file");
    text = read->substr(0, read->find('\n'));
  }
  if (text.ends_with('\r')) text.pop_back();
  auto password = check_link_password(text);
  if (password) return std::move(*password);
  return give_up(ExitCode::kSetup,
                 "the password of " + file + " " + password.error().fields.front().message,
                 "invalid_password");
}

Outcome<ExitCode> ensure_link(const LinkOptions& options, Context& context) {
  auto request = TRY(request_of("PUT", options));
  TRY(add_terms(options, context, request.form));
  return run_change(
      request, {"url"}, [](const nlohmann::ordered_json& link) { return link.value("url", ""); },
      context);
}

Outcome<ExitCode> list_links(const LinkOptions& options, Context& context) {
  TRY(check_owner(options));
  const auto links = TRY(fetch_links(options.all_sites ? "" : options.site, context));
  if (context.settings.output == OutputForm::kJson)
    return print_list(links, "shared_links", {"name", "url"}, context);
  auto shown = links;
  for (auto& link : shown["shared_links"]) link["terms"] = terms_text(link);
  return print_list(shown, "shared_links", {"name", "url", "terms"}, context);
}

Outcome<ExitCode> delete_link(const LinkOptions& options, Context& context) {
  const auto request = TRY(request_of("DELETE", options));
  return run_delete(request, options.if_exists, "the link " + options.name, context);
}

}  // namespace analytics::cli
