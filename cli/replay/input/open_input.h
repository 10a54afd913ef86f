#pragma once

#include <memory>
#include <string>

#include "common/io/compressed_input.h"

namespace analytics::cli {

/// Opens a file of events, which may be in a zip archive: "umami.zip/website_event.csv". Errors:
/// those of CompressedInput::open(); kMalformedBody.
[[nodiscard]] Result<std::unique_ptr<CompressedInput>> open_input(
    const std::string& file, CompressedInput::AtEnd at_end = CompressedInput::AtEnd::kStop,
    const std::string& encoding = {});

}  // namespace analytics::cli
