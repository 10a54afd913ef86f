#include "cli/replay/input/line_cursor.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/io/json_elements.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxJoined = 65'536;  // maximum bytes of a record over several lines

/// Returns the number of line ends in `text` before its part `inner`.
std::uint64_t lines_before(std::string_view text, std::string_view inner) {
  const auto before = text.substr(0, static_cast<std::size_t>(inner.data() - text.data()));
  return static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace

/// Chooses how the file is divided into lines, by its first line.
void LineCursor::begin() {
  has_elements_ = JsonElements::fits(input_.peek());
  if (has_elements_) {
    input_.set_framing(std::make_unique<JsonElements>());
  } else if (auto conversion = make_conversion(input_, tables_)) {
    input_.set_conversion(std::move(conversion));
  }
}

bool LineCursor::next(CompressedInput::Line& line) {
  if (!back_.empty()) {
    line = std::move(back_.front());
    back_.pop_front();
    return true;
  }
  if (!std::exchange(started_, true)) begin();
  if (!input_.next(line)) return false;
  if (has_elements_) {
    const auto bare = bare_element(line.text);
    if (!bare.empty()) line.number += lines_before(line.text, bare);
    line.text = std::string(bare);
  } else if (line.number == 1 && line.text.starts_with("\xEF\xBB\xBF")) {
    line.text.erase(0, 3);
  }
  return true;
}

void LineCursor::take_back(std::vector<CompressedInput::Line> lines) {
  back_.insert(back_.begin(), std::move_iterator(lines.begin()), std::move_iterator(lines.end()));
}

ReadLine assemble_record(LineReader& reader, LineCursor& lines, CompressedInput::Line& line,
                         const std::function<void()>& before_more) {
  if (line.too_long) return Error{ErrorCode::kMalformedBody, "The line is over 1 MiB.", {}};
  if (reader.is_whole(line.text)) return reader.read(line.text);
  before_more();
  auto joined = line;
  std::vector<CompressedInput::Line> behind;
  CompressedInput::Line more;
  while (joined.text.size() < kMaxJoined && !reader.is_whole(joined.text) && lines.next(more)) {
    joined.text += '\n' + more.text;
    joined.end = more.end;
    joined.is_ended = more.is_ended;
    behind.push_back(more);
  }
  if (reader.is_whole(joined.text) && reader.is_sound(joined.text)) {
    line = std::move(joined);
    return reader.read(line.text);
  }
  lines.take_back(std::move(behind));
  return reader.read(line.text);
}

}  // namespace analytics::cli
