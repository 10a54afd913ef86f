#include "common/compress.h"

#include <new>

#include <zlib.h>

#include "common/gzip.h"

namespace analytics {
namespace {

constexpr int kMemory = 8;  // zlib's own default

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // the bound is enough: it ends in one call
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace analytics
