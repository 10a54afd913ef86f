#include "cli/frame/settings.h"

#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::settings_test {

using namespace analytics::cli;

namespace {

struct World {
  TempFolder folder;
  std::map<std::string, std::string> variables{{"XDG_CONFIG_HOME", folder.path().string()}};

  void write(const std::string& text) {
    std::filesystem::create_directories(folder.path() / "analytics");
    std::ofstream(folder.path() / "analytics" / "config.toml") << text;
  }
  Outcome<Settings> load(const Flags& flags = {}) {
    std::istringstream input("key-from-stdin\n");
    return load_settings(
        flags,
        [this](const std::string& name) {
          const auto found = variables.find(name);
          return found == variables.end() ? std::nullopt : std::optional(found->second);
        },
        input);
  }
};

}  // namespace

TEST_CASE("settings: a source with higher priority overrides the others", "[settings]") {
  World world;
  CHECK(world.load()->url == "http://127.0.0.1:8000");
  world.write("url = \"http://file\"\n[profile.prod]\nurl = \"http://profile\"\n");
  CHECK(world.load()->url == "http://file");
  CHECK(world.load({{"profile", "prod"}})->url == "http://profile");
  world.variables["ANALYTICS_PROFILE"] = "prod";
  CHECK(world.load()->url == "http://profile");
  world.variables["ANALYTICS_URL"] = "http://environment";
  CHECK(world.load()->url == "http://environment");
  CHECK(world.load({{"url", "http://flag/"}})->url == "http://flag");
  CHECK(world.load({{"url", "http://flag/"}})->origins.at("url").source == "command line");
}

TEST_CASE("settings: the key comes from the source with the highest priority", "[settings]") {
  World world;
  std::ofstream(world.folder / "key") << "key-from-file\n";
  world.write("api_key_file = \"" + (world.folder / "key").string() + "\"\n");
  CHECK(world.load()->api_key == "key-from-file");
  world.variables["ANALYTICS_API_KEY"] = "key-from-variable";
  CHECK(world.load()->api_key == "key-from-variable");
  CHECK(world.load({{"api_key_file", "-"}})->api_key == "key-from-stdin");
  world.variables["ANALYTICS_API_KEY_FILE"] = (world.folder / "key").string();
  CHECK(world.load()->api_key == "key-from-file");
}

TEST_CASE("settings: an error names the place of the wrong setting", "[settings]") {
  World world;
  world.write("url = \"http://a\"\nnonsense = 1\n");
  CHECK(world.load().error().exit == ExitCode::kSetup);
  CHECK(world.load().error().message.find("config.toml:2") != std::string::npos);
  world.write("retries = -1\n");
  CHECK(world.load().error().message.find("config.toml:1") != std::string::npos);
  world.write("");
  CHECK(!world.load({{"profile", "none"}}));
  CHECK(!world.load({{"api_key_file", "/nonexistent"}}));
  CHECK(!world.load({{"timeout", "x"}}));
}

}  // namespace analytics::test::settings_test
