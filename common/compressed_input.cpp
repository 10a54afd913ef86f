#include "common/compressed_input.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/fs.h"

namespace analytics {
namespace {

constexpr std::size_t kChunk = 262'144;

}  // namespace

/// zlib's file layer: reads what is not gzip as it is, and members one after another.
struct CompressedInput::Codec {
  explicit Codec(gzFile opened) : file(opened) { gzbuffer(file, kChunk); }
  ~Codec() { gzclose_r(file); }
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  gzFile file;
};

Result<std::unique_ptr<CompressedInput>> CompressedInput::open(const std::filesystem::path& file,
                                                               std::size_t max_line) {
  const bool is_stdin = file == "-";
  FileDescriptor fd(is_stdin ? dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (fd.valid() && fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return fail(ErrorCode::kNotFound, file.string() + ": is a directory");
  }
  if (!fd.valid()) {
    return fail(ErrorCode::kNotFound, file.string() + ": " + std::strerror(errno));
  }
  const gzFile opened = gzdopen(fd.get(), "rb");
  if (opened == nullptr) return fail(ErrorCode::kInternal, file.string() + ": out of memory");
  fd.release();  // gzclose_r closes it
  const auto total = S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
  return std::unique_ptr<CompressedInput>(new CompressedInput(
      is_stdin ? "(stdin)" : file.string(), std::make_unique<Codec>(opened), total, max_line));
}

CompressedInput::CompressedInput(std::string name, std::unique_ptr<Codec> codec,
                                 std::uint64_t total, std::size_t max_line)
    : name_(std::move(name)), codec_(std::move(codec)), total_(total), max_line_(max_line) {}

CompressedInput::~CompressedInput() = default;

std::uint64_t CompressedInput::bytes_read() const {
  const auto at = gzoffset(codec_->file);
  return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}

bool CompressedInput::fill() {
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const auto had = buffer_.size();
  buffer_.resize(had + kChunk);
  const int got = gzread(codec_->file, buffer_.data() + had, kChunk);
  buffer_.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
  if (got == static_cast<int>(kChunk)) return true;
  // Short or failed: the end, or damage that zlib names.
  int code = Z_OK;
  const char* message = gzerror(codec_->file, &code);
  if (code != Z_OK && code != Z_STREAM_END) {
    error_ =
        Error{ErrorCode::kInternal, name_ + ": " +
                                        (code == Z_BUF_ERROR ? "the compressed data ends too early"
                                         : code == Z_ERRNO   ? std::strerror(errno)
                                                             : message)};
  }
  if (got <= 0 || error_) ended_ = true;
  return buffer_.size() > had;
}

bool CompressedInput::next(Line& line) {
  line.text.clear();
  line.too_long = false;
  line.offset = offset_;
  while (true) {
    const auto end = buffer_.find('\n', at_);
    const bool found = end != std::string::npos;
    const auto count = (found ? end : buffer_.size()) - at_;
    const auto room = max_line_ - std::min(max_line_, line.text.size());
    line.text.append(buffer_, at_, std::min(count, room));
    line.too_long = line.too_long || count > room;
    offset_ += count + (found ? 1 : 0);
    at_ += count + (found ? 1 : 0);
    if (found) break;
    if (!fill()) {
      if (offset_ == line.offset) return false;
      break;
    }
  }
  if (line.text.ends_with('\r')) line.text.pop_back();
  return true;
}

}  // namespace analytics
