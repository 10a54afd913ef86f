#include "cli/replay/sender.h"

#include "common/api_types.h"

namespace analytics::cli {

bool Sender::count_other(const Record& record) {
  if (std::holds_alternative<NoRecord>(record.content)) return true;
  ++accounts_.read;
  if (std::holds_alternative<Filtered>(record.content)) {
    ++accounts_.filtered;
  } else if (const auto* error = std::get_if<Error>(&record.content)) {
    reject(record, "parse", std::string(error_info(error->code).name), error->message);
  } else {
    ++accounts_.pending;
    return false;
  }
  return true;
}

}  // namespace analytics::cli
