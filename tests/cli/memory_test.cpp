#include "tests/cli/replay_service.h"
#include "tests/support/rounds.h"

namespace analytics::test::memory_test {

TEST_CASE("memory: a replay of 200 MB uses less than 64 MiB, in batches and with single requests",
          "[cli]") {
  ReplayService service;
  const int lines = rounds(50'000, 1'250'000);
  const auto file = (service.folder / "access.log").string();
  {
    std::ofstream out(file);
    const std::string browser(4'000, 'x');
    for (int i = 0; i < lines; ++i) {  // of a hundred lines, one is a page and one is invalid
      out << "192.0.2.1 - - [17/May/2026:10:00:00 +0000] \"GET /" << i
          << (i % 100 < 2 ? "" : ".css") << (i % 100 == 1 ? "" : " HTTP/1.1\" 200 1 \"-\" \"")
          << browser << "\"\n";
    }
  }
  for (const std::string batch : {"2000", "off"}) {
    const auto done =
        run(ReplayService::command({file, "--site", "demo.example", "--batch", batch, "--import-id",
                                    "b" + batch, "--rejects",
                                    (service.folder / ("r" + batch).c_str()).string()}),
            service.options());
    CHECK(done.exit == 8);
    const auto summary = nlohmann::json::parse(done.out);
    CHECK(summary["read"] == lines);
    CHECK(summary["accepted"] == lines / 100);
    CHECK(done.most_resident < 64ULL * 1'048'576 * memory_factor());
  }
}

}  // namespace analytics::test::memory_test
