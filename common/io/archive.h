#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/compressed_input.h"
#include "common/run/result.h"

/// Reads the files in zip archives.
namespace analytics {

/// Returns true if the text begins like a zip archive.
[[nodiscard]] bool is_zip(std::string_view head);

/// Returns the names of the files in an archive, in the archive's order. Errors: kMalformedBody.
[[nodiscard]] Result<std::vector<std::string>> list_entries(const std::filesystem::path& archive);

struct ArchiveEntry {
  std::uint64_t size = 0;        ///< Unpacked size according to the archive.
  CompressedInput::Reader read;  ///< Reads the unpacked bytes. Errors: kMalformedBody.
};
/// Opens a file in an archive. Errors: kMalformedBody.
[[nodiscard]] Result<ArchiveEntry> open_entry(const std::filesystem::path& archive,
                                              const std::string& entry);

struct PlaceInArchive {
  std::filesystem::path archive;
  std::string entry;
};
/// Splits "exports/a.zip/folder/b.csv" into archive and entry if a.zip is a file. Returns nullopt
/// for all other paths.
[[nodiscard]] std::optional<PlaceInArchive> place_in_archive(const std::filesystem::path& path);

}  // namespace analytics
