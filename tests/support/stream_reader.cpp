#include "tests/support/stream_reader.h"

#include <cstdint>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace analytics::test {

StreamReader::StreamReader(int fd)
    : fd_(fd), stop_(eventfd(0, EFD_CLOEXEC)), thread_([this] { read_all(); }) {}

StreamReader::~StreamReader() {
  const std::uint64_t one = 1;
  (void)!write(stop_, &one, sizeof one);
  thread_.join();
  close(fd_);
  close(stop_);
}

void StreamReader::read_all() {
  char buffer[65'536];
  pollfd waiting[] = {{fd_, POLLIN, 0}, {stop_, POLLIN, 0}};
  while (poll(waiting, 2, -1) > 0 && waiting[1].revents == 0) {
    const auto got = read(fd_, buffer, sizeof buffer);
    if (got <= 0) break;
    const std::lock_guard lock(mutex_);
    text_.append(buffer, static_cast<std::size_t>(got));
    has_more_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  has_more_.notify_all();
}

std::optional<std::string> StreamReader::next_line() {
  std::unique_lock lock(mutex_);
  std::size_t end = 0;
  has_more_.wait(lock, [&] {
    end = text_.find('\n');
    return end != std::string::npos || has_ended_;
  });
  if (end == std::string::npos) return std::nullopt;
  auto line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

std::string StreamReader::rest() {
  std::unique_lock lock(mutex_);
  has_more_.wait(lock, [&] { return has_ended_; });
  return std::exchange(text_, {});
}

}  // namespace analytics::test
