#pragma once

#include <filesystem>

#include "daemon/store/event_reader.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

class SqliteEventReader final : public store::EventReader {
 public:
  explicit SqliteEventReader(const std::filesystem::path& file);  ///< Throws SqliteError.
  Result<EventId> newest() override;
  Result<store::EventPage> read(const store::EventSelection& selection) override;

 private:
  Connection connection_;
};

}  // namespace analytics::sqlite
