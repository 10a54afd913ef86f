#include "cli/replay/progress/rejects.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
constexpr std::uint64_t kEnoughForPercent = 100;
constexpr std::uint64_t kTail = 1'024;
constexpr std::size_t kFlushAt = 65'536;

/// Returns a hash of the last bytes of the file before `end`.
std::string tail_hash(const FileDescriptor& file, std::uint64_t end) {
  std::string tail(std::min<std::uint64_t>(end, kTail), '\0');
  const auto from = static_cast<off_t>(end - tail.size());
  const auto got = pread(file.get(), tail.data(), tail.size(), from);
  tail.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const auto digest = digest_of({tail});
  return to_hex(digest);
}

}  // namespace

Status RejectFile::open(const std::vector<std::string>& inputs,
                        const std::optional<RejectMark>& mark) {
  if (path_.empty()) return {};
  for (const auto& input : inputs) {
    std::error_code missing;
    if (std::filesystem::equivalent(input, path_, missing)) {
      return fail(ErrorCode::kInvalidParameter, "--rejects names the input " + input);
    }
  }
  if (make_private_file(path_)) file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  struct stat info {};
  if (!file_.valid() || fstat(file_.get(), &info) != 0) {
    return fail(ErrorCode::kInternal, path_ + " cannot be written");
  }
  if (!S_ISREG(info.st_mode)) return {};  // a pipe, or /dev/null
  bytes_ = static_cast<std::uint64_t>(info.st_size);
  if (mark && mark->bytes <= bytes_ && tail_hash(file_, mark->bytes) == mark->tail) {
    bytes_ = mark->bytes;
  }
  const auto end = static_cast<off_t>(bytes_);
  if (ftruncate(file_.get(), end) == 0 && lseek(file_.get(), end, SEEK_SET) == end) return {};
  return fail(ErrorCode::kInternal, path_ + " cannot be written");
}

void RejectFile::write(const Record& record, std::string_view stage, const std::string& code,
                       const std::string& message) {
  if (!file_.valid()) return;
  const auto& origin = *record.origin;
  ordered_json row = {{"file", origin.file},    {"line", record.line}, {"offset", record.offset},
                      {"stage", stage},         {"code", code},        {"message", message},
                      {"format", origin.format}};
  if (!origin.header.empty()) row["header"] = origin.header;
  if (is_valid_utf8(record.original)) {
    row["original"] = record.original;
  } else {
    row["original_base64"] = to_base64(record.original);
  }
  waiting_ += row.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
  if (waiting_.size() > kFlushAt) flush();
}

void RejectFile::flush() {
  if (waiting_.empty()) return;
  failed_ = failed_ || !write_all(file_, waiting_);
  bytes_ += waiting_.size();
  waiting_.clear();
  dirty_ = true;
}

RejectMark RejectFile::mark() const {
  if (!file_.valid()) return {};
  return {bytes_, tail_hash(file_, bytes_)};
}

bool RejectFile::sync() {
  flush();
  if (std::exchange(dirty_, false) && fdatasync(file_.get()) != 0) {
    failed_ = failed_ || (errno != EINVAL && errno != EROFS);  // a pipe cannot be synced
  }
  return !failed_;
}

std::optional<ErrorLimit> ErrorLimit::parse(const std::string& text) {
  ErrorLimit limit;
  if (text.empty()) return limit;
  if (text.ends_with('%')) {
    limit.percent_ = parse_double(std::string_view(text).substr(0, text.size() - 1));
    return limit.percent_ && *limit.percent_ >= 0 ? std::optional(limit) : std::nullopt;
  }
  limit.most_ = parse_int(text);
  return limit.most_ && *limit.most_ >= 0 ? std::optional(limit) : std::nullopt;
}

bool ErrorLimit::passed(const Accounts& accounts) const {
  if (most_) return accounts.rejected > static_cast<std::uint64_t>(*most_);
  return percent_ && accounts.read >= kEnoughForPercent &&
         100.0 * static_cast<double>(accounts.rejected) >
             *percent_ * static_cast<double>(accounts.read);
}

}  // namespace analytics::cli
