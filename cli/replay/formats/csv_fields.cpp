#include "cli/replay/formats/csv_fields.h"

#include <algorithm>
#include <memory>

#include <csv.h>

#include "common/text/text.h"

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

char escaped_character(char letter) {
  constexpr std::string_view kLetters = "bfnrtv0";
  constexpr std::string_view kMeant("\b\f\n\r\t\v\0", 7);
  const auto at = kLetters.find(letter);
  return at == std::string_view::npos ? letter : kMeant[at];
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    plain += is_escape ? escaped_character(text[++at]) : text[at];
  }
  return plain;
}

std::vector<std::string> escaped_fields(std::string_view record) {
  std::vector<std::string> fields;
  for (const auto field : split(record, '\t')) {
    const bool stays = field == "\\N" || field.starts_with("['");
    fields.push_back(stays ? std::string(field) : unescaped(field));
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
