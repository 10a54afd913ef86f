#pragma once

#include <filesystem>

#include "daemon/store/event_reader.h"
#include "daemon/store/sqlite/reading_pins.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Reads sealed parts, one after another, and then rows.
class SqliteEventReader final : public store::EventReader {
 public:
  /// Opens a connection of its own; `pins` must outlive the object. Throws SqliteError.
  SqliteEventReader(const std::filesystem::path& file, ReadingPins& pins)
      : connection_(file, Role::kReader), pins_(pins) {}

  Result<std::shared_ptr<store::EventReading>> begin(
      const store::EventSelection& selection) override;
  Result<store::EventPage> read(store::EventReading& reading) override;

 private:
  class Reading;
  [[nodiscard]] store::EventPage read_rows(Reading& reading);
  [[nodiscard]] store::EventPage read_part(Reading& reading);

  Connection connection_;
  ReadingPins& pins_;
};

}  // namespace analytics::sqlite
