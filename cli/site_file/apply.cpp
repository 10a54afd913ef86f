#include <filesystem>
#include <iterator>
#include <optional>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/link_terms.h"
#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/site_file/server_sites.h"
#include "cli/site_file/site_changes.h"
#include "cli/site_file/site_file_commands.h"
#include "common/io/fs.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
using Action = SiteChange::Action;

/// The words for an action before and after it is done: "create", "created".
struct ActionWords {
  const char* wanted;
  const char* done;
};
ActionWords words_of(Action action) {
  switch (action) {
    case Action::kCreate: return {"create", "created"};
    case Action::kUpdate: return {"update", "updated"};
    case Action::kDelete: return {"delete", "deleted"};
  }
  return {"", ""};
}

Outcome<AccountSpec> read_file_of_sites(const std::string& file, Context& context) {
  if (file == "-") {
    const std::string text(std::istreambuf_iterator<char>(context.in), {});
    return parse_sites(text, "standard input");
  }
  const auto text = read_file(file);
  if (!text) return give_up(ExitCode::kSetup, text.error().message, "unreadable_file");
  return parse_sites(*text, file);
}

/// Reads the passwords of links without a password on the server, from the password files that the
/// file of sites names. Relative names start at the folder of that file. Failures: kSetup.
Outcome<void> read_passwords(const std::string& file, AccountSpec& account,
                             const AccountSpec& server, Context& context) {
  const auto folder =
      file == "-" ? std::filesystem::path() : std::filesystem::path(file).parent_path();
  const auto read_all = [&](std::vector<LinkSpec>& links,
                            const std::vector<LinkSpec>& there) -> Outcome<void> {
    for (auto& link : links) {
      const auto* known = find_same(there, link);
      if (link.password_file.empty() || (known != nullptr && known->has_password)) continue;
      link.password = TRY(read_password((folder / link.password_file).string(), context));
    }
    return {};
  };
  TRY(read_all(account.links, server.links));
  const SiteSpec nothing;
  for (auto& site : account.sites) {
    const auto* there = find_same(server.sites, site);
    TRY(read_all(site.links, (there == nullptr ? nothing : *there).links));
  }
  return {};
}

/// Reads the server's sites, and the objects of the sites that the file names (`wanted`). With
/// `all`, also reads the kinds of objects that the file does not contain.
Outcome<AccountSpec> read_counterpart(const AccountSpec& wanted, bool all, Context& context) {
  AccountSpec server;
  if (!wanted.links.empty()) server.links = TRY(read_account_links(context));
  server.sites = TRY(read_server_sites(context));
  for (auto& site : server.sites) {
    const auto* of_file = find_same(wanted.sites, site);
    if (of_file == nullptr) continue;
    const SiteDetails details{of_file->keep || of_file->keep_totals || of_file->languages,
                              all || !of_file->goals.empty(), all || !of_file->funnels.empty(),
                              all || !of_file->links.empty(), all || !of_file->exclusions.empty()};
    TRY(read_details(site, details, context));
  }
  return server;
}

/// Returns the change as a line: "created goal event Signup of example.com".
std::string line_of(const SiteChange& change, const char* word) {
  const auto verb = std::string(word) + " " + change.type + " ";
  if (change.type != "site") {
    return verb + change.name + " of " + (change.site.empty() ? "all sites" : change.site);
  }
  return verb + change.site + (change.name.empty() ? "" : " " + change.name);
}

ordered_json json_of(const SiteChange& change) {
  ordered_json json = {
      {"action", words_of(change.action).wanted}, {"type", change.type}, {"site", change.site}};
  if (!change.name.empty()) json["name"] = change.name;
  return json;
}

/// Counts the first `count` changes by action.
ordered_json numbers_of(const SiteChanges& all, std::size_t count) {
  ordered_json numbers = {{"created", 0}, {"updated", 0}, {"deleted", 0}};
  for (std::size_t i = 0; i < count; ++i) {
    auto& number = numbers[words_of(all.changes[i].action).done];
    number = number.get<int>() + 1;
  }
  numbers["unchanged"] = all.unchanged;
  return numbers;
}

/// Prints the first `count` changes as a document or table.
void print_changes(const SiteChanges& all, std::size_t count, Context& context) {
  auto document = numbers_of(all, count);
  document["changes"] = ordered_json::array();
  for (std::size_t i = 0; i < count; ++i) document["changes"].push_back(json_of(all.changes[i]));
  document["sites_not_in_file"] = all.not_in_file;
  (void)print_list(document, "changes", {"action", "type", "site", "name"}, context);
}

