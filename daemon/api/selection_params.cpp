#include "daemon/api/selection_params.h"

#include "common/text/local_time.h"
#include "common/text/text.h"
#include "common/wire/dimension.h"
#include "common/wire/provisioned.h"
#include "daemon/model/wildcard.h"

namespace analytics::api {
namespace {

tl::unexpected<Error> refuse(const char* field, const std::string& problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string(field) + " " + problem + ".", {{field, problem}}});
}

Result<UnixSeconds> read_moment(const char* field, std::string_view text, const std::string& zone,
                                std::chrono::days whole) {
  if (const auto day = parse_day(text)) return start_of_day(*day + whole, zone);
  if (const auto time = parse_rfc3339(text)) {
    return std::chrono::floor<std::chrono::seconds>(*time);
  }
  return refuse(field, "must be a day such as 2026-11-21, or RFC 3339");
}

Result<std::string> read_page(std::string_view text) {
  auto page = normalise_page_pattern(text);
  if (!page) return refuse("page", "must be a path such as /blog/*");
  if (const auto problem = wildcard_problem(*page); !problem.empty()) {
    return refuse("page", problem);
  }
  return page;
}

/// Parses a condition on a property: "author=Jane" for one value, "author" for any value.
EventSelection::Prop read_prop(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Status read_times(const Params& params, const Site& site, EventSelection& what) {
  using std::chrono::days;
  if (const auto* from = params.find_text("from")) {
    what.from = TRY(read_moment("from", trim(*from), site.timezone, days(0)));
  }
  if (const auto* to = params.find_text("to")) {
    what.to = TRY(read_moment("to", trim(*to), site.timezone, days(1)));
  }
  return {};
}

}  // namespace

bool AskedSelection::is_limited() const {
  return import || !what.is_by_time() || what.from != UnixSeconds::min() ||
         what.to != UnixSeconds::max();
}

Result<AskedSelection> read_selection(const Params& params, const Site& site) {
  AskedSelection asked;
  asked.what.site = site.id;
  TRY(read_times(params, site, asked.what));
  if (const auto* text = params.find_text("page")) {
    asked.what.page = TRY(read_page(*text));
  }
  if (const auto* source = params.find_text("source")) {
    const auto name = trim(*source);
    const bool is_none = reads_as_empty(Field::kSource, name, true);
    asked.what.source = is_none ? std::string() : std::string(name);
  }
  if (const auto* prop = params.find_text("prop")) asked.what.prop = read_prop(*prop);
  if (const auto* import = params.find_text("import")) asked.import = trim(*import);
  if (const auto* text = params.find_text("visitor_of")) {
    asked.what.visitor_of = parse_lasting_id(trim(*text));
    if (!asked.what.visitor_of) {
      return refuse("visitor_of", "must be an event_id of an export with ids");
    }
  }
  return asked;
}

Result<EventSelection> resolve(const AskedSelection& asked, store::Reader& reader) {
  auto what = asked.what;
  if (asked.import) {
    const auto import = TRY(reader.registry->import(what.site, *asked.import, {}));
    if (!import.imports.empty()) {
      return refuse("import", "is a log: name one of its imports, " + join(import.imports, ", "));
    }
    what.import = import.id;
  }
  return reader.events->resolve(what);
}

}  // namespace analytics::api
