#include "common/io/unpacker.h"

#include <new>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "common/io/gzip.h"

namespace analytics {
namespace {

using Step = Unpacker::Step;

constexpr std::size_t kPiece = 262'144;
constexpr int kMaxFileWindowLog = 25;  // largest window of a zstd file: 32 MiB
constexpr std::uint64_t kMaxXzMemory = 83'886'080;

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kBzip2Magic = "BZh";
constexpr std::string_view kXzMagic(
    "\xfd"
    "7zXZ\0",
    6);

/// Runs one step of a zlib-like library: its stream has next_in, avail_in, next_out and avail_out.
template <typename Stream, typename Run>
int run_piece(Stream& stream, std::string_view& packed, std::string& text, Run run) {
  using In = decltype(stream.next_in);
  using Out = decltype(stream.next_out);
  const auto had = text.size();
  text.resize(had + kPiece);
  stream.next_in = reinterpret_cast<In>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<decltype(stream.avail_in)>(packed.size());
  stream.next_out = reinterpret_cast<Out>(text.data() + had);
  stream.avail_out = static_cast<decltype(stream.avail_out)>(kPiece);
  const int code = run();
  text.resize(text.size() - static_cast<std::size_t>(stream.avail_out));
  packed.remove_prefix(packed.size() - static_cast<std::size_t>(stream.avail_in));
  return code;
}

class Gzip final : public Unpacker {
 public:
  Gzip() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Step unpack(std::string_view& packed, std::string& text) override {
    const int code =
        run_piece(stream_, packed, text, [this] { return inflate(&stream_, Z_NO_FLUSH); });
    if (code == Z_STREAM_END) return Step::kMemberEnd;
    return code == Z_OK || code == Z_BUF_ERROR ? Step::kMore : damaged(stream_.msg);
  }
  bool restart() override { return inflateReset(&stream_) == Z_OK; }
  bool is_member(std::string_view first) const override { return first.starts_with(kGzipMagic); }

 private:
  z_stream stream_{};
};

class Bzip2 final : public Unpacker {
 public:
  Bzip2() { start(); }
  ~Bzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Step unpack(std::string_view& packed, std::string& text) override {
    const int code =
        run_piece(stream_, packed, text, [this] { return BZ2_bzDecompress(&stream_); });
    if (code == BZ_STREAM_END) return Step::kMemberEnd;
    return code == BZ_OK ? Step::kMore : damaged("bad bzip2 data");
  }
  bool restart() override {
    BZ2_bzDecompressEnd(&stream_);
    start();
    return true;
  }
  bool is_member(std::string_view first) const override { return first.starts_with(kBzip2Magic); }

 private:
  void start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  bz_stream stream_{};
};

class Xz final : public Unpacker {
 public:
  Xz() { start(); }
  ~Xz() override { lzma_end(&stream_); }
  Step unpack(std::string_view& packed, std::string& text) override {
    const int code =
        run_piece(stream_, packed, text, [this] { return lzma_code(&stream_, LZMA_RUN); });
    if (code == LZMA_STREAM_END) return Step::kMemberEnd;
    if (code == LZMA_OK || code == LZMA_BUF_ERROR) return Step::kMore;
    return damaged(code == LZMA_MEMLIMIT_ERROR ? "its window is over 64 MiB" : "bad xz data");
  }
  bool restart() override {
    start();
    return true;
  }
  bool is_member(std::string_view first) const override { return first.starts_with(kXzMagic); }

 private:
  void start() {
    if (lzma_stream_decoder(&stream_, kMaxXzMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Zstd final : public Unpacker {
 public:
  Zstd() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kMaxFileWindowLog);
  }
  Step unpack(std::string_view& packed, std::string& text) override {
    const auto had = text.size();
    text.resize(had + kPiece);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{text.data() + had, kPiece, 0};
    const auto left = ZSTD_decompressStream(stream_.get(), &out, &in);
    text.resize(had + out.pos);
    packed.remove_prefix(in.pos);
    if (ZSTD_isError(left) != 0) return damaged(ZSTD_getErrorName(left));
    return left == 0 ? Step::kMemberEnd : Step::kMore;
  }
  bool restart() override { return true; }  // zstd's decoder restarts by itself
  bool is_member(std::string_view first) const override { return first.starts_with(kZstdMagic); }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(std::string_view first_bytes) {
  if (first_bytes.starts_with(kGzipMagic)) return std::make_unique<Gzip>();
  if (first_bytes.starts_with(kZstdMagic)) return std::make_unique<Zstd>();
  if (first_bytes.starts_with(kBzip2Magic)) return std::make_unique<Bzip2>();
  if (first_bytes.starts_with(kXzMagic)) return std::make_unique<Xz>();
  return nullptr;
}

}  // namespace analytics
