#include "cli/frame/requests.h"

#include <istream>
#include <map>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/frame/paths.h"
#include "common/json/json.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/wire/api_types.h"

namespace analytics::cli {

using nlohmann::ordered_json;

namespace {

/// Returns the request's form with any password hidden.
Parameters shown_form(const ApiClient::Request& request) {
  auto form = request.form;
  for (auto& [name, value] : form) {
    if (name == "password" && !value.empty()) value = "(not shown)";
  }
  return form;
}

}  // namespace

std::string site_path(const std::string& domain) {
  return "/api/v1/sites/" + percent_encode(domain);
}

std::string cell_of(const ordered_json& row, const std::string& column) {
  if (!row.contains(column) || row[column].is_null()) return {};
  return row[column].is_string() ? row[column].get<std::string>() : row[column].dump();
}

tl::unexpected<Failure> bad_answer() {
  return give_up(ExitCode::kUnexpected, "the server's answer is not the expected JSON",
                 "bad_answer");
}

Outcome<ordered_json> body_of(const HttpReply& reply, std::initializer_list<const char*> texts) {
  auto body = ordered_json::parse(reply.body, nullptr, false);
  if (!body.is_object()) return bad_answer();
  for (const auto* name : texts) {
    if (!body.contains(name)) return bad_answer();
    auto& value = body[name];
    // Servers of Plausible return ids as numbers, this project's daemon as texts.
    if (value.is_number_integer()) value = value.dump();
    if (!value.is_string()) return bad_answer();
  }
  return body;
}

Outcome<ordered_json> fetch_links(const std::string& site, Context& context) {
  const auto path = site.empty() ? std::string(kAccountLinksPath)
                                 : kLinksPath + ("?site_id=" + percent_encode(site));
  return read_pages(path, "shared_links", context);
}

Outcome<ordered_json> fetch_site(const std::string& domain, Context& context) {
  const auto reply = TRY(context.api.call({"GET", site_path(domain), {}, true, true, {}, {}}));
  return body_of(reply, {"domain", "timezone"});
}

bool has_timezone(const ordered_json& site, const std::string& timezone) {
  return site.value("timezone", "") == (timezone.empty() ? "Etc/UTC" : timezone);
}

Outcome<ordered_json> post_site(const ApiClient::Request& request, Context& context) {
  std::map<std::string, std::string> form(request.form.begin(), request.form.end());
  for (int attempt = 0;; ++attempt) {
    const auto reply = context.api.call(request);
    if (reply) return body_of(*reply, {"domain", "timezone"});
    const bool is_lost = context.api.may_have_happened();
    const bool is_conflict = reply.error().exit == ExitCode::kConflict;
    if (is_conflict || !is_lost || attempt >= context.settings.retries) {
      return tl::unexpected(reply.error());
    }
    auto site = fetch_site(form["domain"], context);
    if (site && has_timezone(*site, form["timezone"])) return site;
    if (!site && !is_missing(site.error())) return site;
    context.api.wait_before(attempt);
  }
}

Outcome<void> confirm_domain(const std::string& what, const std::string& domain,
                             const std::string& given, Context& context) {
  auto typed = given;
  if (typed.empty() && context.in_is_terminal && !context.settings.no_input) {
    context.err << visible(what) << ". Type the domain to continue: " << std::flush;
    std::getline(context.in, typed);
  }
  if (trim(typed) == domain) return {};
  return give_up(ExitCode::kUsage,
                 typed.empty() ? visible(what) + "; confirm it with --confirm " + visible(domain)
                               : "--confirm names another site; nothing was changed",
                 "not_confirmed");
}

ExitCode print_request(const ApiClient::Request& request, Context& context) {
  ordered_json shown = {{"method", request.method}, {"url", context.settings.url + request.path}};
  const auto form = shown_form(request);
  for (const auto& [name, value] : form) shown["parameters"][name] = value;
  if (!request.json.empty()) shown["body"] = ordered_json::parse(request.json, nullptr, false);
  if (context.settings.output == OutputForm::kJson) {
    context.out << json_line({{"outcome", "dry_run"}, {"request", shown}}) << '\n';
    return ExitCode::kOk;
  }
  context.out << "would send " << request.method << ' '
              << visible(context.settings.url + request.path) << '\n';
  for (const auto& [name, value] : form) {
    context.out << "  " << visible(name) << ": " << visible(value) << '\n';
  }
  if (!request.json.empty()) context.out << "  " << visible(request.json) << '\n';
  return ExitCode::kOk;
}

std::string outcome_of(const HttpReply& reply) {
  const auto told = reply.header(header::kOutcome);
  return told.empty() ? "ensured" : std::string(told);
}

Outcome<ExitCode> run_change(const ApiClient::Request& request,
                             std::initializer_list<const char*> texts,
                             const std::function<std::string(const ordered_json&)>& describe,
                             Context& context) {
  if (context.settings.dry_run) return print_request(request, context);
  const auto reply = TRY(context.api.call(request));
  const auto object = TRY(body_of(reply, texts));
  const auto outcome = outcome_of(reply);
  return print_object(object, outcome, outcome + " " + describe(object), context);
}

ExitCode print_object(ordered_json object, const std::string& outcome, const std::string& text,
                      Context& context) {
  if (context.settings.output == OutputForm::kJson) {
    if (!outcome.empty()) object["outcome"] = outcome;
    context.out << json_line(object) << '\n';
  } else if (context.settings.output == OutputForm::kCsv) {
    Table table;
    table.rows.emplace_back();
    for (const auto& [name, value] : object.items()) {
      table.columns.push_back(name);
      table.rows.front().push_back(cell_of(object, name));
    }
    print_csv(context.out, table);
  } else if (!context.settings.quiet) {
    context.out << visible(text) << '\n';
  }
  return ExitCode::kOk;
}

ExitCode print_list(const ordered_json& body, const std::string& key,
                    const std::vector<std::string>& columns, Context& context) {
  if (context.settings.output == OutputForm::kJson) {
    context.out << json_line(body) << '\n';
    return ExitCode::kOk;
  }
  Table table{columns, {}};
  for (const auto& row : body.at(key)) {
    auto& cells = table.rows.emplace_back();
    for (const auto& column : columns) cells.push_back(cell_of(row, column));
  }
  if (context.settings.output == OutputForm::kCsv) {
    print_csv(context.out, table);
  } else {
    const auto aligned =
        context.settings.no_color ? TableStyle::kAligned : TableStyle::kAlignedBold;
    const bool for_people = context.out_is_terminal || context.settings.force_color;
    print_table(context.out, table, for_people ? aligned : TableStyle::kTabs);
  }
  return ExitCode::kOk;
}

Outcome<ordered_json> read_pages(const std::string& path, const std::string& key,
                                 Context& context) {
  ordered_json all = {{key, ordered_json::array()}};
  std::string after;
  do {
    const auto joint = path.find('?') == std::string::npos ? "?" : "&";
    const auto reply =
        TRY(context.api.call({"GET", path + joint + "limit=1000" + after, {}, true, true, {}, {}}));
    auto body = TRY(body_of(reply));
    if (!body.contains(key) || !body[key].is_array()) return bad_answer();
    for (auto& row : body[key]) all[key].push_back(row);
    const auto& meta = body.contains("meta") ? body["meta"] : ordered_json();
    const bool more = meta.is_object() && meta.contains("after") && meta["after"].is_string();
    const auto next = more ? "&after=" + percent_encode(meta["after"].get<std::string>()) : "";
    if (more && next == after) return bad_answer();  // otherwise the loop would never end
    after = next;
  } while (!after.empty());
  return all;
}

bool is_missing_on_site(const Failure& failure) {
  return is_missing(failure) && failure.code != "site_not_found";
}

Outcome<ExitCode> run_delete(const ApiClient::Request& request, bool if_exists,
                             const std::string& what, Context& context, bool is_site) {
  if (context.settings.dry_run) return print_request(request, context);
  const auto reply = context.api.call(request);
  if (reply) return print_object({{"deleted", "true"}}, "deleted", "deleted " + what, context);
  const bool is_gone = is_site ? is_missing(reply.error()) : is_missing_on_site(reply.error());
  if (if_exists && is_gone) {
    return print_object({{"deleted", "false"}}, "unchanged", what + " does not exist", context);
  }
  return tl::unexpected(reply.error());
}

}  // namespace analytics::cli
