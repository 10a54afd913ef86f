#include "cli/replay/input/file_reader.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kBundle = 128;
constexpr std::size_t kBundleBytes = 1'048'576;
/// Lines in settled ranges of at least this many bytes are skipped. Records in smaller ranges are
/// passed on as settled, so that gaps do not make batches small.
constexpr std::uint64_t kMinSkip = 65'536;

}  // namespace

FileReader::FileReader(CompressedInput& input, const Shared& shared, SourcePart& part)
    : input_(input),
      shared_(shared),
      part_(part),
      read_before_(shared.bytes_read),
      started_(part.end),
      lines_(input, shared.config.tables) {
  if (started_ == 0) return;
  source_ = std::make_shared<const std::string>(part.source);
  settled_.add({0, started_});
}

bool FileReader::read() {
  CompressedInput::Line line;
  while (lines_.next(line)) {
    if (trim(line.text).empty()) {
      history_check_.add(line.text);
      continue;
    }
    if (!chosen_ && !choose_format(line)) return false;
    if (!(is_read_before(line) ? skip(line) : take(line))) return false;
  }
  return finish();
}

bool FileReader::choose_format(const CompressedInput::Line& line) {
  auto opened = choose_reader(lines_, line.text, shared_.config, shared_.followed_format);
  if (!opened) {
    error_ = Error{ErrorCode::kInvalidParameter, input_.name() + ": " + opened.error().message};
    return false;
  }
  chosen_ = std::move(*opened);
  if (shared_.config.follow) shared_.followed_format = chosen_->format;
  return true;
}

bool FileReader::is_read_before(const CompressedInput::Line& line) {
  if (line.offset >= known_.to) known_ = settled_.around(line.offset);
  // A line that had no line end may have grown since an earlier run sent its event. If it contains
  // several events, some of them may not be sent yet.
  const bool is_known = source_ != nullptr && line.offset < known_.to &&
                        (line.end <= known_.to || !holds_several(line));
  return is_known && (known_.to - known_.from >= kMinSkip || known_.to == started_);
}

bool FileReader::skip(const CompressedInput::Line& line) {
  chosen_->reader->skip(line.text);
  end_ = line.end;
  history_check_.add(line.text);
  return check(line.end);
}

bool FileReader::take(CompressedInput::Line& line) {
  auto& reader = *chosen_->reader;
  auto content = assemble_record(reader, lines_, line, [&] {
    if (!lines_.ready()) (void)push_bundle();
  });
  if (source_ == nullptr) {
    head_ += line.text + '\n';
    // Many files have the same header, so the first record must be part of the hash.
    if (!std::holds_alternative<NoRecord>(content) && !begin_source(line)) return false;
  }
  if (origin_ == nullptr || origin_->header != reader.header()) {
    origin_ = std::make_shared<const RecordOrigin>(
        RecordOrigin{input_.name(), chosen_->format, reader.header()});
  }
  history_check_.add(line.text);
  if (!check(line.end)) return false;
  if (const auto is_wanted = put_parts(line)) return *is_wanted;
  put(std::move(content), line);
  return !is_due() || push_bundle();
}

/// Returns true if the bundle of records must be passed to the sending thread now.
bool FileReader::is_due() const {
  // Records of a slow pipe are passed on before the next read, which may block.
  return bundle_.size() >= kBundle || bundle_bytes_ > kBundleBytes || !lines_.ready();
}

void FileReader::put(ReadLine content, const CompressedInput::Line& line) {
  const bool is_settled = source_ != nullptr && line.offset < known_.to;
  auto& record = bundle_.add();
  record.content = std::move(content);
  record.original = line.text;
  record.origin = origin_;
  record.source = source_;
  record.line = line.number;
  record.begin = end_;
  record.offset = line.offset;
  record.end = line.end;
  record.settled = is_settled;
  record.is_ended = line.is_ended;
  record.check = history_check_.sum();
  end_ = line.end;
  bundle_bytes_ += record.memory();
}

bool FileReader::holds_several(const CompressedInput::Line& line) const {
  bool does = false;
  chosen_->reader->divide(line.text, [&](const std::string&, std::size_t) {
    does = true;
    return false;
  });
  return does;
}

/// Passes on a record with several events as one record per event. Divides its bytes among them, so
/// that each has its own range, which is the same in every run. Returns false if no more records
/// are wanted; nullopt if the record has only one event.
std::optional<bool> FileReader::put_parts(const CompressedInput::Line& line) {
  auto part = line;
  std::size_t done = 0;
  bool is_wanted = true;
  chosen_->reader->divide(line.text, [&](std::string text, std::size_t count) {
    const bool is_last = ++done == count;
    part.text = std::move(text);
    part.end = is_last ? line.end : part.offset + (line.end - line.offset) / count;
    // A later run can compare checksums only at a line end.
    part.is_ended = is_last && line.is_ended;
    known_ = settled_.around(part.offset);
    put(chosen_->reader->read(part.text), part);
    part.offset = part.end;
    is_wanted = !is_due() || push_bundle();
    return is_wanted;
  });
  return done == 0 ? std::nullopt : std::optional(is_wanted);
}

bool FileReader::begin_source(const CompressedInput::Line& line) {
  part_.source = shared_.source_of(std::exchange(head_, {}));
  const auto past = shared_.history.begin(part_.source);
  if (!past) return false;
  settled_ = past->settled;
  history_check_.expect(*past);
  known_ = settled_.around(line.offset);
  source_ = std::make_shared<const std::string>(part_.source);
  return true;
}

bool FileReader::check(std::uint64_t end) {
  if (history_check_.is_same_up_to(end)) return true;
  error_ = Error{ErrorCode::kRangeOverlap,
                 input_.name() +
                     " begins like a file of this import, but its content differs from what was "
                     "sent: use --source NAME to import it as a different file, or --restart to "
                     "send what the server does not have",
                 {}};
  return false;
}

bool FileReader::push_bundle() {
  shared_.bytes_read = read_before_ + input_.bytes_read();
  bundle_bytes_ = 0;
  if (bundle_.empty()) return true;
  return shared_.channel.push(std::exchange(bundle_, shared_.channel.empty_bundle()));
}

bool FileReader::finish() {
  if (!push_bundle()) return false;
  const bool is_whole = !input_.error() && !input_.was_truncated();
  if (is_whole && !check(UINT64_MAX)) return false;
  part_.end = std::max(part_.end, end_);
  part_.was_truncated = input_.was_truncated();
  error_ = input_.error();
  return !error_;
}

}  // namespace analytics::cli
