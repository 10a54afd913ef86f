#include "cli/replay/command/totals.h"

#include <map>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/frame/signals.h"
#include "cli/replay/progress/byte_ranges.h"
#include "cli/replay/send/batch_sender.h"
#include "cli/totals/goatcounter_export.h"
#include "cli/totals/report_files.h"
#include "cli/totals/report_reader.h"
#include "cli/totals/report_records.h"
#include "cli/totals/report_text.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLinesOfBatch = 2'000;
constexpr std::size_t kBytesOfBatch = 1'048'576;
constexpr int kShownProblems = 20;
constexpr int kShownLines = 3;

/// A report, which is a file or an entry of an archive, and the hash of its content.
struct Source {
  ReportPlace place;
  std::string id;
  /// Names from a GoatCounter export; null for other reports.
  std::shared_ptr<const GoatCounterNames> names;

  /// Opens a reader. Returns null for an entry of a GoatCounter export without daily totals.
  [[nodiscard]] Result<std::unique_ptr<TotalsReader>> open() const {
    if (names != nullptr) return make_goatcounter_reader(place, names);
    auto dividers = TRY(find_dividers(place));
    return std::make_unique<ReportReader>(std::move(dividers));
  }
};

struct TotalsAccounts {
  std::uint64_t read = 0;      ///< Number of rows read.
  std::uint64_t rejected = 0;  ///< Number of rows that cannot be read.
  std::uint64_t filtered = 0;  ///< Number of rows that have no total to import.
  std::uint64_t lines = 0;     ///< Number of lines of totals made from all other rows.
  std::uint64_t accepted = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t refused = 0;  ///< Number of lines that the server rejected.
};

/// One run of the command: reads all reports and sends their totals.
class TotalsRun {
 public:
  TotalsRun(const ReplayOptions& options, std::string site, Context& context)
      : options_(options), site_(std::move(site)), context_(context) {
    context_.api.stop_when([this] { return signals_.received(); });
  }
  ~TotalsRun() { context_.api.stop_when({}); }
  TotalsRun(const TotalsRun&) = delete;
  TotalsRun& operator=(const TotalsRun&) = delete;

  Outcome<ExitCode> go() {
    if (!context_.settings.dry_run) TRY(check_key(context_.settings));
    TRY(find_sources());
    for (const auto& source : sources_) TRY(read_source(source));
    return finish();
  }

 private:
  void note(const std::string& text) {
    if (!context_.settings.quiet) context_.err << visible(text) << '\n';
  }

  void tell_problem(const std::string& text) {
    if (shown_++ < kShownProblems) note(text);
  }

  /// Finds all reports, and reads them once, because a hash of their content names the import.
  Outcome<void> find_sources() {
    std::string all = "totals\n" + site_;
    for (const auto& file : options_.files) {
      const auto places = list_texts(file);
      if (!places) return give_up(ExitCode::kSetup, places.error().message, "input");
      std::shared_ptr<const GoatCounterNames> names;
      if (is_goatcounter_export(*places)) {
        auto read = read_goatcounter_names(*places);
        if (!read) return give_up(ExitCode::kSetup, read.error().message, "input");
        names = std::move(*read);
      }
      for (const auto& place : *places) {
        const auto id = add_source({place, {}, names});
        if (!id) return give_up(ExitCode::kSetup, id.error().message, "input");
        all += *id;
      }
    }
    import_ = import_name(options_.import_id, to_hex(digest_of({all})), site_);
    return {};
  }

  /// Adds a report to sources_ unless its kind is unknown. Returns a line with a hash of its
  /// content, from which the import's name is made; empty if the report was not added.
  Result<std::string> add_source(Source source) {
    const bool is_row_of_numbers = source.names != nullptr;
    const auto is_known = TRY(
        is_row_of_numbers ? source.open().map([](const auto& reader) { return reader != nullptr; })
                          : is_report_text(source.place));
    const bool is_other_table = source.place.entry.ends_with("_stats.jsonl");
    if (!is_known && (!is_row_of_numbers || is_other_table)) {
      note(source.place.name() + " is not a known report, and is not imported");
    }
    if (!is_known) return std::string();
    const auto id = TRY(content_id_of(source.place));
    source.id = id;
    sources_.push_back(std::move(source));
    return '\n' + id;
  }

