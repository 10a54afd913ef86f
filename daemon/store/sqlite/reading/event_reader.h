#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <vector>

#include "daemon/store/event_reader.h"
#include "daemon/store/sqlite/db/reading_pins.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/reading/event_matcher.h"
#include "daemon/store/sqlite/reading/pending_removals.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"

namespace analytics::sqlite {

/// Reads single events of a SQLite file: sealed parts, one after another, and then rows. Leaves
/// out events that are being removed.
class SqliteEventReader final : public store::EventReader {
 public:
  /// Opens its own connection to the file. `pins` must outlive the object. Throws SqliteError.
  SqliteEventReader(const std::filesystem::path& file, ReadingPins& pins)
      : connection_(file, Role::kReader), pins_(pins) {}

  Result<EventSelection> resolve(const EventSelection& selection) override;
  Result<std::int64_t> count(const EventSelection& selection) override;
  void cancel() override { cancelled_ = true; }
  Result<std::shared_ptr<store::EventReading>> begin(const EventSelection& selection) override;
  Result<store::EventPage> read(store::EventReading& reading) override;

 private:
  class Reading;
  [[nodiscard]] std::int64_t count_rows(const EventSelection& selection,
                                        const query::Budget& budget, DictionaryReader& texts,
                                        const PendingRemovals& removals);
  [[nodiscard]] store::EventPage read_rows(Reading& reading);
  [[nodiscard]] store::EventPage read_part(Reading& reading);
  [[nodiscard]] query::Budget budget() const {
    return {{std::chrono::hours(1), SIZE_MAX}, cancelled_};
  }

  Connection connection_;
  ReadingPins& pins_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace analytics::sqlite
