#include "cli/replay/input/input.h"

#include <algorithm>

#include "cli/replay/input/copies.h"
#include "cli/replay/input/open_input.h"
#include "cli/replay/input/rotated_files.h"

namespace analytics::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds kLookAgain{100};

}  // namespace

std::string ReplayInput::number(const std::string& id) {
  const int before = seen_[id]++;
  return before > 0 ? id + '.' + std::to_string(before) : id;
}

Result<std::unique_ptr<CompressedInput>> ReplayInput::open_file(
    const std::filesystem::path& file, CompressedInput::AtEnd at_end) const {
  return open_input(file.string(), at_end, config_.encoding);
}

/// Stores the rows that belong to events (see SideTables) from all files, before events are read.
Result<void> ReplayInput::take_side_tables() {
  std::vector<std::string> files;
  for (const auto& file : config_.files) {
    auto opened = can_be_read_twice(file) ? open_file(file) : fail(ErrorCode::kNotFound, file);
    const auto part = opened ? part_of_file((*opened)->peek()) : Part::kOwn;
    const bool has_side = part == Part::kDump || part == Part::kSide;
    if (auto problem =
            has_side ? read_side(**opened, config_.tables, config_.is_stopped) : std::nullopt) {
      return fail(*problem);
    }
    if (part == Part::kSide) side_files_.push_back(file + " belongs to the events in other files");
    if (part == Part::kPersonal)
      side_files_.push_back(file + " is not read: it says who visitors are");
    if (part == Part::kOwn || part == Part::kDump) files.push_back(file);
  }
  if (files.empty() && !side_files_.empty()) {
    return fail(ErrorCode::kInvalidParameter,
                config_.files.front() +
                    ": has no events: name the file of the table website_event as well");
  }
  config_.files = std::move(files);
  config_.reader.side_rows = config_.tables.umami;
  return {};
}

/// Reads the beginning of each file that can be read twice. Leaves out files of an unknown format
/// that were found in a folder or archive, but fails if no other file remains.
Result<std::vector<ReplayInput::Looked>> ReplayInput::look_at_files() {
  std::vector<Looked> all;
  std::vector<std::string> kept;
  std::optional<Error> unknown;
  for (const auto& file : config_.files) {
    kept.push_back(file);
    if (!can_be_read_twice(file)) continue;
    auto opened = TRY(open_file(file));
    const bool is_last = &file == &config_.files.back();
    auto head = read_head(*opened, config_, is_last ? config_.known_format : "");
    if (!head && head.error().code == ErrorCode::kMalformedBody && config_.found.contains(file)) {
      unknown = unknown.value_or(Error{head.error().code, file + ": " + head.error().message, {}});
      side_files_.push_back(file + " is not read: " + head.error().message);
      kept.pop_back();
      continue;
    }
    if (!head) return fail(ErrorCode::kInvalidParameter, file + ": " + head.error().message);
    all.push_back({file, opened->bytes_total(), std::move(*head)});
  }
  if (kept.empty() && unknown) return fail(*unknown);
  config_.files = std::move(kept);
  return all;
}

/// Leaves out files whose content is part of another file in this run, such as a log beside its
/// compressed copy.
void ReplayInput::leave_out_copies(std::vector<Looked>& files) {
  std::vector<Looked> kept;
  const auto drop = [&](const std::string& copy, const std::string& other) {
    config_.files.erase(std::find(config_.files.begin(), config_.files.end(), copy));
    copies_.push_back({copy, other});
  };
  for (auto& each : files) {
    bool is_copy = false;
    std::erase_if(kept, [&](const Looked& other) {
      if (is_copy || each.source().empty() || each.source() != other.source()) return false;
      const auto likeness = compare_files(other.file, each.file);
      is_copy = likeness == Likeness::kSecondIsPart;
      if (is_copy) drop(each.file, other.file);
      if (likeness == Likeness::kFirstIsPart) drop(other.file, each.file);
      return likeness == Likeness::kFirstIsPart;
    });
    if (!is_copy) kept.push_back(std::move(each));
  }
  files = std::move(kept);
}

Result<std::unique_ptr<ReplayInput>> ReplayInput::open(InputConfig config) {
  std::unique_ptr<ReplayInput> input(new ReplayInput(std::move(config)));
  auto& wanted = input->config_.tables.are_wanted;
  const auto& asked = input->config_;
  wanted = (asked.format == "auto" || asked.format == "umami") && maps_props_only(asked.reader) &&
           asked.reader.log_format.empty();
  if (wanted && !asked.follow) TRY(input->take_side_tables());
  auto files = TRY(input->look_at_files());
  if (!input->config_.follow) input->leave_out_copies(files);
  for (const auto& file : files) {
    input->bytes_total_ += file.bytes;
    if (!file.head) continue;
    if (!file.source().empty()) input->sources_.push_back(input->number(file.source()));
    if (!input->format_.empty()) continue;
    input->format_ = file.head->format;
    input->reason_ = file.head->reason;
  }
  if (!input->config_.source.empty()) input->sources_ = {source_id_of(input->config_.source)};
  input->seen_.clear();
  return input;
}

std::vector<std::string> ReplayInput::rotated_sources() {
  std::vector<std::string> sources;
  if (!config_.follow || !can_be_read_twice(config_.files.back())) return sources;
  for (auto& each : rotated(config_.files.back())) sources.push_back(std::move(each.source));
  // Files that rotated() left out were not reported, because start() sets the callback for reports
  // later. They must be left out again then, and be reported.
  left_out_.clear();
  return sources;
}

void ReplayInput::start(SourceHistory history) {
  history_ = std::move(history);
  thread_ = std::thread([this] { run(); });
}

