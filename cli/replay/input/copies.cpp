#include "cli/replay/input/copies.h"

#include "cli/replay/input/open_input.h"

namespace analytics::cli {

Likeness compare_files(const std::string& first, const std::string& second) {
  const auto a = open_input(first);
  const auto b = open_input(second);
  if (!a || !b) return Likeness::kOther;
  CompressedInput::Line line_a;
  CompressedInput::Line line_b;
  while (true) {
    const bool has_a = (*a)->next(line_a);
    const bool has_b = (*b)->next(line_b);
    if ((*a)->error() || (*b)->error()) return Likeness::kOther;
    if (!has_b) return Likeness::kSecondIsPart;
    if (!has_a) return Likeness::kFirstIsPart;
    // Such files count as different, because only the beginning of a line that is too long is
    // known.
    if (line_a.too_long || line_b.too_long) return Likeness::kOther;
    if (line_a.text == line_b.text) continue;
    // A last line without a line end may be the beginning of a longer line in the other file.
    if (!line_b.is_ended && line_a.text.starts_with(line_b.text)) return Likeness::kSecondIsPart;
    if (!line_a.is_ended && line_b.text.starts_with(line_a.text)) return Likeness::kFirstIsPart;
    return Likeness::kOther;
  }
}

}  // namespace analytics::cli
