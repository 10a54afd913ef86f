#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/api_client.h"
#include "cli/frame/context.h"

/// Helpers shared by the provisioning commands: calling, printing, prompting.
namespace analytics::cli {

/// The path of a site in the API.
[[nodiscard]] std::string site_path(const std::string& domain);

/// True if the failure says that the named object does not exist on a site that does. A mistyped
/// site must not pass for something that was deleted long ago.
[[nodiscard]] bool is_missing_on_site(const Failure& failure);

/// The body of a 2xx as a JSON object that has these members, as text. Failures: kUnexpected.
[[nodiscard]] Outcome<nlohmann::ordered_json> body_of(
    const HttpReply& reply, std::initializer_list<const char*> texts = {});
[[nodiscard]] tl::unexpected<Failure> bad_answer();

/// Returns a site as the server has it.
[[nodiscard]] Outcome<nlohmann::ordered_json> fetch_site(const std::string& domain,
                                                         Context& context);

/// Returns the shared links of a site, or those to all sites. Failures: kUsage if the options do
/// not say whose; the server's.
[[nodiscard]] Outcome<nlohmann::ordered_json> fetch_links(const LinkOptions& options,
                                                          Context& context);

/// True if a site has the time zone; an empty one stands for the default.
[[nodiscard]] bool has_timezone(const nlohmann::ordered_json& site, const std::string& timezone);

/// Sends a request that creates a site. If the answer was lost, the server is asked: a site that is
/// there, with the same time zone, was created; else the request is sent again.
[[nodiscard]] Outcome<nlohmann::ordered_json> post_site(const ApiClient::Request& request,
                                                        Context& context);

/// The parameters of a selection of events.
[[nodiscard]] Parameters parameters_of(const EventFilter& filter);

/// Asks whoever sits at a terminal to type the domain, unless it was `given` as an option. `what`
/// is what is about to happen. Failures: kUsage without the domain.
[[nodiscard]] Outcome<void> confirm_domain(const std::string& what, const std::string& domain,
                                           const std::string& given, Context& context);

/// Prints a request in place of sending it. What --dry-run does.
ExitCode print_request(const ApiClient::Request& request, Context& context);

/// "created", "updated", "unchanged"; `ensured` for a server that does not tell.
[[nodiscard]] std::string outcome_of(const HttpReply& reply);

/// A PUT that finds, creates or changes one object; `describe` says what of it is shown as text,
/// after the outcome, and may rely on `texts` to be there.
Outcome<ExitCode> run_change(
    const ApiClient::Request& request, std::initializer_list<const char*> texts,
    const std::function<std::string(const nlohmann::ordered_json&)>& describe, Context& context);

/// One object: JSON with `outcome`, or `text` on a line.
ExitCode print_object(nlohmann::ordered_json object, const std::string& outcome,
                      const std::string& text, Context& context);

/// A list in the form asked for. `key` is its name in the JSON; a column is a member of its rows.
ExitCode print_list(const nlohmann::ordered_json& body, const std::string& key,
                    const std::vector<std::string>& columns, Context& context);

/// A member of a row as text; empty when it is not there or null.
[[nodiscard]] std::string cell_of(const nlohmann::ordered_json& row, const std::string& column);

/// All pages of a list as one document.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_pages(const std::string& path,
                                                         const std::string& key, Context& context);

/// A DELETE; `if_exists` makes what is missing a success, but not an unknown site of it: only where
/// the site itself is deleted (`is_site`).
Outcome<ExitCode> run_delete(const ApiClient::Request& request, bool if_exists,
                             const std::string& what, Context& context, bool is_site = false);

}  // namespace analytics::cli
