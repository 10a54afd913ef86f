#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/compressed_input.h"
#include "common/result.h"

/// Zip archives: the files in them.
namespace analytics {

/// True if the text begins like a zip archive.
[[nodiscard]] bool is_zip(std::string_view head);

/// Returns the names of the files in an archive, in its order. Errors: kMalformedBody.
[[nodiscard]] Result<std::vector<std::string>> list_entries(const std::filesystem::path& archive);

struct ArchiveEntry {
  std::uint64_t size = 0;        ///< Unpacked, as the archive says.
  CompressedInput::Reader read;  ///< Gives its bytes unpacked. Errors: kMalformedBody.
};
/// Opens a file of an archive. Errors: kMalformedBody.
[[nodiscard]] Result<ArchiveEntry> open_entry(const std::filesystem::path& archive,
                                              const std::string& entry);

struct PlaceInArchive {
  std::filesystem::path archive;
  std::string entry;
};
/// Takes "exports/a.zip/folder/b.csv" apart, where a.zip is a file. None for all other paths.
[[nodiscard]] std::optional<PlaceInArchive> place_in_archive(const std::filesystem::path& path);

}  // namespace analytics
