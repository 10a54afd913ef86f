#include "cli/totals/report_text.h"

#include <array>

#include "common/io/archive.h"
#include "common/io/compressed_input.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxLine = 1'048'576;
constexpr std::size_t kChunk = 65'536;

}  // namespace

std::string ReportPlace::name() const {
  return entry.empty() ? file.string() : file.string() + " (" + entry + ")";
}

Result<std::vector<ReportPlace>> list_texts(const std::filesystem::path& file) {
  auto opened = TRY(CompressedInput::open(file, 4));
  CompressedInput::Line head;
  if (!opened->next(head) || !is_zip(head.text)) return std::vector{ReportPlace{file, {}}};
  auto entries = TRY(list_entries(file));
  std::vector<ReportPlace> places;
  places.reserve(entries.size());
  for (auto& entry : entries) places.push_back({file, std::move(entry)});
  return places;
}

Result<ReportText::More> ReportText::open_file(const std::filesystem::path& file) {
  const std::shared_ptr<CompressedInput> input = TRY(CompressedInput::open(file, kMaxLine));
  return More([input](std::string& text) -> Result<bool> {
    CompressedInput::Line line;
    if (!input->next(line)) {
      if (input->error()) return fail(*input->error());
      return false;
    }
    text += line.text;
    if (line.is_ended) text += '\n';
    if (line.too_long) text.resize(text.size() + 1, '\n');
    return true;
  });
}

Result<ReportText::More> ReportText::open_packed(const ReportPlace& place) {
  auto opened = TRY(open_entry(place.file, place.entry));
  return More([read = std::move(opened.read)](std::string& text) -> Result<bool> {
    std::array<char, kChunk> chunk{};
    const auto got = TRY(read(chunk.data(), chunk.size()));
    text.append(chunk.data(), got);
    return got > 0;
  });
}

Result<std::unique_ptr<ReportText>> ReportText::open(const ReportPlace& place) {
  auto more = TRY(place.entry.empty() ? open_file(place.file) : open_packed(place));
  return std::unique_ptr<ReportText>(new ReportText(std::move(more)));
}

/// Converts the bytes in raw_ and appends them to text_.
void ReportText::decode(bool is_end) {
  if (!has_begun_) {
    if (raw_.size() < 3 && !is_end) return;
    has_begun_ = true;
    if (Decoder::is_utf16(raw_)) decoder_ = std::move(*Decoder::make("UTF-16"));
    if (raw_.starts_with("\xEF\xBB\xBF")) raw_.erase(0, 3);
  }
  if (decoder_) {
    decoder_->decode(raw_, text_);
    if (is_end) decoder_->finish(text_);
  } else {
    text_ += raw_;
  }
  raw_.clear();
}

bool ReportText::fill() {
  if (ended_) return false;
  text_.erase(0, at_);
  at_ = 0;
  const auto more = more_(raw_);
  if (!more) error_ = more.error();
  ended_ = !more || !*more;
  decode(ended_);
  return true;
}

bool ReportText::next(Line& line) {
  auto end = text_.find('\n', at_);
  while (end == std::string::npos && text_.size() - at_ <= kMaxLine) {
    const auto known = text_.size() - at_;
    if (!fill()) break;
    end = text_.find('\n', known);
  }
  const bool has_end = end != std::string::npos;
  if (!has_end && !ended_) error_ = Error{ErrorCode::kMalformedBody, "a line is over 1 MiB", {}};
  if (error_) return false;
  if (!has_end) end = text_.size();
  if (!has_end && end == at_) return false;
  line.text = text_.substr(at_, end - at_);
  if (line.text.ends_with('\r')) line.text.pop_back();
  const auto next = end + (has_end ? 1 : 0);
  line.from = offset_;
  offset_ += next - at_;
  line.to = offset_;
  at_ = next;
  return true;
}

}  // namespace analytics::cli
