#include "cli/replay/input/input.h"

#include <algorithm>
#include <deque>

#include "cli/replay/input/rotated_files.h"
#include "common/compressed_input.h"
#include "common/secret.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxLine = 1'048'576;
constexpr std::size_t kMaxJoined = 65'536;  // of a record that goes over several lines
constexpr std::size_t kBundle = 128;
constexpr std::size_t kBundleBytes = 1'048'576;
constexpr std::size_t kSourceBytes = 65'536;  // of the header and the first record
/// Settled ranges of at least this size are skipped. Records of smaller ones are read and not sent,
/// so that gaps do not cut batches into small pieces.
constexpr std::uint64_t kMinSkip = 65'536;
constexpr std::chrono::milliseconds kLookAgain{100};
constexpr std::size_t kLinesLookedAt = 100;  // for a format, when the first line has none

std::string id_of(std::string_view head) {
  const auto digest = digest_of({head.substr(0, kSourceBytes)});
  return to_hex(digest.data(), digest.size());
}

/// The sum over all lines, with one more.
std::uint32_t add_line(std::uint32_t sum, std::string_view line) {
  return add_crc32(add_crc32(sum, line), "\n");
}

/// The lines of a file, and those that were taken back.
class Lines {
 public:
  explicit Lines(CompressedInput& input) : input_(input) {}

  bool next(CompressedInput::Line& line) {
    if (!back_.empty()) {
      line = std::move(back_.front());
      back_.pop_front();
    } else if (!input_.next(line)) {
      return false;
    } else if (number_ == 0 && line.text.starts_with("\xEF\xBB\xBF")) {
      line.text.erase(0, 3);
    }
    ++number_;
    return true;
  }
  void take_back(std::vector<CompressedInput::Line> lines) {
    number_ -= lines.size();
    back_.insert(back_.begin(), std::move_iterator(lines.begin()), std::move_iterator(lines.end()));
  }
  [[nodiscard]] bool ready() const { return !back_.empty() || input_.ready(); }
  /// The number of the line returned last, counted from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  CompressedInput& input_;
  std::deque<CompressedInput::Line> back_;
  std::uint64_t number_ = 0;
};

/// Reads the record that starts with `line`. Appends the following lines to `line` if together they
/// are one record; otherwise leaves them to be read as records of their own.
ReadLine read_record(
    LineReader& reader, Lines& lines, CompressedInput::Line& line,
    const std::function<void()>& before_more = [] {}) {
  if (line.too_long) return Error{ErrorCode::kMalformedBody, "The line is over 1 MiB.", {}};
  if (reader.is_whole(line.text)) return reader.read(line.text);
  before_more();  // it may take its time
  auto joined = line;
  std::vector<CompressedInput::Line> behind;
  CompressedInput::Line more;
  while (joined.text.size() < kMaxJoined && !reader.is_whole(joined.text) && lines.next(more)) {
    joined.text += '\n' + more.text;
    joined.end = more.end;
    joined.is_ended = more.is_ended;
    behind.push_back(more);
  }
  if (reader.is_whole(joined.text) && reader.is_sound(joined.text)) {
    line = std::move(joined);
    return reader.read(line.text);
  }
  lines.take_back(std::move(behind));
  return reader.read(line.text);
}

/// Chooses the reader of a file that begins with `first`. A first line that is torn or damaged does
/// not decide: `known_format` does, the format of the files before it, or else the next lines.
/// Errors: kMalformedBody when the format is not known, kInvalidParameter.
Result<ChosenReader> choose_reader(Lines& lines, const std::string& first,
                                   const InputConfig& config, const std::string& known_format) {
  auto chosen = open_reader(config.format, first, config.reader);
  if (chosen || chosen.error().code != ErrorCode::kMalformedBody) return chosen;
  if (!known_format.empty()) {
    auto known = open_reader(known_format, first, config.reader);
    if (known) known->reason = "as what was read before";
    return known;
  }
  std::vector<CompressedInput::Line> looked_at;
  CompressedInput::Line line;
  bool is_known = false;
  while (!is_known && looked_at.size() < kLinesLookedAt && lines.next(line)) {
    is_known = has_line_format(line.text, config.reader);
    looked_at.push_back(line);
  }
  lines.take_back(std::move(looked_at));
  if (is_known) return open_reader(config.format, line.text, config.reader);
  return chosen;
}

/// The format of a file, and what its source is called.
struct Head {
  ChosenReader reader;
  std::string source;
};

/// nullopt: there is no record. Errors: kInvalidParameter.
Result<std::optional<Head>> read_head(CompressedInput& input, const InputConfig& config,
                                      const std::string& known_format) {
  Lines lines(input);
  CompressedInput::Line line;
  std::optional<Head> head;
  std::string text;
  while (lines.next(line)) {
    if (trim(line.text).empty()) continue;
    if (!head) {
      auto chosen = choose_reader(lines, line.text, config, known_format);
      if (!chosen) return fail(chosen.error());
      head = Head{std::move(*chosen), {}};
    }
    const auto content = read_record(*head->reader.reader, lines, line);
    text += line.text + '\n';
    if (std::holds_alternative<NoRecord>(content)) continue;
    head->source = id_of(text);
    break;
  }
  return head;
}

