// Fuzzes records of tables: CSV, JSON logs, exports, rows of reject files. Whatever the bytes are,
// every event that replay makes from them can be sent. A document has the same elements however
// its bytes are split.
#include <cstdint>

#include "cli/replay/formats/csv_fields.h"
#include "cli/replay/formats/rejects_reader.h"
#include "cli/replay/formats/table_readers.h"
#include "common/io/json_elements.h"
#include "common/text/personal_data.h"
#include "tests/fuzz/readers.h"

using namespace analytics;
using namespace analytics::cli;

namespace {

/// Reads a document in pieces of `piece` bytes, and returns the end offset of each element.
std::vector<std::size_t> ends_of(std::string_view text, std::size_t piece) {
  JsonElements elements;
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size();) {
    const auto bytes = text.substr(at, piece);
    const auto end = elements.find_end(bytes);
    at += end.value_or(bytes.size());  // 0 if the element ends just before this piece
    if (end) ends.push_back(at);
  }
  return ends;
}

/// Checks that a document has the same elements whatever the size of its pieces.
void check_elements(std::string_view text) {
  REQUIRE_PROPERTY(ends_of(text, text.size()) == ends_of(text, 1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto options = fuzz_options();
  const auto check = [&](const ReadLine& read) { require_sendable(read, options); };
  check(JsonReader(options).read(text));
  check(RejectsReader(options).read(text));
  CsvReader csv(options);
  (void)csv.read("url,timestamp,name,props,ip");
  check(csv.read(text));
  const auto end = std::min(text.find('\n'), text.size());
  CsvReader own(options);  // the first line is the header
  (void)own.read(text.substr(0, end));
  check(own.read(text.substr(std::min(end + 1, text.size()))));
  for (const auto& format : export_formats()) {
    ExportReader rows(format, options);
    check(rows.read(text));
    rows.divide(text, [&](const std::string& part, std::size_t) {
      check(rows.read(part));
      return true;
    });
    CsvReader table(options, &format);
    (void)table.read(text.substr(0, end));
    check(table.read(text.substr(std::min(end + 1, text.size()))));
  }
  check(CsvReader(options, *find_export_format("snowplow"), snowplow_columns()).read(text));
  std::string url(text);
  (void)redact_url(url);
  REQUIRE_PROPERTY(!has_email(url));
  (void)redact(url);
  REQUIRE_PROPERTY(redact(url) == 0);
  if (!may_be_personal(text)) {  // the fast check must be right; "?@" forces the full check
    auto forced = std::string(text) + "?@";
    REQUIRE_PROPERTY(redact_url(forced) == 0);
    REQUIRE_PROPERTY(redact(forced) == 0);
  }
  check_elements(text);
  if (csv_fields(text, ',')) REQUIRE_PROPERTY(is_whole_csv(text));
  return 0;
}