  Outcome<void> read_source(const Source& source) {
    auto text = ReportText::open(source.place);
    if (!text) return give_up(ExitCode::kSetup, text.error().message, "input");
    const auto opened = source.open();
    if (!opened) return give_up(ExitCode::kSetup, opened.error().message, "input");
    const auto& reader = *opened;
    ReportRecords records(**text, *reader);
    Batch batch;
    for (ReportRecords::Record record; records.next(record);) {
      const auto read = reader->read(record.text);
      take(source, record, read, batch);
      // The reader has only added this row to a sum, so the row belongs to a later batch.
      const bool is_held = std::holds_alternative<AddedReportRow>(read);
      batch.bytes.to = is_held ? record.from : record.to;
      batch.end = record.to;
      if (batch.lines.size() < kLinesOfBatch && batch.size < kBytesOfBatch) continue;
      TRY(send(source, batch));
    }
    if ((*text)->error()) {
      return give_up(ExitCode::kPartial, (*text)->error()->message, "input");
    }
    take_lines(reader->finish(), batch);
    batch.bytes.to = batch.end;
    TRY(send(source, batch));
    for (const auto& table : reader->passed_over()) {
      note(source.place.name() + ": a table is not imported: " + table);
    }
    return {};
  }

  struct Batch {
    ByteRange bytes;
    std::vector<std::string> lines;
    std::size_t size = 0;   ///< Size of all `lines` in bytes.
    std::uint64_t end = 0;  ///< Offset just after the last record read.
  };

  void take(const Source& source, const ReportRecords::Record& record, const ReadReportRow& read,
            Batch& batch) {
    if (std::holds_alternative<NoReportRow>(read)) return;
    ++counts_.read;
    if (const auto* bad = std::get_if<BadReportRow>(&read)) {
      ++counts_.rejected;
      tell_problem(source.place.name() + ":" + std::to_string(record.line) + ": " + bad->why);
      return;
    }
    if (const auto* added = std::get_if<AddedReportRow>(&read)) {
      return take_lines(added->before, batch);
    }
    const auto& lines = std::get<ReportRow>(read).lines;
    if (lines.empty()) ++counts_.filtered;
    take_lines(lines, batch);
  }

  void take_lines(const std::vector<TotalsLine>& lines, Batch& batch) {
    for (const auto& line : lines) {
      ++counts_.lines;
      const auto json = to_json(line);
      batch.size += json.size();
      batch.lines.push_back(json + '\n');
      note_dimension(line);
      if (context_.settings.dry_run && counts_.lines <= kShownLines &&
          context_.settings.output == OutputForm::kText) {
        context_.out << visible_json(json) << '\n';
      }
    }
  }

  void note_dimension(const TotalsLine& line) {
    sums_[line.dimension] += line.sums;
    if (first_day_.empty() || line.day < first_day_) first_day_ = line.day;
    last_day_ = std::max(last_day_, line.day);
  }

  /// Sends the lines of the batch. A day's sums may need several requests; each covers a part of
  /// the batch's byte range, which is the same in every run.
  Outcome<void> send(const Source& source, Batch& batch) {
    const auto sent = std::exchange(batch, {{batch.bytes.to, batch.bytes.to}, {}, 0, batch.end});
    if (sent.lines.empty() || context_.settings.dry_run) return {};
    std::vector<std::string> bodies;
    std::size_t lines = 0;
    for (const auto& line : sent.lines) {
      if (bodies.empty() || lines == kLinesOfBatch || bodies.back().size() >= kBytesOfBatch) {
        bodies.emplace_back();
        lines = 0;
      }
      bodies.back() += line;
      ++lines;
    }
    const auto step = (sent.bytes.to - sent.bytes.from) / bodies.size();
    auto range = sent.bytes;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      range.to = i + 1 == bodies.size() ? sent.bytes.to : range.from + step;
      TRY(send(source, range, bodies[i]));
      range.from = range.to;
    }
    return {};
  }

  Outcome<void> send(const Source& source, ByteRange bytes, const std::string& lines) {
    ApiClient::Request request;
    request.method = "POST";
    request.path = import_path(site_, import_) + "/totals";
    request.headers = {{header::kImportSource, source.id}, {header::kImportRange, to_text(bytes)}};
    request.ndjson = lines;
    const auto reply = TRY(context_.api.call(request));
    const auto body = TRY(body_of(reply));
    if (!body.contains("problems") || !body["problems"].is_array()) return bad_answer();
    const bool is_repeat = body.value("repeated", false);
    const auto accepted = body.value("accepted", std::uint64_t{0});
    counts_.accepted += is_repeat ? 0 : accepted;
    counts_.duplicate += body.value("duplicate", std::uint64_t{0}) + (is_repeat ? accepted : 0);
    counts_.refused += body.value("rejected", std::uint64_t{0});
    for (const auto& problem : body["problems"]) {
      tell_problem(source.place.name() + ": " + problem.value("error", std::string()));
    }
    return {};
  }

  ExitCode finish() {
    const auto exit = counts_.rejected + counts_.refused > 0 || sources_.empty()
                          ? ExitCode::kPartial
                          : ExitCode::kOk;
    if (context_.settings.output == OutputForm::kJson) {
      print_json(exit);
    } else if (!context_.settings.quiet || exit != ExitCode::kOk) {
      print_text();
    }
    return exit;
  }

  void print_json(ExitCode exit) {
    ordered_json summary = {{"import", import_},
                            {"sources", options_.files},
                            {"read", counts_.read},
                            {"rejected", counts_.rejected},
                            {"filtered", counts_.filtered},
                            {"totals", counts_.lines}};
    if (context_.settings.dry_run) {
      summary["outcome"] = "dry_run";
    } else {
      summary["accepted"] = counts_.accepted;
      summary["duplicate"] = counts_.duplicate;
      summary["refused"] = counts_.refused;
    }
    summary["first_day"] = first_day_;
    summary["last_day"] = last_day_;
    for (const auto& [dimension, sums] : sums_) {
      summary["dimensions"][dimension] = {{"visitors", sums.visitors},
                                          {"visits", sums.visits},
                                          {"pageviews", sums.pageviews},
                                          {"events", sums.events}};
    }
    summary["exit"] = static_cast<int>(exit);
    context_.out << json_line(summary) << '\n';
  }

  void print_text() {
    auto& out = context_.out;
    for (const auto& [dimension, sums] : sums_) {
      out << fmt::format("{}: {} visitors, {} visits, {} pageviews, {} events\n",
                         visible(dimension), sums.visitors, sums.visits, sums.pageviews,
                         sums.events);
    }
    if (!first_day_.empty()) out << "days " << first_day_ << " to " << last_day_ << '\n';
    out << fmt::format("read {} rows: rejected {}, filtered {}\n", counts_.read, counts_.rejected,
                       counts_.filtered);
    if (context_.settings.dry_run) {
      out << fmt::format("would send {} daily totals\n", counts_.lines);
      return;
    }
    out << fmt::format("daily totals {}: accepted {}, duplicate {}, rejected {}\n", counts_.lines,
                       counts_.accepted, counts_.duplicate, counts_.refused);
    if (counts_.accepted + counts_.duplicate > 0) {
      out << "import " << visible(import_) << " (undo with 'analytics imports undo')\n";
    }
  }

  const ReplayOptions& options_;
  const std::string site_;
  Context& context_;
  SignalWatch signals_;
  std::vector<Source> sources_;
  std::string import_;
  TotalsAccounts counts_;
  std::map<std::string, DaySums> sums_;  ///< Sums of all lines, by dimension.
  std::string first_day_;
  std::string last_day_;
  int shown_ = 0;
};

