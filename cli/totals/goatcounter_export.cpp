#include "cli/totals/goatcounter_export.h"

#include <algorithm>
#include <functional>

#include "common/event/screen_class.h"
#include "common/json/json.h"
#include "common/text/local_time.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::int64_t kMaxOfRow = 1'000'000'000'000;
constexpr std::size_t kDayCharacters = 10;

std::string text_of(const json::Object& row, std::string_view name) {
  const auto* value = row.find(name);
  return value != nullptr && value->is_scalar() ? value->text : std::string();
}

/// Returns the name of a file's table: "paths" for "goatcounter-export-x-20260307/paths.jsonl".
std::string_view table_of(const ReportPlace& place) {
  std::string_view name = place.entry;
  name.remove_prefix(name.rfind('/') + 1);  // also if there is no slash, because npos + 1 is 0
  constexpr std::string_view kEnding = ".jsonl";
  return name.ends_with(kEnding) ? name.substr(0, name.size() - kEnding.size())
                                 : std::string_view();
}

const ReportPlace* find_table(const std::vector<ReportPlace>& places, std::string_view name) {
  const auto found = std::find_if(places.begin(), places.end(), [&](const ReportPlace& place) {
    return table_of(place) == name;
  });
  return found == places.end() ? nullptr : &*found;
}

Result<void> read_table(const std::vector<ReportPlace>& places, std::string_view name,
                        const std::function<void(const json::Object&)>& take) {
  const auto* place = find_table(places, name);
  if (place == nullptr) return {};
  auto text = TRY(ReportText::open(*place));
  for (ReportText::Line line; text->next(line);) {
    if (trim(line.text).empty()) continue;
    const auto row = json::parse_object(line.text);
    if (!row) return fail(ErrorCode::kMalformedBody, place->name() + ": " + row.error().message);
    take(*row);
  }
  if (text->error()) return fail(*text->error());
  return {};
}

GoatCounterNames::Referrer referrer_of(const std::string& text, std::string_view scheme) {
  if (text.empty()) return {};
  if (scheme == "c") return {text, {}, text};
  if (scheme != "h") return {text, {}, {}};
  auto host = std::string_view(text).substr(0, text.find('/'));
  if (host.starts_with("www.")) host.remove_prefix(4);
  return {ascii_lower(host), text, {}};
}

class GoatCounterReader final : public TotalsReader {
 public:
  enum class Kind { kHits, kBrowsers, kSystems, kLocations, kSizes };
  GoatCounterReader(Kind kind, std::shared_ptr<const GoatCounterNames> names)
      : kind_(kind), names_(std::move(names)) {}

  ReadReportRow read(std::string_view record) override {
    if (trim(record).empty()) return NoReportRow{};
    const auto row = json::parse_object(record);
    if (!row) return BadReportRow{"The line is not a JSON object."};
    const auto day = text_of(*row, kind_ == Kind::kHits ? "hour" : "day").substr(0, kDayCharacters);
    const auto count = parse_int(text_of(*row, "count"));
    if (!parse_day(day)) return BadReportRow{"\"" + day + "\" is not a day."};
    if (!count || *count < 0 || *count > kMaxOfRow) return BadReportRow{"It has no count."};
    const auto path = names_->paths.find(text_of(*row, "path_id"));
    if (path == names_->paths.end()) {
      return BadReportRow{"Its path_id is not in paths.jsonl."};
    }
    AddedReportRow added;
    if (day != day_) added.before = finish();
    day_ = day;
    add(*row, path->second, *count);
    return added;
  }

  std::vector<TotalsLine> finish() override {
    std::vector<TotalsLine> lines;
    for (auto& [place, sums] : std::exchange(sums_, {})) {
      lines.push_back({day_, place.first, place.second, sums});
    }
    return lines;
  }

