#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/io/compressed_input.h"

namespace analytics {

/// Splits a JSON document into its top-level objects without keeping it in memory: the objects of
/// a list, or objects one after another, with any line ends in and between them. A record includes
/// the text before its object, such as a comma. Text that cannot be JSON is a separate record that
/// ends with its line, so that a damaged object does not affect later ones. Takes linear time.
class JsonElements final : public Framing {
 public:
  /// Returns true if a file that begins with this line needs this framing: the line begins with a
  /// list, or with an object that continues on the next line.
  [[nodiscard]] static bool fits(std::string_view first_line);

  [[nodiscard]] std::optional<std::size_t> find_end(std::string_view bytes) override;

 private:
  /// Tells whether the record continues, ends after the character (kEndBehind) or ends before the
  /// character (kEndBefore).
  enum class Step { kGoOn, kEndBehind, kEndBefore };
  Step take(char c);
  Step take_of_text(char c);
  Step take_between(char c);
  Step take_inside(char c, bool is_first_of_line);
  Step break_off();
  void begin_record();
  [[nodiscard]] bool is_between() const { return open_.empty() || open_ == "["; }

  std::string open_;          ///< Open brackets, outermost first.
  bool has_list_ = false;     ///< True if the outermost bracket opens a list.
  bool is_new_list_ = false;  ///< True if the list began in this record.
  bool has_content_ = false;  ///< True if the record has more than white space.
  bool is_text_ = false;      ///< True if the current character is in a string.
  bool is_escaped_ = false;
  bool is_line_ = false;  ///< True if the rest of the line is not JSON.
  bool is_line_start_ = true;
  bool is_first_column_ = true;
  char last_ = '\0';  ///< Last character outside of strings that is not white space.
};

/// Returns the object in a record of JsonElements, without the text before it; if there is no
/// object, returns the line.
[[nodiscard]] std::string_view bare_element(std::string_view record);

}  // namespace analytics