std::string summary_of(const SiteChanges& all, std::size_t count) {
  const auto numbers = numbers_of(all, count);
  std::vector<std::string> words;
  for (const auto& [name, number] : numbers.items()) {
    words.push_back(number.dump() + " " + name);
  }
  return join(words, ", ");
}

void print_others(const SiteChanges& all, std::ostream& out) {
  for (const auto& site : all.not_in_file) {
    out << "not in the file: " << visible(site) << '\n';
  }
}

/// Shows the planned changes without sending them.
ExitCode show_plan(const SiteChanges& all, bool others_count, Context& context) {
  const bool is_text = context.settings.output == OutputForm::kText;
  if (!is_text) print_changes(all, all.changes.size(), context);
  if (is_text && !context.settings.quiet) {
    for (const auto& change : all.changes) {
      context.out << visible(line_of(change, words_of(change.action).wanted)) << '\n';
    }
    for (const auto& conflict : all.conflicts) context.out << visible(conflict) << '\n';
    print_others(all, context.out);
  }
  const bool differs =
      !all.changes.empty() || !all.conflicts.empty() || (others_count && !all.not_in_file.empty());
  if (is_text && !context.settings.quiet && !differs) {
    context.out << "nothing to change: " << all.unchanged << " objects are as the file says\n";
  }
  return differs ? ExitCode::kDifferent : ExitCode::kOk;
}

Outcome<void> create(const SiteChange& change, Context& context) {
  const auto made = post_site(change.request, context);
  if (made) return {};
  if (made.error().exit != ExitCode::kConflict) return tl::unexpected(made.error());
  const auto site = fetch_site(change.site, context);
  if (site) return {};
  return tl::unexpected(is_missing(site.error()) ? made.error() : site.error());
}

/// Sends one change to the server. Succeeds also if another client, or an earlier attempt whose
/// reply was lost, has already made it.
Outcome<void> make(const SiteChange& change, Context& context) {
  if (change.action == Action::kCreate && change.type == "site") return create(change, context);
  const auto reply = context.api.call(change.request);
  if (reply) return {};
  if (change.action == Action::kDelete && is_missing_on_site(reply.error())) return {};
  return tl::unexpected(reply.error());
}

Outcome<ExitCode> make_all(const SiteChanges& all, Context& context) {
  const bool is_text = context.settings.output == OutputForm::kText && !context.settings.quiet;
  std::size_t made = 0;
  std::optional<Failure> failure;
  for (const auto& change : all.changes) {
    const auto done = make(change, context);
    if (!done) {
      failure = done.error();
      failure->message = line_of(change, words_of(change.action).wanted) + ": " + failure->message +
                         " (" + std::to_string(made) + " of " + std::to_string(all.changes.size()) +
                         " changes were made; the same command continues)";
      break;
    }
    ++made;
    if (is_text) {
      context.out << visible(line_of(change, words_of(change.action).done)) << std::endl;
    }
  }
  if (context.settings.output != OutputForm::kText) print_changes(all, made, context);
  if (failure) return tl::unexpected(*failure);
  if (is_text) {
    context.out << summary_of(all, made) << '\n';
    print_others(all, context.err);
  }
  return ExitCode::kOk;
}

/// Compares a file of sites with the server, and returns the changes. With `is_to_be_made`, also
/// reads the passwords of links, which the requests contain.
Outcome<SiteChanges> plan(const ApplyOptions& options, bool all, bool is_to_be_made,
                          Context& context) {
  auto wanted = TRY(read_file_of_sites(options.file, context));
  const auto server = TRY(read_counterpart(wanted, all, context));
  if (is_to_be_made) TRY(read_passwords(options.file, wanted, server, context));
  return compare_sites(wanted, server, all);
}

}  // namespace

Outcome<ExitCode> apply_sites(const ApplyOptions& options, Context& context) {
  const auto changes = TRY(plan(options, options.prune, true, context));
  if (context.settings.dry_run) return show_plan(changes, false, context);
  if (!changes.conflicts.empty()) {
    return tl::unexpected(Failure{ExitCode::kConflict,
                                  "nothing was changed: shared links differ",
                                  "token_differs",
                                  0,
                                  {},
                                  changes.conflicts});
  }
  return make_all(changes, context);
}

Outcome<ExitCode> diff_sites(const ApplyOptions& options, Context& context) {
  const auto changes = TRY(plan(options, true, false, context));
  return show_plan(changes, true, context);
}

}  // namespace analytics::cli