bool can_be_read_twice(const std::string& file) {
  std::error_code missing;
  const auto type = fs::status(file, missing).type();
  return file != "-" &&
         (type == fs::file_type::regular || type == fs::file_type::directory || missing);
}

}  // namespace

std::string ReplayInput::number(const std::string& id) {
  const int before = seen_[id]++;
  return before > 0 ? id + '.' + std::to_string(before) : id;
}

Result<std::unique_ptr<ReplayInput>> ReplayInput::open(InputConfig config) {
  std::unique_ptr<ReplayInput> input(new ReplayInput(std::move(config)));
  for (const auto& file : input->config_.files) {
    if (!can_be_read_twice(file)) continue;
    auto opened = CompressedInput::open(file, kMaxLine);
    if (!opened) return fail(opened.error());
    input->bytes_total_ += (*opened)->bytes_total();
    const bool is_last = &file == &input->config_.files.back();
    const auto head =
        read_head(**opened, input->config_, is_last ? input->config_.known_format : "");
    if (!head) return fail(ErrorCode::kInvalidParameter, file + ": " + head.error().message);
    if (!*head) continue;
    if (!(*head)->source.empty()) input->sources_.push_back(input->number((*head)->source));
    if (!input->format_.empty()) continue;
    input->format_ = (*head)->reader.format;
    input->reason_ = (*head)->reader.reason;
  }
  if (!input->config_.source.empty()) input->sources_ = {id_of(input->config_.source)};
  input->seen_.clear();
  return input;
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
      } else if (Part part; !read_one(file, Wait::kNo, part)) {
        break;
      }
    }
  } catch (const std::exception& error) {
    error_ = Error{ErrorCode::kInternal, std::string("reading failed: ") + error.what()};
  }
  channel_.finish();
}

bool ReplayInput::read_one(const std::string& file, Wait wait, Part& part) {
  using AtEnd = CompressedInput::AtEnd;
  auto opened =
      CompressedInput::open(file, kMaxLine, wait == Wait::kForMore ? AtEnd::kWait : AtEnd::kStop);
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
  const bool all = read_records(input, part);
  const std::scoped_lock lock(mutex_);
  current_ = nullptr;
  return all && !stopping_;
}

bool ReplayInput::read_records(CompressedInput& input, Part& part) {
  const auto before = bytes_read_.load();
  std::shared_ptr<const RecordOrigin> origin;
  std::shared_ptr<const std::string> source;  // null before the first record
  std::string head;                           // what stands before it, and itself
  std::optional<ChosenReader> chosen;
  SourcePast past;
  if (part.end > 0) {  // the rest of what was read elsewhere
    source = std::make_shared<const std::string>(part.source);
    past.settled.add({0, part.end});
  }
  auto& settled = past.settled;
  const auto started = part.end;
  ByteRange known{};        // the settled range that was found last
  std::uint64_t end = 0;    // of the record before
  std::uint32_t check = 0;  // of all lines so far
  RecordChannel::Bundle bundle;
  std::size_t bundle_bytes = 0;
  Lines lines(input);
  CompressedInput::Line line;
  while (lines.next(line)) {
    if (trim(line.text).empty()) {
      check = add_line(check, line.text);
      continue;
    }
    const auto number = lines.number();
    if (!chosen) {
      auto opened = choose_reader(lines, line.text, config_, followed_format_);
      if (!opened) {
        error_ = Error{ErrorCode::kInvalidParameter, input.name() + ": " + opened.error().message};
        return false;
      }
      chosen = std::move(*opened);
      if (config_.follow) followed_format_ = chosen->format;
    }
    auto& reader = *chosen->reader;
    if (line.offset >= known.to) known = settled.around(line.offset);
    // A line that had no end yet may be longer than what was settled of it; its event was sent.
    const bool is_known = source != nullptr && line.offset < known.to;
    if (is_known && (known.to - known.from >= kMinSkip || known.to == started)) {
      reader.skip(line.text);
      end = line.end;
      check = add_line(check, line.text);
      if (!check_past(past, line.end, check, input.name())) return false;
      continue;
    }
    const auto give_out = [&] {
      bytes_read_ = before + input.bytes_read();
      bundle_bytes = 0;
      return bundle.empty() || channel_.push(std::exchange(bundle, {}));
    };
    auto content = read_record(reader, lines, line, [&] {
      if (!lines.ready()) (void)give_out();
    });
    // Headers are alike in many files: the first record tells them apart.
    if (source == nullptr) head += line.text + '\n';
    if (source == nullptr && !std::holds_alternative<NoRecord>(content)) {
      part.source = number_of(std::exchange(head, {}));
      const auto history = history_.begin(part.source);
      if (!history) return false;
      past = *history;
      known = settled.around(line.offset);
      source = std::make_shared<const std::string>(part.source);
    }
    if (origin == nullptr || origin->header != reader.header()) {
      origin = std::make_shared<const RecordOrigin>(
          RecordOrigin{input.name(), chosen->format, reader.header()});
    }
    check = add_line(check, line.text);
    if (!check_past(past, line.end, check, input.name())) return false;
    const bool is_settled = source != nullptr && line.offset < known.to;
    bundle.push_back({std::move(content), line.text, origin, source, number, end, line.offset,
                      line.end, is_settled, line.is_ended, check});
    end = line.end;
    bundle_bytes += bundle.back().memory();
    // Records from a slow pipe are delivered before the next read can block.
    if (bundle.size() == kBundle || bundle_bytes > kBundleBytes || !lines.ready()) {
      if (!give_out()) return false;
    }
  }
  bytes_read_ = before + input.bytes_read();
  if (!bundle.empty() && !channel_.push(std::move(bundle))) return false;
  const bool is_whole = !input.error() && !input.was_cut();
  if (is_whole && !check_past(past, UINT64_MAX, check, input.name())) return false;
  part.end = std::max(part.end, end);
  part.was_cut = input.was_cut();
  error_ = input.error();
  return !error_;
}

