#include "cli/replay/tables/joined_input.h"

#include <stdexcept>

#include "cli/replay/tables/csv_rows.h"
#include "cli/replay/tables/sql_rows.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

template <typename Step>
std::string without_throwing(const Step& step) {
  try {
    return step();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

using Pass = UmamiJoin::Pass;
constexpr char kStopped[] = "stopped";

class DumpConversion final : public Conversion {
 public:
  DumpConversion(std::shared_ptr<UmamiSideRows> side, Pass pass, std::function<bool()> is_stopped)
      : join_(std::move(side), pass), is_stopped_(std::move(is_stopped)) {}
  std::string convert(std::string_view bytes, std::string& into) override {
    if (is_stopped_()) return kStopped;
    join_.write_to(into);
    return without_throwing([&] { return rows_.feed(bytes); });
  }
  std::string finish(std::string& into) override {
    join_.write_to(into);
    auto problem = without_throwing([&] { return rows_.finish(); });
    if (!problem.empty() || join_.has_event_table()) return problem;
    return "the SQL dump has no table website_event: of SQL dumps, only Umami's are read. Export "
           "other tables as CSV, and see --map. Its tables: " +
           join(rows_.tables(), ", ");
  }

 private:
  UmamiJoin join_;
  SqlRows rows_{join_};
  const std::function<bool()> is_stopped_;
};

/// Stores the rows of a table that belong to events, and writes no lines.
class TableConversion final : public Conversion {
 public:
  TableConversion(std::shared_ptr<UmamiSideRows> side, UmamiTable table,
                  std::function<bool()> is_stopped)
      : join_(std::move(side), Pass::kFirst),
        rows_(join_, std::string(umami_table_name(table))),
        is_stopped_(std::move(is_stopped)) {}
  std::string convert(std::string_view bytes, std::string&) override {
    if (is_stopped_()) return kStopped;
    return without_throwing([&] { return rows_.feed(bytes); });
  }
  std::string finish(std::string&) override {
    return without_throwing([&] { return rows_.finish(); });
  }

 private:
  UmamiJoin join_;
  CsvRows rows_;
  const std::function<bool()> is_stopped_;
};

UmamiTable table_of_file(std::string_view first_line) {
  return umami_table_of(CsvRows::columns_of(trim(first_line)));
}

}  // namespace

Part part_of_file(std::string_view first_line) {
  if (SqlRows::fits(first_line)) return Part::kDump;
  switch (table_of_file(first_line)) {
    case UmamiTable::kSession:
    case UmamiTable::kEventData:
    case UmamiTable::kRevenue:
    case UmamiTable::kWebsite: return Part::kSide;
    case UmamiTable::kSessionData: return Part::kPersonal;
    case UmamiTable::kEvent:
    case UmamiTable::kOther: break;
  }
  return Part::kOwn;
}

std::optional<Error> read_side(CompressedInput& input, SideTables& tables,
                               const std::function<bool()>& is_stopped) {
  const auto first = input.peek();
  try {
    if (SqlRows::fits(first)) {
      const auto side = std::make_shared<UmamiSideRows>();
      tables.dumps[input.name()] = side;
      input.set_conversion(std::make_unique<DumpConversion>(side, Pass::kFirst, is_stopped));
    } else {
      if (tables.umami == nullptr) tables.umami = std::make_shared<UmamiSideRows>();
      input.set_conversion(
          std::make_unique<TableConversion>(tables.umami, table_of_file(first), is_stopped));
    }
  } catch (const std::runtime_error& error) {  // the temporary file cannot be created
    return Error{ErrorCode::kInternal, input.name() + ": " + error.what(), {}};
  }
  CompressedInput::Line line;
  while (input.next(line)) {
  }
  return input.error();
}

std::unique_ptr<Conversion> make_conversion(CompressedInput& input, const SideTables& tables) {
  if (!tables.are_wanted || !SqlRows::fits(input.peek())) return nullptr;
  const auto known = tables.dumps.find(input.name());
  const bool is_first = known == tables.dumps.end();
  return std::make_unique<DumpConversion>(
      is_first ? std::make_shared<UmamiSideRows>() : known->second,
      is_first ? Pass::kOnly : Pass::kSecond, [] { return false; });
}

}  // namespace analytics::cli
