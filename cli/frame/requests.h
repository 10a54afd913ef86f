#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// Functions that commands share: they send requests, print the replies and ask the user.
namespace analytics::cli {

/// Returns the path of a site in the API.
[[nodiscard]] std::string site_path(const std::string& domain);

/// Returns true if the failure means that the object does not exist, but its site does. A mistyped
/// site must not look like an object that is already deleted.
[[nodiscard]] bool is_missing_on_site(const Failure& failure);

/// Returns the body of a 2xx reply as a JSON object. Failures: kUnexpected if it is not an object,
/// or lacks one of the text members `texts`.
[[nodiscard]] Outcome<nlohmann::ordered_json> body_of(
    const HttpReply& reply, std::initializer_list<const char*> texts = {});
/// Returns the failure for a reply that is not the expected JSON.
[[nodiscard]] tl::unexpected<Failure> bad_answer();

/// Asks the server for a site, and returns its JSON object.
[[nodiscard]] Outcome<nlohmann::ordered_json> fetch_site(const std::string& domain,
                                                         Context& context);

/// Returns the shared links of a site; if `site` is empty, the account's links, which open all
/// sites. Fails with the server's error.
[[nodiscard]] Outcome<nlohmann::ordered_json> fetch_links(const std::string& site,
                                                          Context& context);

/// Returns true if a site has the time zone; an empty `timezone` means the default.
[[nodiscard]] bool has_timezone(const nlohmann::ordered_json& site, const std::string& timezone);

/// Sends a request that creates a site. If the reply is lost, asks the server for the site: one
/// with the same time zone counts as created; otherwise the request is sent again.
[[nodiscard]] Outcome<nlohmann::ordered_json> post_site(const ApiClient::Request& request,
                                                        Context& context);

/// Asks the user at a terminal to type the domain, unless the option's value `given` is set. `what`
/// describes the change to confirm. Failures: kUsage without the domain.
[[nodiscard]] Outcome<void> confirm_domain(const std::string& what, const std::string& domain,
                                           const std::string& given, Context& context);

/// Prints a request instead of sending it, for --dry-run.
ExitCode print_request(const ApiClient::Request& request, Context& context);

/// Returns the outcome that a reply reports: "created", "updated" or "unchanged"; "ensured" if it
/// reports none.
[[nodiscard]] std::string outcome_of(const HttpReply& reply);

/// Sends a PUT that finds, creates or changes an object, and prints the object. In text output, the
/// words of `describe` follow the outcome. Fails if the reply lacks one of the text members
/// `texts`.
Outcome<ExitCode> run_change(
    const ApiClient::Request& request, std::initializer_list<const char*> texts,
    const std::function<std::string(const nlohmann::ordered_json&)>& describe, Context& context);

/// Prints the object with `outcome` as a member if the output is JSON, else the line `text`.
ExitCode print_object(nlohmann::ordered_json object, const std::string& outcome,
                      const std::string& text, Context& context);

/// Prints a list in the chosen output form. `key` is the list's name in the JSON; each column is
/// the name of a member of its rows.
ExitCode print_list(const nlohmann::ordered_json& body, const std::string& key,
                    const std::vector<std::string>& columns, Context& context);

/// Returns a member of a row as text; empty if it is absent or null.
[[nodiscard]] std::string cell_of(const nlohmann::ordered_json& row, const std::string& column);

/// Requests all pages of a list, and returns a single document with their rows.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_pages(const std::string& path,
                                                         const std::string& key, Context& context);

/// Sends a DELETE for the object that messages call `what`. With `if_exists`, a missing object
/// counts as success, but a missing site only if the request deletes the site itself (`is_site`).
Outcome<ExitCode> run_delete(const ApiClient::Request& request, bool if_exists,
                             const std::string& what, Context& context, bool is_site = false);

}  // namespace analytics::cli