/// Returns false, and sets the error, if the file no longer has the content that an earlier run
/// read. Compares once `end` reaches the place where that run stopped.
bool ReplayInput::check_past(SourcePast& past, std::uint64_t end, std::uint32_t check,
                             const std::string& file) {
  if (past.check_end == 0 || end < past.check_end) return true;
  const bool is_same = end == past.check_end && check == past.check;
  past.check_end = 0;
  if (is_same) return true;
  error_ = Error{ErrorCode::kRangeOverlap,
                 file +
                     " begins like a file of this import, but its content differs from what was "
                     "sent: use --source NAME to import it as a different file, or --restart to "
                     "send what the server does not have",
                 {}};
  return false;
}

std::string ReplayInput::number_of(std::string_view head) {
  if (!config_.source.empty()) return id_of(config_.source);
  // A log and its copies beside it are one: they are never read as two.
  return config_.follow ? id_of(head) : number(id_of(head));
}

/// Returns the source file's id; empty for a file without a record. Errors: the file cannot be
/// read.
Result<std::string> ReplayInput::peek(const fs::path& file) const {
  auto opened = CompressedInput::open(file, kMaxLine);
  if (!opened) return fail(opened.error());
  const auto head = read_head(**opened, config_, followed_format_);
  if (!head) return fail(head.error());
  auto source = *head ? (*head)->source : std::string();
  if (source.empty() && (*opened)->error()) return fail(*(*opened)->error());
  return source;
}

/// Sets the format of a followed log from the first of these files whose lines tell it, or else to
/// that of an earlier run.
void ReplayInput::learn_format(const std::vector<fs::path>& files) {
  for (const auto& file : files) {
    if (!followed_format_.empty()) return;
    auto opened = CompressedInput::open(file, kMaxLine);
    if (!opened) continue;
    if (const auto head = read_head(**opened, config_, {}); head && *head) {
      followed_format_ = (*head)->reader.format;
    }
  }
  if (followed_format_.empty()) followed_format_ = config_.known_format;
}

void ReplayInput::leave_out(const fs::path& file, const std::string& why) {
  if (left_out_.insert(file.string()).second) history_.left_out(file.string(), why);
}

/// The files that the log has become, the oldest first: each source once, and not the log itself.
std::vector<ReplayInput::Rotated> ReplayInput::rotated(const std::string& file) {
  std::vector<Rotated> found;
  auto files = rotated_files(file);
  learn_format({files.rbegin(), files.rend()});  // the newest are most like the log
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
      twin->path = path.string();  // the one that is being packed is whole
    }
  }
  return found;
}

/// Reads everything between the file read last and the file that has the log's name now: the rest
/// of the former, if it was cut, and all files rotated after it.
bool ReplayInput::read_rotated(const std::string& file, Part& last) {
  const auto files = rotated(file);
  const auto known = std::find_if(files.rbegin(), files.rend(), [&](const Rotated& each) {
    return last.source.empty() ? history_.knows(each.source) : each.source == last.source;
  });
  if (known == files.rend()) return true;
  auto at = known.base();
  auto part = std::exchange(last.was_cut, false) ? last : Part{};
  if (last.source.empty() || !part.source.empty()) --at;
  for (; at != files.end(); ++at) {
    if (!read_one(at->path, Wait::kNo, part)) {
      if (!error_ || is_stopping()) return false;
      // Half packed, or gone: the rest is read when it is looked for again.
      if (error_->code != ErrorCode::kNotFound) leave_out(at->path, error_->message);
      error_.reset();
    }
    if (!part.source.empty()) last = part;
    part = {};
  }
  return true;
}

/// Reads a file that grows, then what takes its name, without end.
void ReplayInput::follow(const std::string& file) {
  Part last;
  while (!is_stopping() && read_rotated(file, last)) {
    Part part;
    if (!read_one(file, Wait::kForMore, part)) {
      if (!error_ || error_->code != ErrorCode::kNotFound) return;
      error_.reset();  // between two names
      std::this_thread::sleep_for(kLookAgain);
      continue;
    }
    if (!part.source.empty()) last = part;
  }
}

}  // namespace analytics::cli
