#include "cli/replay/send/sender.h"

#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {

void Sender::settle(const Record& record, RecordFate fate, std::string_view reason, Settled end) {
  --accounts_.pending;
  count(accounts_, fate, reason);
  const auto* event = std::get_if<ReplayEvent>(&record.content);
  if (event != nullptr && fate == RecordFate::kAccepted)
    accounts_.withheld += event->payload.withheld;
  observer_.settled(record, fate, reason, end);
}

void Sender::reject(const Record& record, std::string_view stage, const std::string& code,
                    const std::string& message, Settled end) {
  observer_.rejected(record, stage, code, message);
  settle(record, RecordFate::kRejected, {}, end);
}

std::string Sender::body_of(const Record& record, const SenderConfig& config) {
  const auto& event = std::get<ReplayEvent>(record.content);
  if (event.is_body && config.import_fields && config.own_time) {
    return std::string(trim(record.original));
  }
  auto payload = event.payload;
  if (!config.import_fields) drop_import_fields(payload);
  if (!config.own_time) payload.timestamp.reset();
  if (!config.dedupe_ids) payload.id.reset();
  return to_json(payload);
}

void Sender::note_pause(const HttpReply& reply) {
  pause_ = reply.failure != HttpReply::Failure::kNone
               ? "waiting: " + reply.reason
               : "waiting: the server answered " + std::to_string(reply.status);
}

bool Sender::count_other(const Record& record) {
  if (record.settled || std::holds_alternative<NoRecord>(record.content)) return true;
  ++accounts_.read;
  ++accounts_.pending;
  if (std::holds_alternative<Filtered>(record.content)) {
    settle(record, RecordFate::kFiltered);
  } else if (const auto* error = std::get_if<Error>(&record.content)) {
    // A last line without its end may be incomplete, so the next run reads it again.
    const auto end = record.is_ended ? Settled::kForGood : Settled::kForThisRun;
    reject(record, "parse", std::string(error_info(error->code).name), error->message, end);
  } else {
    return false;
  }
  return true;
}

}  // namespace analytics::cli
