#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace analytics {

/// Formats help with the examples (a command's footer) first.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string examples = app->get_footer();
    if (!examples.empty()) examples = "Examples:\n" + examples + "\n\n";
    return examples + CLI::Formatter::make_help(app, std::move(name), mode);
  }
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace analytics
