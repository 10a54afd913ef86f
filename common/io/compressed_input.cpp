#include "common/io/compressed_input.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/io/fs.h"
#include "common/io/unpacker.h"

namespace analytics {
namespace {

constexpr std::size_t kChunk = 262'144;
constexpr std::size_t kHead = 4'096;
constexpr int kLookAgain = 100;  // milliseconds between checks of a file that may grow
/// Time without new bytes after which a renamed access log counts as complete, because a process
/// may still write to it after the renaming.
constexpr std::chrono::milliseconds kRenamedFileWait{1'000};

}  // namespace

/// Reads the bytes of a file, and unpacks them if the file is compressed.
class CompressedInput::Source {
 public:
  /// `followed` is the file's name if read() must wait at the file's end for more bytes, else
  /// empty.
  Source(FileDescriptor file, std::filesystem::path followed)
      : file_(std::move(file)), followed_(std::move(followed)), wake_(eventfd(0, EFD_CLOEXEC)) {}
  explicit Source(Reader reader) : reader_(std::move(reader)), wake_(eventfd(0, EFD_CLOEXEC)) {}

  /// Appends the next bytes. Returns false at the end; `problem` then names the error, if any.
  bool read(std::string& into, std::string& problem) {
    if (!started_) start(problem);
    if (!problem.empty()) return false;
    if (unpacker_ == nullptr) return read_plain(into, problem);
    const auto before = into.size();
    while (into.size() == before) {
      if (!unpack(into, problem)) return into.size() > before;
    }
    return true;
  }

