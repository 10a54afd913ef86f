#include "cli/replay/progress/checkpoints.h"

#include <nlohmann/json.hpp>

#include "cli/replay/progress/checkpoint_json.h"
#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kNameBytes = 10;  // bytes of the source file id's hash in a file name
constexpr const char* kExtension = ".json";

tl::unexpected<CheckpointProblem> conflict(std::string message) {
  return tl::unexpected<CheckpointProblem>(
      {CheckpointProblem::Kind::kConflict, std::move(message)});
}

tl::unexpected<CheckpointProblem> unwritable(std::string message) {
  return tl::unexpected<CheckpointProblem>(
      {CheckpointProblem::Kind::kUnwritable, std::move(message)});
}

}  // namespace

Checkpoints::Checkpoints(CheckpointConfig config) : config_(std::move(config)) {}

std::filesystem::path Checkpoints::path_of(const std::string& source) const {
  if (!config_.file.empty()) return config_.file;
  const auto digest = digest_of({"checkpoint", source, config_.target});
  return config_.folder / (to_hex(digest.data(), kNameBytes) + kExtension);
}

std::string Checkpoints::where() const {
  const std::scoped_lock lock(mutex_);
  if (files_.size() == 1) return files_.begin()->first.string();
  if (!keeps()) return {};
  return config_.file.empty() ? config_.folder.string() : config_.file.string();
}

Checkpoints::Status Checkpoints::open(const std::string& source) {
  if (!keeps()) return {};
  const std::scoped_lock lock(mutex_);
  const auto path = path_of(source);
  TRY(load(path));
  auto& file = files_.at(path);
  const bool is_other = !config_.file.empty() && !config_.any_source && !file.sources.empty() &&
                        !file.sources.contains(source) && !file.in_use;
  if (is_other) {
    return conflict(path.string() +
                    " is the checkpoint of another file: use another --checkpoint, or --restart");
  }
  file.in_use = true;
  file.sources.try_emplace(source);
  return {};
}

Checkpoints::Status Checkpoints::load() {
  const std::scoped_lock lock(mutex_);
  return config_.file.empty() ? Status() : load(config_.file);
}

void Checkpoints::keep_nothing() {
  const std::scoped_lock lock(mutex_);
  is_without_folder_ = true;
  files_.clear();
}

void Checkpoints::close(const std::string& source) {
  const std::scoped_lock lock(mutex_);
  // A checkpoint that all source files share stays open for the others.
  if (config_.file.empty()) files_.erase(path_of(source));
  changing_ = nullptr;
}

void Checkpoints::release(const std::string& source) {
  const std::scoped_lock lock(mutex_);
  if (config_.file.empty()) released_.insert(path_of(source));
}

Checkpoints::Status Checkpoints::load(const std::filesystem::path& path) {
  if (files_.contains(path)) return {};
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto unkept = [](const std::string& why) {
    return unwritable("the checkpoint, which keeps the progress of a run, cannot be written: " +
                      why);
  };
  if (auto made = make_private_directory(folder); !made) return unkept(made.error().message);
  auto taken = FileLock::take(path);
  if (!taken) {
    const bool held = taken.error().code == ErrorCode::kOverloaded;
    return held ? conflict("the checkpoint " + taken.error().message)
                : unkept(taken.error().message);
  }
  File file(std::move(*taken));
  TRY(read(path, file));
  files_.emplace(path, std::move(file));
  return {};
}

