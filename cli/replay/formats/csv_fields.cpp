#include "cli/replay/formats/csv_fields.h"

#include <algorithm>
#include <memory>

#include <csv.h>

namespace analytics::cli {
namespace {

void take_field(void* text, std::size_t size, void* fields) {
  static_cast<std::vector<std::string>*>(fields)->emplace_back(static_cast<const char*>(text),
                                                               size);
}

}  // namespace

std::optional<std::vector<std::string>> csv_fields(std::string_view record, char delimiter) {
  csv_parser parser{};
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  const std::unique_ptr<csv_parser, void (*)(csv_parser*)> owner(&parser, csv_free);
  csv_set_delim(&parser, static_cast<unsigned char>(delimiter));
  std::vector<std::string> fields;
  const auto read = csv_parse(&parser, record.data(), record.size(), take_field, nullptr, &fields);
  if (read != record.size() || csv_fini(&parser, take_field, nullptr, &fields) != 0) {
    return std::nullopt;
  }
  return fields;
}

bool is_whole_csv(std::string_view record) {
  return std::count(record.begin(), record.end(), '"') % 2 == 0;
}

char guess_delimiter(std::string_view header) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const auto count = std::count(header.begin(), header.end(), delimiter);
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}

}  // namespace analytics::cli
