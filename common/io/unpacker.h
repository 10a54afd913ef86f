#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace analytics {

/// Unpacks a compressed stream piece by piece; consecutive members form one text. The coding's
/// window bounds the memory: at most 32 MiB for zstd, 80 MiB for xz.
class Unpacker {
 public:
  enum class Step {
    kMore,       ///< Call unpack() again, with more bytes if `packed` is empty.
    kMemberEnd,  ///< A member has ended; others may follow.
    kDamaged,    ///< The data is damaged; problem() returns the reason.
  };
  virtual ~Unpacker() = default;

  /// Appends a piece of text, and removes the bytes it has read from the front of `packed`.
  virtual Step unpack(std::string_view& packed, std::string& text) = 0;
  /// Prepares for the next member, for which is_member() must be true. Returns false on failure.
  virtual bool restart() = 0;
  /// Returns true if a member of this coding begins with these bytes.
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

/// Number of bytes needed to recognise a stream's coding.
inline constexpr std::size_t kCodingBytes = 6;

/// Creates the unpacker for gzip, zstd, bzip2 or xz by the first bytes of the stream; null for any
/// other stream. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<Unpacker> make_unpacker(std::string_view first_bytes);

}  // namespace analytics
