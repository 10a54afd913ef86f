// Generates the source of iso_name_table() on standard output during the build. Arguments:
// iso_3166-1.json, iso_3166-2.json and iso_639-3.json of Debian's iso-codes.
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace {

using Names = std::map<std::string, std::string>;  // ISO code to English name

nlohmann::json read_list(const char* file, const char* list) {
  std::ifstream in(file);
  return nlohmann::json::parse(in).at(list);
}

/// Turns an inverted name such as "London, City of" into "City of London". Returns enumerations,
/// such as "Bournemouth, Christchurch and Poole", and names with a bracketed remark unchanged.
std::string in_spoken_order(const std::string& name) {
  const auto comma = name.find(", ");
  if (comma == std::string::npos || name.find_first_of("[(") != std::string::npos) return name;
  const auto after = name.substr(comma + 2);
  for (const char* between : {",", " and ", " y "}) {
    if (after.find(between) != std::string::npos) return name;
  }
  return after + " " + name.substr(0, comma);
}

/// Returns the common name if there is one: "Bolivia", not "Bolivia, Plurinational State of".
std::string name_of(const nlohmann::json& each) {
  return in_spoken_order(each.at(each.contains("common_name") ? "common_name" : "name"));
}

void read_places(const char* file, const char* list, const char* code, Names& names) {
  for (const auto& each : read_list(file, list)) names[each.at(code)] = name_of(each);
}

/// Reads the languages with a two-letter code, and Filipino, which has only three letters.
void read_languages(const char* file, Names& names) {
  for (const auto& each : read_list(file, "639-3")) {
    const bool is_listed = each.contains("alpha_2") || each.at("alpha_3") == "fil";
    if (!is_listed) continue;
    // The remark in brackets is cut off: "Malay (macrolanguage)" becomes "Malay".
    auto name = name_of(each);
    name.resize(std::min(name.find(" ("), name.size()));
    names[each.at(each.contains("alpha_2") ? "alpha_2" : "alpha_3")] = name;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("three files are needed");
    // Databases of IP locations use the code XK, which ISO 3166-1 leaves to users to assign.
    Names names{{"XK", "Kosovo"}};
    read_places(argv[1], "3166-1", "alpha_2", names);
    read_places(argv[2], "3166-2", "code", names);
    read_languages(argv[3], names);
    std::cout << "#include \"daemon/model/names/iso_name_table.h\"\n\nnamespace analytics {\n\n"
                 "constexpr IsoName kIsoNames[] = {\n";
    for (const auto& [code, name] : names) {
      std::cout << "    {R\"(" << code << ")\", R\"(" << name << ")\"},\n";
    }
    std::cout << "};\n\nstd::span<const IsoName> iso_name_table() { return kIsoNames; }\n\n"
                 "}  // namespace analytics\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_iso_names: " << error.what() << '\n';
    return 1;
  }
}
