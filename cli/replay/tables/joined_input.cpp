#include "cli/replay/tables/joined_input.h"

#include <stdexcept>

#include "cli/replay/tables/csv_rows.h"
#include "cli/replay/tables/sql_rows.h"
#include "common/text.h"

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

class DumpConversion final : public Conversion {
 public:
  DumpConversion(std::shared_ptr<UmamiJoin::Index> index, Pass pass)
      : join_(std::move(index), pass) {}
  std::string convert(std::string_view bytes, std::string& into) override {
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
};

class TableConversion final : public Conversion {
 public:
  TableConversion(std::shared_ptr<UmamiJoin::Index> index, UmamiTable table, Pass pass)
      : join_(std::move(index), pass), rows_(join_, std::string(umami_table_name(table))) {}
  std::string convert(std::string_view bytes, std::string& into) override {
    join_.write_to(into);
    return without_throwing([&] { return rows_.feed(bytes); });
  }
  std::string finish(std::string& into) override {
    join_.write_to(into);
    return without_throwing([&] { return rows_.finish(); });
  }

 private:
  UmamiJoin join_;
  CsvRows rows_;
};

UmamiTable table_of_file(std::string_view first_line) {
  if (first_line.starts_with("\xEF\xBB\xBF")) first_line.remove_prefix(3);
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

std::optional<Error> read_side(CompressedInput& input, SideTables& tables) {
  if (tables.umami == nullptr) tables.umami = std::make_shared<UmamiJoin::Index>();
  const auto first = input.peek();
  if (SqlRows::fits(first)) {
    tables.dumps.insert(input.name());
    input.set_conversion(std::make_unique<DumpConversion>(tables.umami, Pass::kFirst));
  } else {
    input.set_conversion(
        std::make_unique<TableConversion>(tables.umami, table_of_file(first), Pass::kFirst));
  }
  CompressedInput::Line line;
  while (input.next(line)) {
  }
  return input.error();
}

std::unique_ptr<Conversion> make_conversion(CompressedInput& input, const SideTables& tables) {
  const auto first = input.peek();
  if (SqlRows::fits(first)) {
    if (tables.dumps.contains(input.name())) {
      return std::make_unique<DumpConversion>(tables.umami, Pass::kSecond);
    }
    return std::make_unique<DumpConversion>(std::make_shared<UmamiJoin::Index>(), Pass::kOnly);
  }
  if (tables.umami == nullptr || table_of_file(first) != UmamiTable::kEvent) return nullptr;
  return std::make_unique<TableConversion>(tables.umami, UmamiTable::kEvent, Pass::kSecond);
}

}  // namespace analytics::cli
