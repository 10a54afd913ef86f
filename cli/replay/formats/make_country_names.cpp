// Writes the code of country_name_table() to standard output during the build. The names are those
// of Unicode's CLDR, taken from ICU, because services show these, and those of the file given as
// argument: iso_3166-1.json of Debian's iso-codes.
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include <unicode/locdspnm.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <nlohmann/json.hpp>

#include "cli/replay/formats/country_code.h"

namespace {

using Names = std::map<std::string, std::string>;  // code of each country, by name

void add_name(const std::string& name, const std::string& code, Names& names) {
  names.emplace(analytics::cli::country_key(name), code);
}

void add_iso_names(const char* file, Names& names) {
  std::ifstream in(file);
  const auto all = nlohmann::json::parse(in);
  for (const auto& each : all.at("3166-1")) {
    for (const auto* kind : {"name", "common_name"}) {
      if (each.contains(kind)) add_name(each.at(kind), each.at("alpha_2"), names);
    }
  }
}

/// Adds CLDR's long and short names, such as "Hong Kong SAR China" and "Hong Kong".
void add_cldr_names(Names& names) {
  for (const auto length : {UDISPCTX_LENGTH_FULL, UDISPCTX_LENGTH_SHORT}) {
    UDisplayContext form[] = {length};
    const std::unique_ptr<icu::LocaleDisplayNames> shown(
        icu::LocaleDisplayNames::createInstance(icu::Locale::getEnglish(), form, 1));
    for (const auto* const* code = icu::Locale::getISOCountries(); *code != nullptr; ++code) {
      icu::UnicodeString name;
      std::string text;
      shown->regionDisplayName(*code, name).toUTF8String(text);
      add_name(text, *code, names);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("one file is needed");
    Names names;
    add_name("Kosovo", "XK", names);  // a user-assigned ISO 3166-1 code
    // Names that services use, but some versions of CLDR and iso-codes lack.
    add_name("Turkey", "TR", names);
    add_name("Republic of the Congo", "CG", names);
    add_name("Falkland Islands (Islas Malvinas)", "FK", names);
    add_cldr_names(names);
    add_iso_names(argv[1], names);
    std::cout << "#include \"cli/replay/formats/country_code.h\"\n\nnamespace analytics::cli {\n\n"
                 "constexpr CountryName kCountryNames[] = {\n";
    for (const auto& [name, code] : names) {
      std::cout << "    {R\"(" << name << ")\", \"" << code << "\"},\n";
    }
    std::cout
        << "};\n\nstd::span<const CountryName> country_name_table() { return kCountryNames; }\n"
           "\n}  // namespace analytics::cli\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_country_names: " << error.what() << '\n';
    return 1;
  }
}
