#include "daemon/app/upgrade.h"

#include <string>

#include "common/io/fs.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics {
namespace {

/// Copies the database to a file beside it and returns the copy's name. Throws AppError.
std::string copy(const std::filesystem::path& database, std::int64_t schema, UnixSeconds now) {
  auto name = database.string() + ".schema-" + std::to_string(schema) + "-" + format_compact(now);
  const auto refuse = [&](const Error& error) {
    throw AppError(ExitCode::kRuntime,
                   "the database is not copied before its upgrade: " + error.reason() +
                       "; make room, or start with --no-copy if you have a backup");
  };
  auto file = NewFile::create(name + ".partial");
  if (!file) refuse(file.error());
  const auto written = sqlite::write_copy(database, file->descriptor(), false);
  if (!written) refuse(written.error());
  if (const auto renamed = file->rename(name, false); !renamed) refuse(renamed.error());
  return name;
}

std::string range_of(const store::Schemas& schemas) {
  return "from schema " + std::to_string(schemas.stored) + " to " + std::to_string(schemas.newest);
}

}  // namespace

Upgrade::Upgrade(const std::filesystem::path& database, const store::Schemas& schemas,
                 const UpgradeOptions& options, const Clock& clock, Log& log)
    : schemas_(schemas), begun_(clock.now()) {
  if (schemas_.stored == 0 || schemas_.stored == schemas_.newest) return;
  if (!options.is_allowed) {
    throw AppError(ExitCode::kUnusable,
                   database.string() + " needs an upgrade " + range_of(schemas_) +
                       ", after which older versions cannot read it: start without --no-migrate");
  }
  log.info("the database is upgraded " + range_of(schemas_));
  if (!options.copies_first) return;
  const auto now = std::chrono::floor<std::chrono::seconds>(clock.now());
  log.info("the database was copied before its upgrade",
           {{"file", copy(database, schemas_.stored, now)}});
}

void Upgrade::finish(const Clock& clock, Log& log) const {
  if (is_new() || schemas_.stored == schemas_.newest) return;
  const auto elapsed = std::chrono::duration<double>(clock.now() - begun_).count();
  log.info("the database was upgraded " + range_of(schemas_),
           {{"seconds", std::to_string(elapsed).substr(0, 5)}});
}

}  // namespace analytics
