#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace analytics {

/// Unpacks a compressed stream piece by piece; members after each other are one text. Memory is
/// bounded by the window of the coding: at most 32 MiB of zstd, 80 MiB of xz.
class Unpacker {
 public:
  enum class Step {
    kMore,       ///< Goes on with more bytes.
    kMemberEnd,  ///< A member has ended; more may follow.
    kDamaged,    ///< problem() says why.
  };
  virtual ~Unpacker() = default;

  /// Appends a piece of text; what was taken is removed from the front of `packed`.
  virtual Step unpack(std::string_view& packed, std::string& text) = 0;
  /// Makes ready for another member. Its first bytes are those of this coding: see is_member().
  virtual bool restart() = 0;
  [[nodiscard]] virtual bool is_member(std::string_view first_bytes) const = 0;
  [[nodiscard]] const std::string& problem() const { return problem_; }

 protected:
  Step damaged(const char* why) {
    problem_ = why == nullptr ? "unknown" : why;
    return Step::kDamaged;
  }

 private:
  std::string problem_;
};

/// Enough of a stream to tell its coding.
inline constexpr std::size_t kCodingBytes = 6;

/// For gzip, zstd, bzip2 and xz, by their first bytes; null for anything else. Throws
/// std::bad_alloc.
[[nodiscard]] std::unique_ptr<Unpacker> make_unpacker(std::string_view first_bytes);

}  // namespace analytics
