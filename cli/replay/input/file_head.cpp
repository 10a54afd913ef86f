#include "cli/replay/input/file_head.h"

#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kSourceBytes = 65'536;  // bytes of header and first record that are hashed
// Number of lines that are searched for a format if the first line shows none.
constexpr std::size_t kLinesLookedAt = 100;

}  // namespace

std::string source_id_of(std::string_view head) {
  const auto digest = digest_of({head.substr(0, kSourceBytes)});
  return to_hex(digest);
}

Result<ChosenReader> choose_reader(LineCursor& lines, const std::string& first,
                                   const InputConfig& config, const std::string& known_format) {
  auto chosen = open_reader(config.format, first, config.reader);
  if (chosen || chosen.error().code != ErrorCode::kMalformedBody) return chosen;
  if (!known_format.empty()) {
    auto known = TRY(open_reader(known_format, first, config.reader));
    known.reason = "as what was read before";
    return known;
  }
  std::vector<CompressedInput::Line> looked_at;
  CompressedInput::Line line;
  bool is_known = false;
  while (!is_known && looked_at.size() < kLinesLookedAt && lines.next(line)) {
    is_known = has_line_format(line.text, config.reader);
    looked_at.push_back(line);
  }
  lines.take_back(std::move(looked_at));
  if (is_known) return open_reader(config.format, line.text, config.reader);
  return chosen;
}

Result<std::optional<FileHead>> read_head(CompressedInput& input, const InputConfig& config,
                                          const std::string& known_format) {
  LineCursor lines(input, config.tables);
  CompressedInput::Line line;
  std::optional<ChosenReader> chosen;
  std::string text;
  while (lines.next(line)) {
    if (trim(line.text).empty()) continue;
    if (!chosen) chosen = TRY(choose_reader(lines, line.text, config, known_format));
    const auto content = assemble_record(*chosen->reader, lines, line);
    text += line.text + '\n';
    if (std::holds_alternative<NoRecord>(content)) continue;
    return FileHead{chosen->format, chosen->reason, source_id_of(text)};
  }
  if (!chosen) return std::nullopt;
  return FileHead{chosen->format, chosen->reason, {}};
}

bool can_be_read_twice(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code missing;
  const auto type = fs::status(file, missing).type();
  return file != "-" &&
         (type == fs::file_type::regular || type == fs::file_type::directory || missing);
}

}  // namespace analytics::cli
