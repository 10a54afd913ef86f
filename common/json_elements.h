#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/compressed_input.h"

namespace analytics {

/// Takes a JSON document apart without holding it: the objects of a list, or objects one after
/// another, whatever line ends are in and between them. What stands before an object, such as the
/// comma, belongs to its record. What cannot be JSON ends with its line, and is a record of its
/// own: one damaged object does not spoil those behind it, and a line of something else is a line.
/// Linear in the bytes.
class JsonElements final : public Framing {
 public:
  /// True if a file that begins with this line is to be read so: with a list, or with an object
  /// that goes on in the next line.
  [[nodiscard]] static bool fits(std::string_view first_line);

  [[nodiscard]] std::optional<std::size_t> find_end(std::string_view bytes) override;

 private:
  enum class Step { kGoOn, kEndBehind, kEndBefore };
  Step take(char c);
  Step take_of_text(char c);
  Step take_between(char c);
  Step take_inside(char c, bool is_first_of_line);
  Step break_off();
  void begin_record();
  [[nodiscard]] bool is_between() const { return open_.empty() || open_ == "["; }

  std::string open_;          ///< The brackets that are open, outermost first.
  bool has_list_ = false;     ///< The outermost is a list.
  bool is_new_list_ = false;  ///< It began in this record.
  bool has_content_ = false;
  bool is_text_ = false;
  bool is_escaped_ = false;
  bool is_line_ = false;  ///< The rest of the line is no JSON.
  bool is_line_start_ = true;
  bool is_first_column_ = true;
  char last_ = '\0';  ///< The last character that was no blank, outside of texts.
};

/// The object in a record of JsonElements, without what stands before it; or the line.
[[nodiscard]] std::string_view bare_element(std::string_view record);

}  // namespace analytics
