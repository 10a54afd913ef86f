#pragma once

#include <cstddef>
#include <string_view>

#include <tl/expected.hpp>

#include "daemon/http/message.h"

/// The gate before the parser: judges the raw bytes of a header block (reliability.md, HTTP
/// framing), because a parser that is kind to odd framing is how requests get smuggled.
namespace analytics::http::framing {

struct Limits {
  std::size_t request_line = 8'192;  ///< Bytes.
  std::size_t head = 16'384;         ///< Bytes, request line not counted.
  std::size_t fields = 100;
};

/// `block` ends with the blank line. The views of the Head point into it.
/// Error: the status to refuse with; the connection must close then.
[[nodiscard]] tl::expected<Head, int> parse_head(std::string_view block, const Limits& limits);

}  // namespace analytics::http::framing
