#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"

/// Zip archives: the files in them.
namespace analytics {

/// True if the text begins like a zip archive.
[[nodiscard]] bool is_zip(std::string_view head);

/// Returns the names of the files in an archive, in its order. Errors: kMalformedBody.
[[nodiscard]] Result<std::vector<std::string>> list_entries(const std::filesystem::path& archive);

/// Reads up to so many bytes of a file in an archive, unpacked. 0 at its end. Errors:
/// kMalformedBody.
using EntryReader = std::function<Result<std::size_t>(char* into, std::size_t most)>;

struct ArchiveEntry {
  std::uint64_t size = 0;  ///< Unpacked, as the archive says.
  EntryReader read;
};
/// Errors: kMalformedBody.
[[nodiscard]] Result<ArchiveEntry> open_entry(const std::filesystem::path& archive,
                                              const std::string& entry);

struct PlaceInArchive {
  std::filesystem::path archive;
  std::string entry;
};
/// Takes "exports/a.zip/folder/b.csv" apart, where a.zip is a file. None for all other paths.
[[nodiscard]] std::optional<PlaceInArchive> place_in_archive(const std::filesystem::path& path);

}  // namespace analytics
