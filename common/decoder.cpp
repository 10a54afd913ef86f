#include "common/decoder.h"

#include <array>
#include <cerrno>

#include <iconv.h>

namespace analytics {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kDecoded = 16'384;

}  // namespace

void Decoder::Close::operator()(void* handle) const { iconv_close(handle); }

Result<Decoder> Decoder::make(const std::string& encoding) {
  auto* handle = iconv_open("UTF-8", encoding.c_str());
  // The handle of an unknown encoding is -1.
  if (reinterpret_cast<std::intptr_t>(handle) == -1) {
    return fail(ErrorCode::kInvalidParameter, "unknown encoding \"" + encoding + "\"");
  }
  return Decoder(handle);
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
    if (problem == EINVAL) break;  // the rest of the character comes later
    if (problem != EILSEQ) continue;
    into += kReplacement;
    ++from;
    --left;
  }
  kept_.erase(0, kept_.size() - left);
}

void Decoder::finish(std::string& into) {
  if (!kept_.empty()) into += kReplacement;
  kept_.clear();
}

}  // namespace analytics
