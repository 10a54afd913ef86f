#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "common/io/failpoint.h"
#include "common/text/text.h"

namespace analytics {
namespace {

struct Point {
  std::string action;
  std::chrono::microseconds sleep{};
  std::filesystem::path file;  ///< File that `wait` waits for.
  std::int64_t only = 0;  ///< Number of the only call that performs the action; 0 for every call.
  std::atomic<std::int64_t> hits{0};
};

/// Parses "name=action[:argument][@N]".
void read_point(std::string_view text, std::map<std::string, Point>& points) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return;
  auto& point = points[std::string(text.substr(0, equals))];
  auto action = text.substr(equals + 1);
  if (const auto at = action.find('@'); at != std::string_view::npos) {
    point.only = parse_int(action.substr(at + 1)).value_or(1);
    action = action.substr(0, at);
  }
  if (const auto colon = action.find(':'); colon != std::string_view::npos) {
    const auto argument = action.substr(colon + 1);
    point.sleep = std::chrono::microseconds(parse_int(argument).value_or(0));
    point.file = argument;
    action = action.substr(0, colon);
  }
  point.action = action;
}

std::map<std::string, Point> read_points() {
  std::map<std::string, Point> points;
  const char* text = std::getenv("ANALYTICS_FAILPOINTS");
  if (text == nullptr) return points;
  for (const auto part : split(text, ',')) read_point(trim(part), points);
  return points;
}

void wait_for(const std::filesystem::path& file) {
  constexpr std::chrono::milliseconds kBetween(5);
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(kBetween);
}

}  // namespace

bool failpoint(const char* name) {
  static auto points = read_points();
  if (points.empty()) return false;
  const auto found = points.find(name);
  if (found == points.end()) return false;
  auto& point = found->second;
  const auto hit = ++point.hits;
  if (point.only != 0 && hit != point.only) return false;
  if (point.action == "kill") std::raise(SIGKILL);
  if (point.action == "sleep") std::this_thread::sleep_for(point.sleep);
  if (point.action == "wait") wait_for(point.file);
  return point.action == "on";
}

}  // namespace analytics
