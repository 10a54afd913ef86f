#include "cli/replay/input/open_input.h"

#include <filesystem>

#include "cli/replay/input/file_head.h"
#include "common/io/archive.h"

namespace analytics::cli {

Result<std::unique_ptr<CompressedInput>> open_input(const std::string& file,
                                                    CompressedInput::AtEnd at_end,
                                                    const std::string& encoding) {
  const auto place = place_in_archive(file);
  if (!place) return CompressedInput::open(file, kMaxLine, at_end, encoding);
  auto entry = TRY(open_entry(place->archive, place->entry));
  return CompressedInput::open(file, entry.size, std::move(entry.read), kMaxLine, encoding);
}

}  // namespace analytics::cli
