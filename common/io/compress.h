#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace analytics {

/// Compresses the text into one gzip member. Equal texts give equal bytes.
[[nodiscard]] std::string gzip(std::string_view text);

/// Compresses a text piece by piece into one gzip member; a client can unpack each piece as soon as
/// it arrives. The header has a name of random length, so that the size does not reveal which of
/// two texts was compressed (Palacios et al., "HTB: a novel mitigation of compression side-channel
/// attacks", 2022).
class GzipStream {
 public:
  GzipStream();
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  [[nodiscard]] std::string add(std::string_view piece);
  /// Returns the last compressed bytes. Call it once, after all pieces.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace analytics
