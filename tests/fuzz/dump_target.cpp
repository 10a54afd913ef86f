// Fuzzes SQL dumps: the rows are the same however the bytes are split, and each row has the
// columns that were declared before it.
#include <algorithm>

#include "cli/replay/tables/sql_rows.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

class Checked final : public cli::RowSink {
 public:
  [[nodiscard]] bool knows(std::string_view table) const override { return table != "unwanted"; }
  [[nodiscard]] bool must_be_one(std::string_view table) const override { return table == "t"; }
  bool begin(std::string_view table, const std::vector<std::string>& columns) override {
    columns_ = columns.size();
    return table != "unwanted";
  }
  std::string take(cli::TableValues row) override {
    REQUIRE_PROPERTY(row.size() == columns_);
    for (const auto& value : row) {
      REQUIRE_PROPERTY(!value || value->size() <= cli::SqlRows::kMaxValue);
      found += value.value_or("NULL") + '|';
    }
    return {};
  }
  std::string found;

 private:
  std::size_t columns_ = 0;
};

std::string rows_of(std::string_view dump, std::size_t piece) {
  Checked sink;
  cli::SqlRows rows(sink);
  std::string problem;
  for (; !dump.empty() && problem.empty(); dump.remove_prefix(std::min(piece, dump.size()))) {
    problem = rows.feed(dump.substr(0, piece));
  }
  return sink.found + (problem.empty() ? rows.finish() : problem);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view dump(reinterpret_cast<const char*>(data), size);
  const auto whole = rows_of(dump, size + 1);
  REQUIRE_PROPERTY(rows_of(dump, 1) == whole);
  REQUIRE_PROPERTY(rows_of(dump, 5) == whole);
  return 0;
}
