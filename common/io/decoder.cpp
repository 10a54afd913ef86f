#include "common/io/decoder.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <iconv.h>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::size_t kDecoded = 16'384;

std::size_t unit_of(const std::string& encoding) {
  const auto name = ascii_lower(encoding);
  for (const auto* wide : {"utf-32", "utf32", "ucs-4", "ucs4", "wchar_t"}) {
    if (name.starts_with(wide)) return 4;
  }
  for (const auto* wide : {"utf-16", "utf16", "ucs-2", "ucs2", "unicode"}) {
    if (name.starts_with(wide)) return 2;
  }
  return 1;
}

}  // namespace

void Decoder::Close::operator()(void* handle) const { iconv_close(handle); }

Result<Decoder> Decoder::make(const std::string& encoding) {
  auto* handle = iconv_open("UTF-8", encoding.c_str());
  // iconv_open() returns -1 for an unknown encoding.
  if (reinterpret_cast<std::intptr_t>(handle) == -1) {
    return fail(ErrorCode::kInvalidParameter, "unknown encoding \"" + encoding + "\"");
  }
  return Decoder(handle, unit_of(encoding));
}

bool Decoder::is_utf16(std::string_view head) {
  return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
}

void Decoder::decode(std::string_view bytes, std::string& into) {
  kept_ += bytes;
  char* from = kept_.data();
  std::size_t left = kept_.size();
  std::array<char, kDecoded> buffer{};
  while (left > 0) {
    char* to = buffer.data();
    std::size_t room = buffer.size();
    const auto done = iconv(handle_.get(), &from, &left, &to, &room);
    const int problem = errno;
    into.append(buffer.data(), buffer.size() - room);
    if (done != static_cast<std::size_t>(-1)) break;
    if (problem == EINVAL) break;  // the rest of the character comes in the next piece
    if (problem != EILSEQ) continue;
    into += kReplacementCharacter;
    const auto bad = std::min(left, unit_);
    from += bad;
    left -= bad;
  }
  kept_.erase(0, kept_.size() - left);
}

void Decoder::finish(std::string& into) {
  if (!kept_.empty()) into += kReplacementCharacter;
  kept_.clear();
}

}  // namespace analytics