Checkpoints::Status Checkpoints::read(const std::filesystem::path& path, File& file) const {
  if (config_.restart) return {};
  const auto text = read_file(path);
  if (!text) {
    if (text.error().code == ErrorCode::kNotFound) return {};
    return unwritable(text.error().message);
  }
  try {
    const auto document = nlohmann::json::parse(*text);
    if (document.at("version") != kVersion) {
      return conflict(
          path.string() +
          " was written by another version of analytics: use that version, or --restart");
    }
    if (document.at("target") != config_.target) {
      return conflict(path.string() + " is the checkpoint of another target (" +
                      visible(document.at("target").get<std::string>()) +
                      "): use another --checkpoint, or --restart");
    }
    if (document.at("options") != config_.options) {
      return conflict("this import was started with other options (" +
                      visible(document.at("options").get<std::string>()) +
                      "): use the same options, or --restart");
    }
    if (!document.at("idle").get<bool>()) {
      const bool batches = document.at("mode") == "batches";
      file.interrupted =
          Interrupted{batches ? SendMode::kBatches : SendMode::kSingle,
                      UnixSeconds(std::chrono::seconds(document.at("at").get<std::int64_t>()))};
    }
    file.idle = document.at("idle").get<bool>();
    const auto& rejects = document.at("rejects");
    if (!config_.rejects.empty() && rejects.at("file") == config_.rejects) {
      file.rejects = RejectMark{rejects.at("bytes").get<std::uint64_t>(),
                                rejects.at("tail").get<std::string>()};
    }
    for (const auto& row : document.at("sources")) {
      Source source;
      source.file = row.at("file").get<std::string>();
      source.format = row.value("format", "");
      source.past = {to_ranges(row.at("settled")), row.at("check_end").get<std::uint64_t>(),
                     row.at("check").get<std::uint32_t>()};
      source.held = to_held(row);
      source.accounts = to_accounts(row.at("accounts"));
      source.before = source.accounts;
      file.sources.emplace(row.at("source").get<std::string>(), std::move(source));
    }
  } catch (const nlohmann::json::exception&) {
    return conflict(path.string() + " is damaged or not a checkpoint: remove it, or use --restart");
  }
  return {};
}

bool Checkpoints::knows(const std::string& source) {
  const std::scoped_lock lock(mutex_);
  if (!config_.file.empty() && files_.empty()) (void)load(config_.file);
  if (const auto* found = find(source)) return !found->past.settled.empty();
  if (config_.folder.empty() || !config_.file.empty() || config_.restart) return false;
  std::error_code failed;
  return std::filesystem::exists(path_of(source), failed);
}

const Checkpoints::Source* Checkpoints::find(const std::string& source) const {
  if (!keeps()) return nullptr;
  const auto file = files_.find(path_of(source));
  if (file == files_.end()) return nullptr;
  const auto found = file->second.sources.find(source);
  return found == file->second.sources.end() ? nullptr : &found->second;
}

Checkpoints::Source* Checkpoints::change(const std::string& source) {
  if (!keeps()) return nullptr;
  if (changing_ == nullptr || changing_name_ != source) {
    const auto file = files_.find(path_of(source));
    if (file == files_.end()) return nullptr;
    changing_name_ = source;
    changing_ = &file->second.sources[source];
    changing_file_ = &file->second;
  }
  changing_file_->changed = true;
  return changing_;
}

SourcePast Checkpoints::past(const std::string& source) const {
  const std::scoped_lock lock(mutex_);
  const auto* found = find(source);
  return found == nullptr ? SourcePast{} : found->past;
}

std::map<std::string, ByteRanges> Checkpoints::held(const std::string& source) const {
  const std::scoped_lock lock(mutex_);
  const auto* found = find(source);
  return found == nullptr ? std::map<std::string, ByteRanges>{} : found->held;
}

std::vector<std::string> Checkpoints::sources() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [path, file] : files_) {
    for (const auto& [name, source] : file.sources) names.push_back(name);
  }
  return names;
}

void Checkpoints::forget(const std::string& source) {
  const std::scoped_lock lock(mutex_);
  if (auto* found = change(source)) *found = {};
}

std::optional<Checkpoints::Interrupted> Checkpoints::interrupted() const {
  const std::scoped_lock lock(mutex_);
  std::optional<Interrupted> oldest;
  for (const auto& [path, file] : files_) {
    if (file.interrupted && (!oldest || file.interrupted->at < oldest->at)) {
      oldest = file.interrupted;
    }
  }
  return oldest;
}

Accounts Checkpoints::before() const {
  const std::scoped_lock lock(mutex_);
  auto all = of_released_;
  for (const auto& [path, file] : files_) {
    for (const auto& [name, source] : file.sources) add(all, source.before);
  }
  return all;
}

