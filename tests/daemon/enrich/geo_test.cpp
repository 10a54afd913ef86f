#include "daemon/enrich/geo.h"

#include <fstream>

#include "daemon/enrich/enrichment.h"
#include "tests/support/catch.h"
#include "tests/support/mmdb_writer.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::geo_test {

namespace {

using Members = std::vector<std::pair<std::string, MmdbValue>>;

MmdbValue names(const char* name) { return Members{{"names", Members{{"en", name}}}}; }

}  // namespace

TEST_CASE("geo: it finds country, region and city in the usual databases", "[geo]") {
  TempFolder folder;
  const auto file = folder / "geo.mmdb";
  write_mmdb(file,
             {{"::1.2.3.0", 120,
               Members{{"country", Members{{"iso_code", "DE"}}},
                       {"subdivisions", MmdbValue::list({Members{{"iso_code", "BE"}}})},
                       {"city", names("Berlin")}}},
              {"::2.0.0.0", 104, Members{{"registered_country", Members{{"iso_code", "FR"}}}}},
              {"::3.0.0.0", 104,
               Members{{"country_code", "JP"}, {"region", "Tokyo"}, {"city", "Chiyoda"}}},
              {"::4.0.0.0", 104, Members{{"country", "US"}}},
              {"::5.0.0.0", 104, Members{{"country", "Nowhere"}}},
              {"2001:db8::", 32, Members{{"country", Members{{"iso_code", "SE"}}}}}});
  const auto geo = GeoDatabase::open(file);
  REQUIRE(geo);
  const auto shown = [&](const char* address) { return to_text((*geo)->find(address)); };
  CHECK(shown("1.2.3.4") == R"(["DE","DE-BE","Berlin"])");
  CHECK(shown("::ffff:1.2.3.4") == R"(["DE","DE-BE","Berlin"])");
  CHECK(shown("1.2.4.4").empty());
  CHECK(shown("2.9.9.9") == R"(["FR",null,null])");
  CHECK(shown("3.9.9.9") == R"(["JP","Tokyo","Chiyoda"])");
  CHECK(shown("4.1.1.1") == R"(["US",null,null])");
  CHECK(shown("5.1.1.1").empty());
  CHECK(shown("2001:db8:1::1") == R"(["SE",null,null])");
  CHECK(shown("2001:db9::1").empty());
  CHECK(shown("no address").empty());
}

TEST_CASE("geo: a file of another kind is refused", "[geo]") {
  TempFolder folder;
  CHECK(!GeoDatabase::open(folder / "absent"));
  std::ofstream(folder / "text") << "not a database";
  CHECK(!GeoDatabase::open(folder / "text"));
}

TEST_CASE("enrichment: changed files are read again, and broken ones keep the former data",
          "[enrichment]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  EnrichmentFiles files;
  files.user_agents = folder / "absent.yaml";
  files.geoip = folder / "geo.mmdb";
  files.spam_referrers = folder / "spam.txt";
  Enricher enricher(files, log);
  CHECK(!enricher.snapshot()->geo);
  const auto write = [&](const char* country) {
    write_mmdb(folder / "new.mmdb", {{"::1.0.0.0", 104, Members{{"country", country}}}});
    std::filesystem::rename(folder / "new.mmdb", files.geoip);
    std::filesystem::last_write_time(files.geoip, std::filesystem::file_time_type::clock::now() +
                                                      std::chrono::hours(country[0]));
  };
  const auto country = [&] {
    const auto geo = enricher.snapshot()->geo;
    return geo ? geo->find("1.1.1.1").country : "no database";
  };
  write("DE");
  enricher.reload_changed();
  CHECK(country() == "DE");
  write("FR");
  enricher.reload_changed();
  CHECK(country() == "FR");
  std::filesystem::remove(files.geoip);
  enricher.reload(files);
  CHECK(country() == "FR");

  CHECK(!enricher.snapshot()->spam->contains("semalt.example/x"));
  std::ofstream(files.spam_referrers) << "# spam\nSemalt.example  # since 2014\n\n";
  enricher.reload_changed();
  CHECK(enricher.snapshot()->spam->contains("semalt.example/x"));
  CHECK(enricher.snapshot()->spam->contains("1.semalt.example"));
  CHECK(!enricher.snapshot()->spam->contains("notsemalt.example"));
  std::ofstream(files.spam_referrers) << "https://no.host/\n";
  enricher.reload(files);
  CHECK(enricher.snapshot()->spam->contains("semalt.example"));
}

TEST_CASE("enrichment: the expressions for User-Agents are read with the first User-Agent",
          "[enrichment]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  EnrichmentFiles files;
  files.user_agents = folder / "regexes.yaml";
  const auto write = [&](const std::string& browser) {
    std::ofstream(files.user_agents)
        << "user_agent_parsers: [{regex: '(" << browser << ")/(\\d+)'}]\n"
        << "os_parsers: [{regex: '(Plan 9)'}]\ndevice_parsers: [{regex: '(Tablet)'}]\n";
  };
  write("Alpha");
  Enricher enricher(files, log);
  write("Beta");
  const auto at_start = enricher.snapshot();
  CHECK(at_start->user_agents->read("Beta/7 Plan 9")->client.browser == "Beta");
  CHECK(at_start->user_agents->read("Beta/7 Plan 9")->client.os == "Plan 9");
  write("Gamma");
  CHECK(at_start->user_agents->read("Gamma/7")->client.browser.empty());
  enricher.reload(files);
  CHECK(enricher.snapshot()->user_agents->read("Gamma/7")->client.browser == "Gamma");
}

TEST_CASE("geo: overwriting the open file does no harm", "[geo]") {
  TempFolder folder;
  const auto file = folder / "geo.mmdb";
  write_mmdb(file, {{"::1.0.0.0", 104, Members{{"country", "DE"}}}});
  const auto geo = GeoDatabase::open(file);
  REQUIRE(geo);
  // With a memory-mapped file, the next lookup would crash.
  std::ofstream(file, std::ios::trunc).flush();
  CHECK((*geo)->find("1.2.3.4").country == "DE");
}

TEST_CASE("enrichment: paths that are not files do not stop the daemon", "[enrichment]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  EnrichmentFiles files;
  files.user_agents = folder / ".";
  files.geoip = folder / ".";
  files.spam_referrers = folder / ".";
  Enricher enricher(files, log);
  enricher.reload(files);
  CHECK(!enricher.snapshot()->geo);
}

}  // namespace analytics::test::geo_test