/// Returns the first given option that applies only to events, not to totals; empty if none does.
std::string first_unfit(const ReplayOptions& options) {
  const std::pair<bool, const char*> given[] = {{!options.map.empty(), "--map"},
                                                {!options.date_format.empty(), "--date-format"},
                                                {!options.timezone.empty(), "--timezone"},
                                                {!options.encoding.empty(), "--encoding"},
                                                {!options.base.empty(), "--base"},
                                                {!options.include.empty(), "--include"},
                                                {!options.exclude.empty(), "--exclude"},
                                                {!options.source.empty(), "--source"},
                                                {options.keep_bots, "--keep-bots"},
                                                {options.downloads, "--downloads"},
                                                {options.time_now, "--time"},
                                                {!options.dedupe.empty(), "--dedupe"},
                                                {options.follow, "--follow"},
                                                {!options.speed.empty(), "--speed"},
                                                {!options.rate.empty(), "--rate"},
                                                {!options.rejects.empty(), "--rejects"},
                                                {!options.max_errors.empty(), "--max-errors"},
                                                {!options.checkpoint.empty(), "--checkpoint"},
                                                {options.restart, "--restart"},
                                                {options.accept_duplicates, "--accept-duplicates"}};
  for (const auto& [is_given, name] : given) {
    if (is_given) return name;
  }
  return {};
}

}  // namespace

Outcome<ExitCode> replay_totals(const ReplayOptions& given, Context& context) {
  const auto wrong_use = [](const std::string& message) {
    return give_up(ExitCode::kUsage, message, "usage");
  };
  auto options = given;
  options.files.clear();
  for (const auto& file : given.files) {
    std::string why;
    if (has_no_rows(file))
      why = " has no rows";
    else if (given.found.contains(file))
      why = " is not read, because it is not a report of daily totals";
    if (is_report_file(file)) {
      options.files.push_back(file);
    } else if (why.empty()) {
      return wrong_use(file +
                       " has events, and other files are reports of daily totals: "
                       "import them one after the other");
    } else if (!context.settings.quiet) {
      context.err << visible(file + why) << '\n';
    }
  }
  if (const auto option = first_unfit(options); !option.empty()) {
    return wrong_use(option + " has no effect on reports of daily totals");
  }
  const auto& site = options.site_override.empty() ? options.site : options.site_override;
  if (site.empty()) return wrong_use("a report does not name a site: use --site DOMAIN");
  return TotalsRun(options, site, context).go();
}

}  // namespace analytics::cli
