#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "common/wire/caveats.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json import_form(const Import& import, bool has_hashes = false) {
  ordered_json body = {{"id", import.name},
                       {"created_at", format_rfc3339(import.created_at)},
                       {"events", import.events},
                       {"totals", import.totals},
                       {"state", import.undoing ? "undoing" : "stored"},
                       {"sources", ordered_json::array()}};
  Caveats caveats;
  caveats.recognition_lost = import.recognition_lost;
  add_to(body, caveats);
  if (!import.log.empty()) body["log"] = import.log;
  if (!import.imports.empty()) body["imports"] = import.imports;
  for (const auto& source : import.sources) {
    ordered_json ranges = ordered_json::array();
    for (const auto& [bytes, content] : source.ranges) {
      auto& row = ranges.emplace_back(ordered_json{{"from", bytes.from}, {"to", bytes.to}});
      if (has_hashes) row["hash"] = to_hex(content);
    }
    body["sources"].push_back({{"source", to_hex(source.id)}, {"ranges", std::move(ranges)}});
  }
  return body;
}

}  // namespace

void list_imports(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  read_on_worker(
      context, call.key->account,
      [site = site->id, page = *page](store::Reader& reader) -> Result<http::Response> {
        const auto imports = TRY(reader.registry->list_imports(site, page));
        auto rows = ordered_json::array();
        for (const auto& import : imports.items) rows.push_back(import_form(import));
        return list_response("imports", std::move(rows), page, imports.ends);
      },
      std::move(respond));
}

void get_import(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto& query = call.request.head.query;
  store::WantedRanges wanted{query_value(query, "ranges") == "1", {}};
  if (const auto source = query_value(query, "source"); !source.empty()) {
    wanted.source = parse_source_id(source);
    if (!wanted.source) {
      return respond(error_response({ErrorCode::kInvalidParameter,
                                     "source must be 32 hex digits.",
                                     {{"source", "must be 32 hex digits"}}}));
    }
  }
  read_on_worker(
      context, call.key->account,
      [site = site->id, name = call.request.parameters.back(),
       wanted](store::Reader& reader) -> Result<http::Response> {
        const auto import = TRY(reader.registry->import(site, name, wanted));
        return json_response(import_form(import, wanted.each).dump());
      },
      std::move(respond));
}

void delete_import(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto found = call.own_site(call.request.parameters.front());
  if (!found) return respond(error_response(found.error()));
  const auto site = found->id;
  const auto& name = call.request.parameters.back();
  auto* owners = context.cluster.import_owners;
  const auto undo = [&context, site, name, owners](http::Responder answer) {
    change_store<void>(
        context,
        [site, name, owners](sqlite::Registry& registry) {
          auto deleted = registry.imports().delete_import(site, name);
          const bool is_gone = deleted || deleted.error().code == ErrorCode::kImportNotFound;
          if (owners != nullptr && is_gone) owners->release(site, name);
          return deleted;
        },
        [] { return deleted_response(); }, std::move(answer));
  };
  if (owners == nullptr || !is_import_name(name)) return undo(std::move(respond));
  const bool queued = context.importers.submit([site, name, owners, undo, respond](std::size_t) {
    auto ours = owners->require_ours(site, name);
    if (!ours) return respond(error_response(ours.error()));
    undo(respond);
  });
  if (!queued) respond(error_response(ErrorCode::kOverloaded, "Too many imports wait."));
}

}  // namespace analytics::api
