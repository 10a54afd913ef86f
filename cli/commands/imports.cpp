#include <map>
#include <ostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/frame/signals.h"
#include "cli/replay/send/batch_sender.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::chrono::milliseconds kLookAgain{250};

std::string imports_path(const std::string& site) {
  return "/api/v1/sites/" + percent_encode(site) + "/imports";
}

ApiClient::Request request_of(const char* method, const ImportOptions& options) {
  return {method, import_path(options.site, options.id), {}, true, true, {}, {}};
}

/// Returns an import's row for the table, with the numbers of its files and bytes.
ordered_json row_of(const ordered_json& import) {
  ordered_json row = {{"id", cell_of(import, "id")},
                      {"created_at", cell_of(import, "created_at")},
                      {"events", import.value("events", std::uint64_t{0})},
                      {"totals", import.value("totals", std::uint64_t{0})},
                      {"files", 0},
                      {"bytes", 0}};
  std::uint64_t bytes = 0;
  const auto sources = import.value("sources", ordered_json::array());
  for (const auto& source : sources) {
    for (const auto& range : source.value("ranges", ordered_json::array())) {
      bytes += range.value("to", std::uint64_t{0}) - range.value("from", std::uint64_t{0});
    }
  }
  row["files"] = sources.size();
  row["bytes"] = bytes;
  return row;
}

/// Adds the numbers of `row` to those of `sum`.
void add_numbers(const ordered_json& row, ordered_json& sum) {
  for (const char* number : {"events", "totals", "files", "bytes"}) {
    sum[number] = sum[number].get<std::uint64_t>() + row[number].get<std::uint64_t>();
  }
}

/// Returns a row for each import, but a single row for all imports that replay made from the
/// rotations of a followed log.
ordered_json listed(const ordered_json& imports) {
  auto rows = ordered_json::array();
  std::map<std::string, std::size_t> logs;  // index in `rows` of each followed log's row
  for (const auto& import : imports) {
    auto row = row_of(import);
    const auto log = cell_of(import, "log");
    if (const auto known = logs.find(log); known != logs.end()) {
      add_numbers(row, rows[known->second]);
      continue;
    }
    if (!log.empty()) {
      logs.emplace(log, rows.size());
      row["id"] = log;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Waits until the server has removed the import. Meanwhile, shows the number of events left.
Outcome<ExitCode> await_undo(const ImportOptions& options, Context& context) {
  const SignalWatch signals;
  const bool shows = context.err_is_terminal && !context.settings.quiet;
  while (true) {
    const auto reply = context.api.call(request_of("GET", options));
    if (!reply && is_missing(reply.error())) break;
    if (!reply) return tl::unexpected(reply.error());
    const auto body = TRY(body_of(*reply, {"state"}));
    // In any other state, a client has used the import's name again since the undo.
    if (body["state"] != "undoing") break;
    if (const int signal = signals.received(); signal != 0) {
      return give_up(static_cast<ExitCode>(128 + signal), "the server continues to undo the import",
                     "interrupted");
    }
    if (shows) context.err << "\r\x1b[K" << body.value("events", 0) << " events left" << std::flush;
    context.clock.sleep(kLookAgain);
  }
  if (shows) context.err << "\r\x1b[K" << std::flush;
  return print_object({{"deleted", "true"}}, "deleted", "removed the import " + options.id,
                      context);
}

}  // namespace

Outcome<ExitCode> list_imports(const ImportOptions& options, Context& context) {
  auto imports = TRY(read_pages(imports_path(options.site), "imports", context));
  if (context.settings.output != OutputForm::kJson) {
    imports["imports"] = listed(imports["imports"]);
  }
  return print_list(imports, "imports", {"id", "created_at", "events", "totals", "files", "bytes"},
                    context);
}

Outcome<ExitCode> undo_import(const ImportOptions& options, Context& context) {
  const auto request = request_of("DELETE", options);
  if (context.settings.dry_run) return print_request(request, context);
  const auto reply = context.api.call(request);
  if (!reply && options.if_exists && is_missing_on_site(reply.error())) {
    return print_object({{"deleted", "false"}}, "unchanged",
                        "the import " + options.id + " does not exist", context);
  }
  if (!reply) return tl::unexpected(reply.error());
  return await_undo(options, context);
}

}  // namespace analytics::cli