ReplayInput::~ReplayInput() {
  channel_.close();
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    if (current_ != nullptr) current_->cancel();
  }
  if (thread_.joinable()) thread_.join();
}

bool ReplayInput::is_stopping() {
  const std::scoped_lock lock(mutex_);
  return stopping_;
}

void ReplayInput::run() {
  try {
    for (const auto& file : config_.files) {
      if (config_.follow && &file == &config_.files.back() && can_be_read_twice(file)) {
        follow(file);
      } else if (SourcePart part; !read_one(file, Wait::kNo, part)) {
        break;
      }
    }
  } catch (const std::exception& error) {
    error_ = Error{ErrorCode::kInternal, std::string("reading failed: ") + error.what()};
  }
  channel_.finish();
}

bool ReplayInput::read_one(const std::string& file, Wait wait, SourcePart& part) {
  using AtEnd = CompressedInput::AtEnd;
  auto opened = open_file(file, wait == Wait::kForMore ? AtEnd::kWait : AtEnd::kStop);
  if (!opened) {
    error_ = opened.error();
    return false;
  }
  auto& input = **opened;
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return false;
    current_ = &input;
  }
  const FileReader::Shared shared{
      config_,     history_,         channel_,
      bytes_read_, followed_format_, [this](std::string_view head) { return number_of(head); }};
  FileReader reader(input, shared, part);
  const bool all = reader.read();
  error_ = reader.error();
  const std::scoped_lock lock(mutex_);
  current_ = nullptr;
  return all && !stopping_;
}

std::string ReplayInput::number_of(std::string_view head) {
  if (!config_.source.empty()) return source_id_of(config_.source);
  // The file of a followed log keeps its id when it is renamed by rotation, so it gets no counter.
  return config_.follow ? source_id_of(head) : number(source_id_of(head));
}

/// Returns the source file's id; empty if the file has no record. Errors: the file cannot be opened
/// or read.
Result<std::string> ReplayInput::peek(const fs::path& file) const {
  auto opened = TRY(open_file(file));
  const auto head = TRY(read_head(*opened, config_, followed_format_));
  auto source = head ? head->source : std::string();
  if (source.empty() && opened->error()) return fail(*opened->error());
  return source;
}

/// Sets the format of the followed log to the format of the first of these files whose lines show
/// one, or else to the format that an earlier run found.
void ReplayInput::learn_format(const std::vector<fs::path>& files) {
  for (const auto& file : files) {
    if (!followed_format_.empty()) return;
    auto opened = open_file(file);
    if (!opened) continue;
    if (const auto head = read_head(**opened, config_, {}); head && *head) {
      followed_format_ = (*head)->format;
    }
  }
  if (followed_format_.empty()) followed_format_ = config_.known_format;
}

void ReplayInput::leave_out(const fs::path& file, const std::string& why) {
  if (left_out_.insert(file.string()).second) history_.left_out(file.string(), why);
}

/// Returns the log's rotated files, oldest first: each source file once, without the log itself.
std::vector<ReplayInput::Rotated> ReplayInput::rotated(const std::string& file) {
  std::vector<Rotated> found;
  auto files = rotated_files(file);
  learn_format({files.rbegin(), files.rend()});  // the newest rotated file resembles the log most
  const auto own = peek(file).value_or("");
  for (const auto& path : files) {
    auto source = peek(path);
    if (!source) leave_out(path, source.error().message);
    if (!source || source->empty() || *source == own) continue;
    const auto twin = std::find_if(found.begin(), found.end(),
                                   [&](const Rotated& other) { return other.source == *source; });
    if (twin == found.end()) {
      found.push_back({path.string(), std::move(*source)});
    } else if (twin->path.size() > path.string().size()) {
      // The uncompressed file is read, because its compressed copy may be incomplete.
      twin->path = path.string();
    }
  }
  return found;
}

/// Reads the lines that were logged after `last`, the file read before, and are not in the file
/// that now has the log's name: the rest of `last` if it was truncated, and all files rotated
/// after it.
bool ReplayInput::read_rotated(const std::string& file, SourcePart& last) {
  const auto files = rotated(file);
  const auto find = [&](const auto& is_meant) {
    return std::find_if(files.rbegin(), files.rend(),
                        [&](const Rotated& each) { return is_meant(each.source); });
  };
  const auto again_from = std::exchange(again_from_, {});
  auto known = find([&](const std::string& source) {
    return source == (last.source.empty() ? again_from : last.source);
  });
  if (known == files.rend() && last.source.empty()) known = find(history_.knows);
  if (known == files.rend()) return true;
  auto at = known.base();
  auto part = std::exchange(last.was_truncated, false) ? last : SourcePart{};
  if (last.source.empty() || !part.source.empty()) --at;
  for (; at != files.end(); ++at) {
    if (!read_one(at->path, Wait::kNo, part)) {
      if (!error_ || is_stopping()) return false;
      // The file is still being compressed, or is gone; the next round reads the rest.
      if (error_->code != ErrorCode::kNotFound) leave_out(at->path, error_->message);
      error_.reset();
    }
    if (!part.source.empty()) last = part;
    part = {};
  }
  return true;
}

/// Reads a growing file, then each file that replaces it, until the run stops.
void ReplayInput::follow(const std::string& file) {
  SourcePart last;
  while (!is_stopping() && read_rotated(file, last)) {
    SourcePart part;
    if (!read_one(file, Wait::kForMore, part)) {
      if (!error_ || error_->code != ErrorCode::kNotFound) return;
      error_.reset();  // the log is being renamed
      std::this_thread::sleep_for(kLookAgain);
      continue;
    }
    if (!part.source.empty()) last = part;
  }
}

}  // namespace analytics::cli
