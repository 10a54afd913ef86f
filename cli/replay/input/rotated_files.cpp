#include "cli/replay/input/rotated_files.h"

#include <algorithm>
#include <string>

namespace analytics::cli {

std::vector<std::filesystem::path> rotated_files(const std::filesystem::path& log) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  const auto folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
  const auto name = log.filename().string();
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const auto other = at->path().filename().string();
    const bool is_rotated = other.size() > name.size() && other.starts_with(name) &&
                            (other[name.size()] == '.' || other[name.size()] == '-');
    std::error_code gone;
    if (!is_rotated || !at->is_regular_file(gone)) continue;
    const auto written = at->last_write_time(gone);
    if (!gone) found.emplace_back(written, at->path());
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> files;
  files.reserve(found.size());
  for (auto& [written, path] : found) files.push_back(std::move(path));
  return files;
}

}  // namespace analytics::cli
