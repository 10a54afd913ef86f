// Records of tables: CSV, JSON logs, exports, rows of reject files. What is an event can be sent,
// whatever the bytes were, and a record that is whole is read the same however it is cut into
// lines.
#include <cstdint>

#include "cli/replay/formats/csv_fields.h"
#include "cli/replay/formats/rejects_reader.h"
#include "cli/replay/formats/table_readers.h"
#include "common/json_elements.h"
#include "tests/fuzz/readers.h"

using namespace analytics;
using namespace analytics::cli;

namespace {

/// A document has the same elements in whatever pieces it comes.
void check_elements(std::string_view text) {
  JsonElements whole;
  JsonElements pieces;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = whole.find_end(text.substr(at));
    const auto size = end.value_or(text.size() - at);
    for (std::size_t i = 0; i < size; ++i) {
      const auto last = pieces.find_end(text.substr(at + i, 1));
      REQUIRE_PROPERTY(last.has_value() == (end.has_value() && i + 1 == size));
    }
    at += size;
  }
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
  check_elements(text);
  if (csv_fields(text, ',')) REQUIRE_PROPERTY(is_whole_csv(text));
  return 0;
}
