#include "cli/replay/input.h"

#include <filesystem>

#include "common/compressed_input.h"
#include "common/secret.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxLine = 1'048'576;
constexpr std::size_t kBundle = 128;
constexpr std::size_t kBundleBytes = 1'048'576;
constexpr std::size_t kSourceBytes = 65'536;  // of the header and the first record

bool is_bom(std::string_view text) { return text.starts_with("\xEF\xBB\xBF"); }

/// The first line that holds something; nullopt in an empty file.
std::optional<std::string> first_record(CompressedInput& input) {
  CompressedInput::Line line;
  while (input.next(line)) {
    if (is_bom(line.text)) line.text.erase(0, 3);
    if (!trim(line.text).empty()) return line.text;
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<ReplayInput>> ReplayInput::open(std::vector<std::string> files,
                                                       const std::string& format,
                                                       const ReaderOptions& options) {
  std::unique_ptr<ReplayInput> input(new ReplayInput());
  for (const auto& file : files) {
    std::error_code missing;
    const auto type = std::filesystem::status(file, missing).type();
    const bool is_file = type == std::filesystem::file_type::regular ||
                         type == std::filesystem::file_type::directory || missing;
    if (file == "-" || !is_file) continue;  // can be read only once: its format is found then
    auto opened = CompressedInput::open(file, kMaxLine);
    if (!opened) return fail(opened.error());
    input->bytes_total_ += (*opened)->bytes_total();
    const auto line = first_record(**opened);
    if (!line || !input->format_.empty()) continue;
    const auto chosen = open_reader(format, *line, options);
    if (!chosen) return fail(ErrorCode::kInvalidParameter, file + ": " + chosen.error().message);
    input->format_ = chosen->format;
    input->reason_ = chosen->reason;
  }
  input->files_ = std::move(files);
  input->thread_ =
      std::thread([self = input.get(), format, options] { self->run(format, options); });
  return input;
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

void ReplayInput::run(std::string format, ReaderOptions options) {
  try {
    for (const auto& file : files_) {
      if (!read_one(file, format, options)) break;
    }
  } catch (const std::exception& error) {
    error_ = Error{ErrorCode::kInternal, std::string("reading failed: ") + error.what()};
  }
  channel_.finish();
}

std::shared_ptr<const std::string> ReplayInput::source_of(std::string_view head) {
  const auto digest = digest_of({head.substr(0, kSourceBytes)});
  auto id = to_hex(digest.data(), digest.size());
  if (const int before = seen_[id]++; before > 0) id += '.' + std::to_string(before);
  return std::make_shared<const std::string>(std::move(id));
}

bool ReplayInput::read_one(const std::string& file, const std::string& format,
                           const ReaderOptions& options) {
  auto opened = CompressedInput::open(file, kMaxLine);
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
  const bool all = read_lines(input, format, options);
  const std::scoped_lock lock(mutex_);
  current_ = nullptr;
  return all;
}

bool ReplayInput::read_lines(CompressedInput& input, const std::string& format,
                             const ReaderOptions& options) {
  const auto before = bytes_read_.load();
  const auto name = std::make_shared<const std::string>(input.name());
  std::shared_ptr<const std::string> source;  // null before the first record
  std::string head;                           // what stands before it, and itself
  std::unique_ptr<LineReader> reader;
  RecordChannel::Bundle bundle;
  std::size_t bundle_bytes = 0;
  CompressedInput::Line line;
  for (std::uint64_t number = 1; input.next(line); ++number) {
    if (number == 1 && is_bom(line.text)) line.text.erase(0, 3);
    if (trim(line.text).empty()) continue;
    if (reader == nullptr) {
      auto chosen = open_reader(format, line.text, options);
      if (!chosen) {
        error_ = Error{ErrorCode::kInvalidParameter, input.name() + ": " + chosen.error().message};
        return false;
      }
      reader = std::move(chosen->reader);
    }
    if (source == nullptr) head += line.text + '\n';
    auto content = line.too_long
                       ? ReadLine(Error{ErrorCode::kMalformedBody, "The line is over 1 MiB.", {}})
                       : reader->read(line.text);
    // Headers are alike in many files: the first record tells them apart.
    if (source == nullptr && !std::holds_alternative<NoRecord>(content)) {
      source = source_of(std::exchange(head, {}));
    }
    bundle.push_back({std::move(content), line.text, name, source, number, line.offset, line.end});
    bundle_bytes += bundle.back().memory();
    // What a slow pipe has brought goes out before waiting for more of it.
    if (bundle.size() == kBundle || bundle_bytes > kBundleBytes || !input.ready()) {
      bytes_read_ = before + input.bytes_read();
      bundle_bytes = 0;
      if (!channel_.push(std::exchange(bundle, {}))) return false;
    }
  }
  bytes_read_ = before + input.bytes_read();
  if (!bundle.empty() && !channel_.push(std::move(bundle))) return false;
  error_ = input.error();
  return !error_;
}

}  // namespace analytics::cli
