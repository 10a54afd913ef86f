// Writes the source of place_name_table() to standard output: a part of the build. Arguments:
// iso_3166-1.json and iso_3166-2.json of Debian's iso-codes.
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace {

using Names = std::map<std::string, std::string>;  // by code

void read(const char* file, const char* list, const char* code, Names& names) {
  std::ifstream in(file);
  const auto document = nlohmann::json::parse(in);
  for (const auto& each : document.at(list)) {
    // "Bolivia" rather than "Bolivia, Plurinational State of".
    const auto* name = each.contains("common_name") ? "common_name" : "name";
    names[each.at(code)] = each.at(name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("two files are needed");
    // Files of places have this code, which ISO leaves to its users.
    Names names{{"XK", "Kosovo"}};
    read(argv[1], "3166-1", "alpha_2", names);
    read(argv[2], "3166-2", "code", names);
    std::cout << "#include \"daemon/model/place_name_table.h\"\n\nnamespace analytics {\n\n"
                 "constexpr PlaceName kPlaceNames[] = {\n";
    for (const auto& [code, name] : names) {
      std::cout << "    {R\"(" << code << ")\", R\"(" << name << ")\"},\n";
    }
    std::cout << "};\n\nstd::span<const PlaceName> place_name_table() { return kPlaceNames; }\n\n"
                 "}  // namespace analytics\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_place_names: " << error.what() << '\n';
    return 1;
  }
}
