#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace analytics {

/// The text as one gzip member, the same for the same text.
[[nodiscard]] std::string gzip(std::string_view text);

/// One gzip member whose text comes in pieces: what was given can be unpacked as soon as it has
/// arrived. It begins with a name of random length, so that its size tells nobody which of two
/// texts is in it (Palacios et al., "HTB: a novel mitigation of compression side-channel attacks",
/// 2022).
class GzipStream {
 public:
  GzipStream();
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  [[nodiscard]] std::string add(std::string_view piece);
  /// Returns the end. Once, after all pieces.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace analytics
