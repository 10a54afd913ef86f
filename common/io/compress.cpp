#include "common/io/compress.h"

#include <new>

#include <zlib.h>

#include "common/io/gzip.h"
#include "common/run/secret.h"

namespace analytics {
namespace {

constexpr int kMemoryLevel = 8;  // zlib's default
constexpr std::size_t kMaxPaddingCharacters = 64;

void begin(z_stream& stream) {
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

}  // namespace

struct GzipStream::State {
  z_stream stream{};
  gz_header header{};
  std::string name;

  std::string pack(std::string_view text, int flush) {
    std::string packed;
    char buffer[16'384];
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer);
      stream.avail_out = sizeof buffer;
      deflate(&stream, flush);
      packed.append(buffer, sizeof buffer - stream.avail_out);
    } while (stream.avail_out == 0);
    return packed;
  }
};

GzipStream::GzipStream() : state_(std::make_unique<State>()) {
  begin(state_->stream);
  const auto random = random_hash_key();
  state_->name = std::string(1 + random.front() % kMaxPaddingCharacters, 'x');
  state_->header.name = reinterpret_cast<Bytef*>(state_->name.data());
  deflateSetHeader(&state_->stream, &state_->header);
}

GzipStream::~GzipStream() { deflateEnd(&state_->stream); }

std::string GzipStream::add(std::string_view piece) { return state_->pack(piece, Z_SYNC_FLUSH); }

std::string GzipStream::finish() { return state_->pack({}, Z_FINISH); }

std::string gzip(std::string_view text) {
  z_stream stream{};
  begin(stream);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // one call is enough, because packed has deflateBound() bytes
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace analytics
