#include "common/io/decompress.h"

#include <algorithm>
#include <memory>

#include <zlib.h>
#include <zstd.h>

#include "common/io/gzip.h"
#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::size_t kStep = 262'144;
constexpr int kMaxBodyWindowLog = 24;  // largest window that a frame may require: 16 MiB

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kMalformedBody, "The body cannot be decompressed.");
}

/// Makes room in `text` for one more step after its first `used` bytes. Returns false if these
/// bytes already exceed `max_bytes`.
bool make_room(std::string& text, std::size_t used, std::size_t max_bytes) {
  if (used > max_bytes) return false;
  // One extra byte reveals a text that is too large.
  text.resize(std::min(used + kStep, max_bytes + 1));
  return true;
}

tl::unexpected<Error> too_large() {
  return fail(ErrorCode::kBodyTooLarge, "The decompressed body is too large.");
}

Result<std::string> gunzip(std::string_view packed, std::size_t max_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return damaged();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> guard(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  std::size_t used = 0;
  while (true) {
    if (!make_room(text, used, max_bytes)) return too_large();
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + used);
    stream.avail_out = static_cast<uInt>(text.size() - used);
    const int code = inflate(&stream, Z_NO_FLUSH);
    used = text.size() - stream.avail_out;
    if (code == Z_STREAM_END) {
      if (used > max_bytes) return too_large();
      if (stream.avail_in == 0) break;
      if (inflateReset(&stream) != Z_OK) return damaged();  // another member follows
    } else if (code != Z_OK) {
      return damaged();
    }
  }
  text.resize(used);
  return text;
}

Result<std::string> unzstd(std::string_view packed, std::size_t max_bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  if (stream == nullptr) return damaged();
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kMaxBodyWindowLog);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string text;
  std::size_t used = 0;
  std::size_t left = 1;  // 0 once a frame is complete
  while (in.pos < in.size || left != 0) {
    if (!make_room(text, used, max_bytes)) return too_large();
    ZSTD_outBuffer out{text.data(), text.size(), used};
    const auto before = in.pos;
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return damaged();
    if (left != 0 && in.pos == before && out.pos == used) return damaged();  // truncated frame
    used = out.pos;
  }
  if (used > max_bytes) return too_large();
  text.resize(used);
  return text;
}

}  // namespace

std::optional<ContentCoding> parse_content_coding(std::string_view name) {
  if (name.empty() || iequals(name, "identity")) return ContentCoding::kIdentity;
  if (iequals(name, "gzip") || iequals(name, "x-gzip")) return ContentCoding::kGzip;
  if (iequals(name, "zstd")) return ContentCoding::kZstd;
  return std::nullopt;
}

Result<std::string> decompress(std::string_view packed, ContentCoding coding,
                               std::size_t max_bytes) {
  switch (coding) {
    case ContentCoding::kIdentity:
      if (packed.size() > max_bytes) return too_large();
      return std::string(packed);
    case ContentCoding::kGzip: return gunzip(packed, max_bytes);
    case ContentCoding::kZstd: return unzstd(packed, max_bytes);
  }
  return damaged();
}

}  // namespace analytics
