#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace analytics {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kOff };
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view name);

struct LogField {
  std::string_view key;
  std::string value;
};

/// The structured log: one line `time=… level=… msg=… key=value …` on stderr per call, with values
/// escaped so that no value can forge a line, and cut to 400 bytes. Writing is asynchronous: a
/// bounded queue drops and counts its oldest lines when full. Any thread may call.
class Log {
 public:
  explicit Log(LogLevel level);
  ~Log();  ///< Writes the queued lines.

  void set_level(LogLevel level);
  [[nodiscard]] bool enabled(LogLevel level) const;
  /// Returns the number of lines dropped because the queue was full.
  [[nodiscard]] std::size_t dropped() const;
  void write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

  void debug(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kDebug, message, fields);
  }
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kInfo, message, fields);
  }
  void warn(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kWarn, message, fields);
  }
  void error(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kError, message, fields);
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace analytics