  [[nodiscard]] bool readable() const {
    if (!raw_.empty() || reader_) return true;
    if (!followed_.empty()) return size() > bytes_read_;
    pollfd waiting{file_.get(), POLLIN, 0};
    return poll(&waiting, 1, 0) != 0;
  }
  void cancel() const { (void)eventfd_write(wake_.get(), 1); }
  [[nodiscard]] bool was_truncated() const { return was_cut_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  void start(std::string& problem) {
    started_ = true;
    while (raw_.size() < kCodingBytes && fetch(problem)) {
    }
    unpacker_ = make_unpacker(raw_);
  }

  /// Appends bytes of the file to raw_; waits for them if necessary. Returns false at the file's
  /// end.
  bool fetch(std::string& problem) {
    if (!followed_.empty() && is_other()) return false;
    while (!fetch_now(problem)) {
      if (followed_.empty() || !problem.empty() || !wait_for_more()) return false;
    }
    return true;
  }

  bool fetch_now(std::string& problem) {
    if (reader_) return fetch_from_reader(problem);
    pollfd waiting[] = {{file_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    while (poll(waiting, 2, -1) < 0 && errno == EINTR) {
    }
    if (waiting[1].revents != 0) return false;  // cancel() was called
    const auto had = raw_.size();
    raw_.resize(had + kChunk);
    const auto got = ::read(file_.get(), raw_.data() + had, kChunk);
    raw_.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0) problem = std::strerror(errno);
    if (got <= 0) return false;
    if (!followed_.empty() && bytes_read_ == head_.size() && head_.size() < kHead) {
      head_.append(raw_, had, kHead - head_.size());
    }
    bytes_read_ += static_cast<std::uint64_t>(got);
    return true;
  }

  bool fetch_from_reader(std::string& problem) {
    pollfd waiting{wake_.get(), POLLIN, 0};
    if (poll(&waiting, 1, 0) > 0) return false;  // cancel() was called
    const auto had = raw_.size();
    raw_.resize(had + kChunk);
    const auto got = reader_(raw_.data() + had, kChunk);
    raw_.resize(had + got.value_or(0));
    if (!got) problem = got.error().message;
    bytes_read_ += got.value_or(0);
    return raw_.size() > had;
  }

  [[nodiscard]] std::uint64_t size() const {
    struct stat info {};
    return fstat(file_.get(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
  }

  /// Returns true if the file's name now refers to another file; false while no file has that name.
  [[nodiscard]] bool is_replaced() const {
    struct stat own {};
    struct stat named {};
    if (fstat(file_.get(), &own) != 0 || stat(followed_.c_str(), &named) != 0) return false;
    return own.st_ino != named.st_ino || own.st_dev != named.st_dev;
  }

  /// Returns true if the file no longer begins with the same bytes, because it was truncated. It
  /// may have grown again since.
  bool is_other() {
    std::string now(head_.size(), '\0');
    const auto got = pread(file_.get(), now.data(), now.size(), 0);
    was_cut_ = got >= 0 && now != head_;
    return was_cut_;
  }

  /// Waits at the end of a growing file. Returns false if no more bytes will be appended.
  bool wait_for_more() {
    auto silent_since = std::chrono::steady_clock::time_point{};
    while (size() == bytes_read_) {
      const auto now = std::chrono::steady_clock::now();
      if (!is_replaced()) {
        silent_since = {};
      } else if (silent_since == std::chrono::steady_clock::time_point{}) {
        silent_since = now;
      } else if (now - silent_since >= kRenamedFileWait) {
        return false;
      }
      pollfd waiting{wake_.get(), POLLIN, 0};
      if (poll(&waiting, 1, kLookAgain) > 0) return false;  // cancel() was called
    }
    return !is_other() && size() > bytes_read_;
  }

  bool read_plain(std::string& into, std::string& problem) {
    if (raw_.empty() && !fetch(problem)) return false;
    into += raw_;
    raw_.clear();
    return true;
  }

  /// Unpacks a piece of raw_. Returns false at the end.
  bool unpack(std::string& into, std::string& problem) {
    if (raw_.empty() && !fetch(problem)) {
      if (problem.empty() && !between_members_) problem = "the compressed data ends too early";
      return false;
    }
    if (between_members_ && !next_member(problem)) return false;
    std::string_view packed = raw_;
    const auto step = unpacker_->unpack(packed, into);
    raw_.erase(0, raw_.size() - packed.size());
    between_members_ = step == Unpacker::Step::kMemberEnd;
    if (step != Unpacker::Step::kDamaged) return true;
    problem = "the compressed data is damaged: " + unpacker_->problem();
    return false;
  }

  bool next_member(std::string& problem) {
    raw_.erase(0, raw_.find_first_not_of('\0'));  // tar and xz may append NUL bytes
    while (raw_.size() < kCodingBytes && fetch(problem)) {
    }
    if (raw_.empty()) return false;
    if (!unpacker_->is_member(raw_)) {
      problem = "what follows the compressed data is something else";
      return false;
    }
    between_members_ = false;
    return unpacker_->restart();
  }

  Reader reader_;  ///< Supplies the bytes instead of file_; empty if the bytes come from file_.
  FileDescriptor file_;
  std::filesystem::path followed_;
  FileDescriptor wake_;                 ///< An eventfd that is readable after cancel().
  std::string raw_;                     ///< Bytes fetched and not yet returned or unpacked.
  std::unique_ptr<Unpacker> unpacker_;  ///< Null if the file is not compressed.
  bool started_ = false;
  bool between_members_ = false;
  bool was_cut_ = false;
  std::string head_;  ///< First bytes of a followed file, to detect that it was truncated.
  std::uint64_t bytes_read_ = 0;
};

Result<std::unique_ptr<CompressedInput>> CompressedInput::open(const std::filesystem::path& file,
                                                               std::size_t max_line, AtEnd at_end,
                                                               const std::string& encoding) {
  const bool is_stdin = file == "-";
  FileDescriptor fd(is_stdin ? dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  const std::string name = is_stdin ? "(stdin)" : file.string();
  if (!fd.valid()) return fail(ErrorCode::kNotFound, name + ": " + std::strerror(errno));
  struct stat info {};
  if (fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return fail(ErrorCode::kNotFound, name + ": is a directory");
  }
  const auto total = S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
  const bool grows = at_end == AtEnd::kWait && S_ISREG(info.st_mode);
  auto source = std::make_unique<Source>(std::move(fd), grows ? file : std::filesystem::path());
  std::unique_ptr<CompressedInput> input(
      new CompressedInput(name, std::move(source), total, max_line));
  TRY(input->decode_from(encoding));
  return input;
}

Result<std::unique_ptr<CompressedInput>> CompressedInput::open(std::string name,
                                                               std::uint64_t total, Reader reader,
                                                               std::size_t max_line,
                                                               const std::string& encoding) {
  std::unique_ptr<CompressedInput> input(new CompressedInput(
      std::move(name), std::make_unique<Source>(std::move(reader)), total, max_line));
  TRY(input->decode_from(encoding));
  return input;
}

Status CompressedInput::decode_from(const std::string& encoding) {
  if (encoding.empty()) return {};
  decoder_ = TRY(Decoder::make(encoding));
  return {};
}

CompressedInput::CompressedInput(std::string name, std::unique_ptr<Source> source,
                                 std::uint64_t total, std::size_t max_line)
    : name_(std::move(name)), source_(std::move(source)), total_(total), max_line_(max_line) {}

CompressedInput::~CompressedInput() = default;

std::uint64_t CompressedInput::bytes_read() const { return source_->bytes_read(); }

bool CompressedInput::ready() const {
  const bool has_line = framing_ == nullptr && buffer_.find('\n', at_) != std::string::npos;
  return ended_ || has_line || raw_at_ < raw_.size() || source_->readable();
}

void CompressedInput::cancel() { source_->cancel(); }

bool CompressedInput::was_truncated() const { return source_->was_truncated(); }

bool CompressedInput::fill() {
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  if (conversion_ != nullptr) return fill_converted();
  const bool more = read_more(buffer_);
  ended_ = raw_ended_;
  return more;
}

/// Converts more text, in small pieces and at most a chunk per call, because the converted text may
/// be much longer than the original.
bool CompressedInput::fill_converted() {
  constexpr std::size_t kPiece = 512;
  const auto had = buffer_.size();
  std::string problem;
  while (buffer_.size() - had < kChunk && problem.empty() && !ended_) {
    if (raw_at_ < raw_.size()) {
      const auto piece = std::string_view(raw_).substr(raw_at_, kPiece);
      raw_at_ += piece.size();
      problem = conversion_->convert(piece, buffer_);
      continue;
    }
    // The converted text is returned without waiting for more input.
    if (!raw_ended_ && buffer_.size() > had) break;
    raw_.clear();
    raw_at_ = 0;
    if (!raw_ended_ && read_more(raw_)) continue;
    if (raw_.empty()) {
      ended_ = true;
      if (!error_) problem = conversion_->finish(buffer_);
    }
  }
  if (!problem.empty()) {
    error_ = Error{ErrorCode::kMalformedBody, name_ + ": " + problem};
    ended_ = true;
  }
  return buffer_.size() > had || !ended_;
}

/// Appends the next part of the file's text. Returns false at the file's end.
bool CompressedInput::read_more(std::string& text) {
  std::string problem;
  std::string raw;
  const bool more = source_->read(decoder_ ? raw : text, problem);
  if (!std::exchange(has_begun_, true) && !decoder_ && Decoder::is_utf16(text)) {
    decoder_ = std::move(*Decoder::make("UTF-16"));
    raw.swap(text);
  }
  if (decoder_) {
    decoder_->decode(raw, text);
    if (!more) decoder_->finish(text);
  }
  if (!problem.empty()) error_ = Error{ErrorCode::kInternal, name_ + ": " + problem};
  raw_ended_ = !more || error_;
  return more;
}

void CompressedInput::set_conversion(std::unique_ptr<Conversion> conversion) {
  conversion_ = std::move(conversion);
  raw_ = std::exchange(buffer_, {});
  ended_ = false;
}

std::string_view CompressedInput::peek() {
  while (true) {
    const auto begin = buffer_.find_first_not_of(" \t\r\n", at_);
    const auto end = begin == std::string::npos ? begin : buffer_.find('\n', begin);
    const bool is_enough = end != std::string::npos || buffer_.size() - at_ >= max_line_;
    if (is_enough || !fill()) {
      if (begin == std::string::npos) return {};
      return std::string_view(buffer_).substr(begin, std::min(end - begin, max_line_));
    }
  }
}

/// Returns the index in buffer_ of the record's end; nullopt if the record continues after buffer_.
std::optional<std::size_t> CompressedInput::find_end() {
  if (framing_ == nullptr) {
    const auto end = buffer_.find('\n', at_);
    return end == std::string::npos ? std::nullopt : std::optional(end);
  }
  const auto size = framing_->find_end(std::string_view(buffer_).substr(at_));
  return size ? std::optional(at_ + *size) : std::nullopt;
}

bool CompressedInput::next(Line& line) {
  line.text.clear();
  line.too_long = false;
  line.offset = offset_;
  line.number = lines_ + 1;
  const std::size_t separator = framing_ == nullptr ? 1 : 0;  // size of a line end
  bool found = false;
  while (true) {
    const auto end = find_end();
    found = end.has_value();
    const auto count = end.value_or(buffer_.size()) - at_;
    const auto room = max_line_ - std::min(max_line_, line.text.size());
    line.text.append(buffer_, at_, std::min(count, room));
    line.too_long = line.too_long || count > room;
    if (framing_ != nullptr) {
      lines_ += static_cast<std::uint64_t>(
          std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                     buffer_.begin() + static_cast<std::ptrdiff_t>(at_ + count), '\n'));
    }
    offset_ += count + (found ? separator : 0);
    at_ += count + (found ? separator : 0);
    if (found) break;
    if (!fill()) {
      // The text before damaged or missing data may be an incomplete record, which must not be
      // returned as a complete one.
      if (error_ || was_truncated() || offset_ == line.offset) return false;
      break;
    }
  }
  line.is_ended = found;
  line.end = offset_ - (found ? separator : 0);
  if (framing_ != nullptr) return true;
  ++lines_;
  if (line.text.ends_with('\r')) {
    line.text.pop_back();
    --line.end;
  }
  return true;
}

}  // namespace analytics
