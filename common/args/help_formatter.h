#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace analytics {

/// Formats help in the usual order: usage, description, options, commands, and the examples, which
/// are the command's footer.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const auto description = CLI::Formatter::make_description(app);
    return CLI::Formatter::make_usage(app, std::move(name)) +
           (description.empty() ? "" : '\n' + description);
  }
  std::string make_description(const CLI::App*) const override { return {}; }
  std::string make_footer(const CLI::App* app) const override {
    const auto examples = app->get_footer();
    return examples.empty() ? "" : "Examples:\n" + examples + '\n';
  }
};

}  // namespace analytics
