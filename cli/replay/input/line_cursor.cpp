#include "cli/replay/input/line_cursor.h"

#include <iterator>

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxJoined = 65'536;  // of a record that goes over several lines

}  // namespace

bool LineCursor::next(CompressedInput::Line& line) {
  if (!back_.empty()) {
    line = std::move(back_.front());
    back_.pop_front();
  } else if (!input_.next(line)) {
    return false;
  } else if (number_ == 0 && line.text.starts_with("\xEF\xBB\xBF")) {
    line.text.erase(0, 3);
  }
  ++number_;
  return true;
}

void LineCursor::take_back(std::vector<CompressedInput::Line> lines) {
  number_ -= lines.size();
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
