#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

#include "common/text/text.h"

/// Usage: plain_scan EVENTS PAGES. Measures the lowest possible cost of three queries, for
/// comparison in tests/bench/queries.sh. The columns are arrays of 32-bit numbers in memory,
/// ordered by visitor, and each query is one loop over them on one core. Prints a row with the
/// median time of each query over five runs, in ms.
namespace {

using Column = std::vector<std::uint32_t>;

struct Columns {
  Column visitor;
  Column page;
  Column source;
};

Columns random_columns(std::size_t events, std::uint64_t pages) {
  std::mt19937_64 random(1);
  Columns columns;
  std::uint32_t visitor = 0;
  std::uint32_t source = 0;
  for (std::size_t i = 0; i < events; ++i) {
    if (random() % 5 < 2) {  // 2.5 events per visitor
      ++visitor;
      source = static_cast<std::uint32_t>(random() % 8);
    }
    const double part = static_cast<double>(random() >> 11) / static_cast<double>(1ULL << 53);
    columns.visitor.push_back(visitor);
    columns.page.push_back(
        static_cast<std::uint32_t>(static_cast<double>(pages) * part * part * part));
    columns.source.push_back(source);
  }
  return columns;
}

struct Group {
  std::uint32_t pageviews = 0;
  std::uint32_t visitors = 0;
  std::uint32_t last_visitor = UINT32_MAX;
  void add(std::uint32_t visitor) {
    ++pageviews;
    visitors += last_visitor != visitor ? 1U : 0U;
    last_visitor = visitor;
  }
};

template <typename Scan>
void time(const char* name, const Scan& scan) {
  std::vector<double> all;
  std::uint64_t sum = 0;
  for (int run = 0; run < 5; ++run) {
    const auto begun = std::chrono::steady_clock::now();
    sum += scan();
    all.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun)
            .count());
  }
  std::sort(all.begin(), all.end());
  if (sum == 0) std::abort();  // keeps the compiler from removing the loops
  std::cout << "| plain C++: " << name << " | " << static_cast<int>(all[2] + 0.5) << " |\n";
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, double fallback) {
    return argc > index ? analytics::parse_double(argv[index]).value_or(fallback) : fallback;
  };
  const auto events = static_cast<std::size_t>(argument(1, 1e6));
  const auto pages = static_cast<std::uint64_t>(argument(2, 8'000));
  const auto columns = random_columns(events, pages);
  const auto by_page = [&](auto is_chosen) {
    std::vector<Group> groups(pages);
    for (std::size_t i = 0; i < events; ++i) {
      if (is_chosen(i)) groups[columns.page[i]].add(columns.visitor[i]);
    }
    return groups.front().visitors;
  };
  time("visitors, pageviews", [&] {
    Group all;
    for (const auto visitor : columns.visitor) all.add(visitor);
    return all.visitors;
  });
  time("pages", [&] { return by_page([](std::size_t) { return true; }); });
  time("pages where a source is",
       [&] { return by_page([&](std::size_t i) { return columns.source[i] == 1; }); });
  return 0;
}