 private:
  void add(const json::Object& row, const GoatCounterNames::Path& path, std::int64_t count) {
    const DaySums views{count, count, count, count, 0, 0};
    if (kind_ == Kind::kHits) return add_hits(row, path, count);
    // Events are not counted here, because their visitor also viewed a page.
    if (path.is_event) return;
    if (kind_ == Kind::kBrowsers) {
      add("visit:browser", name_in(names_->browsers, text_of(row, "browser_id")), views);
    } else if (kind_ == Kind::kSystems) {
      add("visit:os", name_in(names_->systems, text_of(row, "system_id")), views);
    } else if (kind_ == Kind::kLocations) {
      const auto location = text_of(row, "location");
      add("visit:country", location.substr(0, location.find('-')), views);
      add("visit:region", location.find('-') == std::string::npos ? "" : location, views);
    } else {
      const auto width = parse_int(text_of(row, "width")).value_or(0);
      const auto screen =
          screen_class(static_cast<int>(std::clamp<std::int64_t>(width, 0, 100'000)));
      add("visit:screen", std::string(screen_name(screen)), views);
    }
  }

  void add_hits(const json::Object& row, const GoatCounterNames::Path& path, std::int64_t count) {
    if (path.is_event) {
      const DaySums events{count, count, 0, count, 0, 0};
      add("event:name", path.name, events);
      add("event:goal", path.name, events);
      add(kTotalDimension, {}, {0, 0, 0, count, 0, 0});
      return;
    }
    const DaySums views{count, count, count, count, 0, 0};
    add(kTotalDimension, {}, views);
    add("event:page", path.name.substr(0, path.name.find_first_of("?#")), views);
    const auto found = names_->referrers.find(text_of(row, "ref_id"));
    const auto& referrer =
        found == names_->referrers.end() ? GoatCounterNames::Referrer{} : found->second;
    add("visit:source", referrer.source, views);
    if (!referrer.address.empty()) add("visit:referrer", referrer.address, views);
    if (!referrer.campaign.empty()) add("visit:utm_source", referrer.campaign, views);
  }

  void add(std::string_view dimension, std::string value, const DaySums& sums) {
    sums_[{std::string(dimension), std::move(value)}] += sums;
  }

  static std::string name_in(const std::map<std::string, std::string>& names,
                             const std::string& id) {
    const auto found = names.find(id);
    return found == names.end() ? std::string() : found->second;
  }

  Kind kind_;
  std::shared_ptr<const GoatCounterNames> names_;
  std::string day_;
  /// Sums of the current day; the key is a dimension and its value.
  std::map<std::pair<std::string, std::string>, DaySums> sums_;
};

}  // namespace

bool is_goatcounter_export(const std::vector<ReportPlace>& places) {
  return find_table(places, "paths") != nullptr && find_table(places, "hit_stats") != nullptr;
}

Result<std::shared_ptr<const GoatCounterNames>> read_goatcounter_names(
    const std::vector<ReportPlace>& places) {
  auto names = std::make_shared<GoatCounterNames>();
  const auto paths = read_table(places, "paths", [&](const json::Object& row) {
    names->paths[text_of(row, "id")] = {text_of(row, "path"), text_of(row, "event") == "true"};
  });
  const auto referrers = read_table(places, "refs", [&](const json::Object& row) {
    names->referrers[text_of(row, "id")] =
        referrer_of(text_of(row, "ref"), text_of(row, "ref_scheme"));
  });
  const auto browsers = read_table(places, "browsers", [&](const json::Object& row) {
    names->browsers[text_of(row, "id")] = text_of(row, "name");
  });
  const auto systems = read_table(places, "systems", [&](const json::Object& row) {
    names->systems[text_of(row, "id")] = text_of(row, "name");
  });
  for (const auto* read : {&paths, &referrers, &browsers, &systems}) {
    if (!*read) return fail(read->error());
  }
  return names;
}

std::unique_ptr<TotalsReader> make_goatcounter_reader(
    const ReportPlace& place, std::shared_ptr<const GoatCounterNames> names) {
  using Kind = GoatCounterReader::Kind;
  constexpr std::pair<std::string_view, Kind> kTables[] = {{"hit_stats", Kind::kHits},
                                                           {"browser_stats", Kind::kBrowsers},
                                                           {"system_stats", Kind::kSystems},
                                                           {"location_stats", Kind::kLocations},
                                                           {"size_stats", Kind::kSizes}};
  for (const auto& [name, kind] : kTables) {
    if (table_of(place) == name) return std::make_unique<GoatCounterReader>(kind, std::move(names));
  }
  return nullptr;
}

}  // namespace analytics::cli