std::string Checkpoints::format_of(const std::string& name) const {
  if (config_.restart) return {};
  std::vector<std::filesystem::path> files;
  std::error_code ended;
  if (!config_.file.empty()) {
    files = {config_.file};
  } else if (!config_.folder.empty()) {
    // A log's source file id changes with each rotation, so all checkpoints are searched.
    for (std::filesystem::directory_iterator at(config_.folder, ended), end; !ended && at != end;
         at.increment(ended)) {
      if (at->path().extension() == kExtension) files.push_back(at->path());
    }
  }
  std::string format;
  std::int64_t newest = 0;
  for (const auto& path : files) {
    const auto text = read_file(path);
    if (!text) continue;
    try {
      const auto document = nlohmann::json::parse(*text);
      const auto at = document.at("at").get<std::int64_t>();
      if (document.at("target") != config_.target || at < newest) continue;
      for (const auto& row : document.at("sources")) {
        if (row.at("file") != name || row.value("format", "").empty()) continue;
        format = row.at("format").get<std::string>();
        newest = at;
      }
    } catch (const nlohmann::json::exception&) {
      // A damaged checkpoint is ignored here; open() reports it if this run needs it.
    }
  }
  return format;
}

std::optional<RejectMark> Checkpoints::reject_mark() const {
  const std::scoped_lock lock(mutex_);
  std::optional<RejectMark> last;
  for (const auto& [path, file] : files_) {
    if (file.rejects && file.interrupted && (!last || file.rejects->bytes > last->bytes))
      last = file.rejects;
  }
  return last;
}

void Checkpoints::begin(const std::string& source) {
  const std::scoped_lock lock(mutex_);
  (void)change(source);
}

void Checkpoints::settle(const Record& record, RecordFate fate, std::string_view reason) {
  const std::scoped_lock lock(mutex_);
  auto* source = change(*record.source);
  if (source == nullptr) return;
  if (source->file.empty()) source->file = record.origin->file;
  if (source->format.empty()) source->format = record.origin->format;
  source->past.settled.add({record.begin, record.end});
  if (record.is_ended && record.end > source->past.check_end) {
    source->past.check_end = record.end;
    source->past.check = record.check;
  }
  ++source->accounts.read;
  count(source->accounts, fate, reason);
}

void Checkpoints::hold(const std::string& name, ByteRange range,
                       const std::set<std::string>& sites) {
  const std::scoped_lock lock(mutex_);
  auto* source = change(name);
  if (source == nullptr) return;
  for (const auto& site : sites) source->held.try_emplace(site);
  for (auto& [site, held] : source->held) held.add(range);
}

Checkpoints::Status Checkpoints::save(SendMode mode, bool idle, const RejectMark& rejects,
                                      UnixSeconds now) {
  const std::scoped_lock lock(mutex_);
  for (auto& [path, file] : files_) {
    if (!file.changed && (file.idle || !idle)) continue;
    nlohmann::json document = {
        {"version", kVersion},
        {"target", config_.target},
        {"options", config_.options},
        {"mode", mode == SendMode::kBatches ? "batches" : "single"},
        {"idle", idle},
        {"at", now.time_since_epoch().count()},
        {"rejects", {{"file", config_.rejects}, {"bytes", rejects.bytes}, {"tail", rejects.tail}}},
        {"sources", nlohmann::json::array()}};
    for (const auto& [name, source] : file.sources) {
      document["sources"].push_back({{"source", name},
                                     {"file", source.file},
                                     {"format", source.format},
                                     {"settled", to_json(source.past.settled)},
                                     {"check_end", source.past.check_end},
                                     {"check", source.past.check},
                                     {"held", to_json(source.held)},
                                     {"accounts", to_json(source.accounts)}});
    }
    const auto text = document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (auto written = replace_file(path, text); !written) {
      return unwritable("the checkpoint cannot be written: " + written.error().message);
    }
    file.changed = false;
    file.idle = idle;
  }
  for (auto at = released_.begin(); idle && at != released_.end(); at = released_.erase(at)) {
    const auto file = files_.find(*at);
    if (file == files_.end()) continue;
    for (const auto& [name, source] : file->second.sources) add(of_released_, source.before);
    files_.erase(file);
    changing_ = nullptr;
  }
  return {};
}

}  // namespace analytics::cli
