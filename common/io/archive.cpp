#include "common/io/archive.h"

#include <memory>
#include <set>
#include <utility>

#include <zip.h>

namespace analytics {
namespace {

using Archive = std::shared_ptr<zip_t>;
using Entry = std::shared_ptr<zip_file_t>;

/// Identifies an archive file and its state, to detect changes.
struct Version {
  std::filesystem::path file;
  std::filesystem::file_time_type changed;
  std::uintmax_t size = 0;
  bool operator==(const Version&) const = default;
};

/// Opens an archive. Each thread keeps its last archive open, so that the archive's list of files
/// is read once and not again for each file.
Result<Archive> open_archive(const std::filesystem::path& file) {
  thread_local std::pair<Version, Archive> last;
  std::error_code failed;
  const Version version{file, std::filesystem::last_write_time(file, failed),
                        std::filesystem::file_size(file, failed)};
  if (last.second != nullptr && last.first == version) return last.second;
  int code = 0;
  auto* archive = zip_open(file.c_str(), ZIP_RDONLY, &code);
  if (archive != nullptr) {
    last = {version, Archive(archive, zip_discard)};
    return last.second;
  }
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  return fail(ErrorCode::kMalformedBody, file.string() + ": " + why);
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

Result<std::vector<std::string>> list_entries(const std::filesystem::path& archive) {
  const auto opened = TRY(open_archive(archive));
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  const auto count = zip_get_num_entries(opened.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(opened.get(), static_cast<zip_uint64_t>(i), 0);
    const std::string_view entry = name == nullptr ? "" : name;
    if (entry.empty() || entry.ends_with('/')) continue;
    if (!seen.insert(entry).second) {
      return fail(ErrorCode::kMalformedBody,
                  archive.string() + ": has two files with the name " + std::string(entry));
    }
    names.emplace_back(entry);
  }
  return names;
}

Result<ArchiveEntry> open_entry(const std::filesystem::path& archive, const std::string& entry) {
  const auto opened = TRY(open_archive(archive));
  const auto name = archive.string() + " (" + entry + ")";
  zip_stat_t stat;
  zip_stat_init(&stat);
  const Entry file(zip_fopen(opened.get(), entry.c_str(), 0), [](zip_file_t* open) {
    if (open != nullptr) zip_fclose(open);
  });
  if (file == nullptr || zip_stat(opened.get(), entry.c_str(), 0, &stat) != 0) {
    return fail(ErrorCode::kMalformedBody, name + ": " + zip_strerror(opened.get()));
  }
  // The lambda's captures are destroyed in reverse order: the entry before its archive.
  return ArchiveEntry{
      stat.size, [keep = opened, file, name](char* into, std::size_t most) -> Result<std::size_t> {
        const auto got = zip_fread(file.get(), into, most);
        if (got >= 0) return static_cast<std::size_t>(got);
        return fail(ErrorCode::kMalformedBody, name + ": " + zip_file_strerror(file.get()));
      }};
}

std::optional<PlaceInArchive> place_in_archive(const std::filesystem::path& path) {
  const auto text = path.string();
  for (auto at = text.find('/', 1); at != std::string::npos; at = text.find('/', at + 1)) {
    std::error_code failed;
    const std::filesystem::path archive(text.substr(0, at));
    if (!std::filesystem::is_regular_file(archive, failed)) continue;
    // The file's name stays as in the archive; a path would merge consecutive slashes.
    auto entry = text.substr(at + 1);
    return entry.empty() ? std::nullopt : std::optional(PlaceInArchive{archive, std::move(entry)});
  }
  return std::nullopt;
}

}  // namespace analytics
