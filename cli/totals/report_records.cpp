#include "cli/totals/report_records.h"

#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxRecord = 65'536;  // maximum size of a record of several lines, in bytes
constexpr std::size_t kHashed = 1'048'576;  // bytes hashed at a time

}  // namespace

bool ReportRecords::next(Record& record) {
  ReportText::Line line;
  if (!text_.next(line)) return false;
  record = {std::move(line.text), line.from, line.to, ++number_};
  const bool is_comment = record.text.starts_with('#');
  while (!is_comment && !reader_.is_whole(record.text) && record.text.size() < kMaxRecord &&
         text_.next(line)) {
    ++number_;
    record.text += '\n' + line.text;
    record.to = line.to;
  }
  return true;
}

Result<ReportReader::Dividers> find_dividers(const ReportPlace& place) {
  auto text = TRY(ReportText::open(place));
  ReportReader reader;
  ReportRecords records(*text, reader);
  for (ReportRecords::Record record; records.next(record);) (void)reader.read(record.text);
  if (text->error()) return fail(*text->error());
  return reader.dividers();
}

Result<std::string> content_id_of(const ReportPlace& place) {
  auto text = TRY(ReportText::open(place));
  Digest so_far{};
  std::string block;
  const auto add_block = [&] {
    const std::string_view before(reinterpret_cast<const char*>(so_far.data()), so_far.size());
    so_far = digest_of({before, block});
    block.clear();
  };
  for (ReportText::Line line; text->next(line);) {
    block += line.text + '\n';
    if (block.size() >= kHashed) add_block();
  }
  if (text->error()) return fail(*text->error());
  add_block();
  return to_hex(so_far);
}

}  // namespace analytics::cli
