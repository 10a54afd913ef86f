#pragma once

#include <optional>
#include <string_view>

#include "common/compressed_input.h"

namespace analytics {

/// Takes a JSON document apart without holding it: the objects of a list, or objects one after
/// another, whatever line ends are in and between them. What stands before an object, such as the
/// comma, belongs to its record. Linear in the bytes; checks only what it needs to find ends.
class JsonElements final : public Framing {
 public:
  /// True if a file that begins with this line is to be read so: with a list, or with an object
  /// that goes on in the next line.
  [[nodiscard]] static bool fits(std::string_view first_line);

  [[nodiscard]] std::optional<std::size_t> find_end(std::string_view bytes) override;

 private:
  std::size_t depth_ = 0;
  bool is_list_ = false;  ///< The outermost value is a list.
  bool is_text_ = false;
  bool is_escaped_ = false;
};

/// The object in a record of JsonElements, without what stands before it.
[[nodiscard]] std::string_view bare_element(std::string_view record);

}  // namespace analytics
