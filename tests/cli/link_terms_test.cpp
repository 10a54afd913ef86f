// The terms of shared links, in options of the command line and in a file of sites.
#include "tests/cli/apply_fixture.h"
#include "tests/support/catch.h"

namespace analytics::test::link_terms_test {

TEST_CASE(
    "link terms: a file of sites and the command line set terms, and a password is set only once",
    "[cli]") {
  Server server;
  server.write("password", "correct horse\n");
  server.write("sites.toml", R"([[site]]
domain = "a.example"
[[site.link]]
name = "Team"
expires_at = "2031-01-31"
filters = '[ ["is", "visit:country", ["DE"]] ]'
period = "7d"
frame_ancestors = "https://b.example, https://c.example"
password_file = "password"
)");
  const auto link = [&] {
    return server.json({"links", "list", "--site", "a.example"})["shared_links"][0];
  };
  CHECK(server.apply().exit == 0);
  CHECK(link()["has_password"] == true);
  CHECK(link()["expires_at"] == "2031-01-31T00:00:00Z");
  CHECK(link()["filters"][0][1] == "visit:country");
  CHECK(link()["frame_ancestors"] == "https://b.example https://c.example");
  CHECK(server.apply({"--dry-run"}).exit == 0);  // the server already matches the file
  CHECK(server.run_command({"diff", "-f", server.file("sites.toml")}).exit == 0);
  const auto exported = server.run_command({"export", "sites"}).out;
  CHECK(exported.find("filters = \"[[\\\"is\\\",") != std::string::npos);
  CHECK(exported.find("password_file = \"Team.password\"") != std::string::npos);
  // Another server does not create the link while the password file is missing.
  Server other;
  other.write("sites.toml", exported);
  CHECK(other.apply().exit == 3);
  CHECK(other.run_command({"sites", "get", "a.example"}).exit == 5);
  other.write("Team.password", "another horse");
  CHECK(other.apply().exit == 0);
  CHECK(other.json({"links", "list", "--site", "a.example"})["shared_links"][0]["has_password"] ==
        true);
  // Terms absent from the file stay; terms empty in the file are removed.
  server.write(
      "sites.toml",
      "[[site]]\ndomain = \"a.example\"\n[[site.link]]\nname = \"Team\"\nfilters = \"\"\n");
  CHECK(server.apply().exit == 0);
  CHECK(!link().contains("filters"));
  CHECK(link()["period"] == "7d");
  // Options of the command line set and remove the same terms.
  const auto ensure = [&](std::vector<std::string> terms) {
    terms.insert(terms.begin(), {"links", "ensure", "--site", "a.example", "Team"});
    return server.run_command(terms);
  };
  CHECK(ensure({"--filter", "page==/blog/**", "--dry-run"})
            .out.find(R"(filters: [["matches_wildcard","event:page",["/blog/**"]]])") !=
        std::string::npos);
  CHECK(ensure({"--filter", "page==/blog/**"}).exit == 0);
  CHECK(link()["filters"][0][0] == "matches_wildcard");
  CHECK(ensure({"--no-password", "--no-filters", "--period", "", "--expires-at", "",
                "--frame-ancestors", ""})
            .exit == 0);
  CHECK(link().size() == 2);
  const auto shown = ensure({"--password-file", server.file("password"), "--dry-run"});
  CHECK(shown.out.find("password: (not shown)") != std::string::npos);
  CHECK(shown.out.find("correct") == std::string::npos);
  // The password must be on standard input, which is empty.
  CHECK(ensure({"--password-file", "-", "--period", "5d"}).exit == 3);
  CHECK(ensure({"--period", "5d"}).exit == 2);
  server.write("password", "short");
  CHECK(ensure({"--password-file", server.file("password")}).exit == 3);
}

}  // namespace analytics::test::link_terms_test
