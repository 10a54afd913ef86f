#include "common/io/log.h"

#include <algorithm>
#include <cstdlib>

#include <spdlog/async.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::size_t kQueuedLines = 8'192;

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarn: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kOff: return spdlog::level::off;
  }
  return spdlog::level::info;
}

bool is_bare(std::string_view value) {
  if (value.empty()) return false;
  for (const char c : value) {
    if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f || (c & '\x80') != 0)
      return false;
  }
  return true;
}

/// Returns a value as it is written to the log. Cuts long values, because clients may send them.
std::string written(std::string_view value) {
  // Maximum size of a written value in bytes, including its quotes.
  constexpr std::size_t kMax = 400;
  if (value.size() <= kMax && is_bare(value)) return std::string(value);
  auto quoted = json::quote(value);
  constexpr std::size_t kMaxOfByte = 6;  // size of the longest escape of a byte: "\\u0001"
  for (auto kept = value; quoted.size() > kMax;) {
    const auto excess = (quoted.size() - kMax + kMaxOfByte - 1) / kMaxOfByte;
    kept = cut_utf8(kept, std::min(kMax, kept.size() - excess));
    quoted = json::quote(std::string(kept) + "…");
  }
  return quoted;
}

void append(std::string& line, std::string_view key, std::string_view value) {
  line += ' ';
  line += key;
  line += '=';
  line += written(value);
}

/// Returns true if stderr is connected to systemd's journal: systemd.exec(5), JOURNAL_STREAM.
bool is_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat info {};
  return stream != nullptr && fstat(STDERR_FILENO, &info) == 0 &&
         stream == std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
}

/// Writes the priority that sd-daemon(3) expects at the start of a line, such as "4" for a
/// warning.
class Priority final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& line, const std::tm&,
              spdlog::memory_buf_t& to) override {
    to.push_back(priority_of(line.level));
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<Priority>();
  }

 private:
  static char priority_of(spdlog::level::level_enum level) {
    switch (level) {
      case spdlog::level::debug: return '7';
      case spdlog::level::warn: return '4';
      case spdlog::level::err: return '3';
      default: return '6';
    }
  }
};

}  // namespace

struct Log::Impl {
  // The destructor writes the queued lines and joins the thread before the logger is destroyed.
  ~Impl() { pool.reset(); }

  std::shared_ptr<spdlog::details::thread_pool> pool =
      std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1);
  std::shared_ptr<spdlog::async_logger> logger = std::make_shared<spdlog::async_logger>(
      "analytics", std::make_shared<spdlog::sinks::stderr_sink_mt>(), pool,
      spdlog::async_overflow_policy::overrun_oldest);
};

std::optional<LogLevel> parse_log_level(std::string_view name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warn") return LogLevel::kWarn;
  if (name == "error") return LogLevel::kError;
  if (name == "off") return LogLevel::kOff;
  return std::nullopt;
}

Log::Log(LogLevel level) : impl_(std::make_unique<Impl>()) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  // systemd's journal adds its own time to each line.
  formatter->add_flag<Priority>('*').set_pattern(
      is_journal() ? "<%*>level=%l%v" : "time=%Y-%m-%dT%H:%M:%S.%eZ level=%l%v");
  impl_->logger->set_formatter(std::move(formatter));
  set_level(level);
}

Log::~Log() {
  if (const auto lost = dropped(); lost > 0) {
    warn("log lines were dropped", {{"count", std::to_string(lost)}});
  }
}

std::size_t Log::dropped() const { return impl_->pool->overrun_counter(); }

void Log::set_level(LogLevel level) { impl_->logger->set_level(to_spdlog(level)); }

bool Log::enabled(LogLevel level) const { return impl_->logger->should_log(to_spdlog(level)); }

void Log::write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!enabled(level)) return;
  std::string line;
  append(line, "msg", message);
  for (const auto& field : fields) append(line, field.key, field.value);
  impl_->logger->log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace analytics
