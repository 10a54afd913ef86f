#include "daemon/admin/backup_rotation.h"

#include "tests/support/catch.h"

namespace analytics::test::backup_rotation_test {

using namespace analytics::admin;
using std::chrono::days;
using std::chrono::hours;

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 23;  // a Monday

/// Returns the names of backups at noon of each of the last `count` days.
std::set<std::string> daily(int count) {
  std::set<std::string> names;
  for (int i = 0; i < count; ++i) names.insert(backup_name(kToday - days(i) + hours(12)));
  return names;
}

std::set<std::string> kept(const std::string& rotation, std::set<std::string> names) {
  for (const auto& name : outdated(parse_rotation(rotation).value(), names)) names.erase(name);
  return names;
}

}  // namespace

TEST_CASE("rotation: a day, a week and a month each keep their newest backup", "[admin]") {
  CHECK(backup_name(kToday + hours(3)) == "analytics-20261123T030000Z.db");
  CHECK(kept("7d", daily(30)) == daily(7));
  // This Monday, and the Sundays that end the two previous weeks.
  CHECK(kept("3w", daily(30)) == std::set<std::string>{"analytics-20261123T120000Z.db",
                                                       "analytics-20261122T120000Z.db",
                                                       "analytics-20261115T120000Z.db"});
  CHECK(kept("2m", daily(60)) ==
        std::set<std::string>{"analytics-20261123T120000Z.db", "analytics-20261031T120000Z.db"});
  CHECK(kept("2d,2w,2m", daily(60)) == std::set<std::string>{"analytics-20261123T120000Z.db",
                                                             "analytics-20261122T120000Z.db",
                                                             "analytics-20261031T120000Z.db"});
}

TEST_CASE("rotation: of several backups in a day, however old, the newest is kept", "[admin]") {
  const std::set<std::string> names = {backup_name(kToday + hours(1)),
                                       backup_name(kToday + hours(2)),
                                       backup_name(kToday - days(400))};
  CHECK(kept("2d", names) ==
        std::set<std::string>{backup_name(kToday + hours(2)), backup_name(kToday - days(400))});
  CHECK(kept("1d", names) == std::set<std::string>{backup_name(kToday + hours(2))});
}

TEST_CASE("rotation: after a year of daily rotation, the requested backups are left", "[admin]") {
  std::set<std::string> names;
  for (int i = 365; i >= 0; --i) {
    names.insert(backup_name(kToday - days(i)));
    names = kept("7d,4w,6m", std::move(names));
  }
  // The newest backup of a week or month may also be a daily one.
  CHECK(names.size() == 7 + 3 + 5 - 1);
  CHECK(names.contains(backup_name(kToday)));
}

TEST_CASE("rotation: other files are never removed, and invalid rules are refused", "[admin]") {
  const std::set<std::string> others = {"analytics.db", "analytics-2026.db", "notes.txt",
                                        "analytics-20261399T990000Z.db",
                                        "analytics-20261123T030000Z.db.partial-7"};
  CHECK(outdated(parse_rotation("1d").value(), others).empty());
  CHECK(outdated(parse_rotation("1d").value(), {}).empty());
  for (const auto* text : {"", "7", "d", "0d", "-1d", "7d,", "7d,2d", "7y", "9999d", "7 d"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_rotation(text).has_value());
  }
}

}  // namespace analytics::test::backup_rotation_test
