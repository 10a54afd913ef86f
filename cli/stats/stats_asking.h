#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

namespace analytics::cli {

/// Asks the Stats API about the site, period and filters of the options.
class Asking {
 public:
  /// `common` contains the members that all queries share. `explains`: say on stderr why a metric
  /// is empty.
  Asking(nlohmann::ordered_json common, bool explains, Context& context);

  [[nodiscard]] const nlohmann::ordered_json& filters() const;
  /// Returns the date range: a word such as "month", or two days.
  [[nodiscard]] const nlohmann::ordered_json& date_range() const;

  /// Adds `more` to the shared members of the query, and returns the answer. Failures: the
  /// server's; kUnexpected for an answer of another form.
  [[nodiscard]] Outcome<nlohmann::ordered_json> ask(const nlohmann::ordered_json& more) const;

  /// Prints the caveats of an answer on stderr, in one line.
  void tell(const nlohmann::ordered_json& body) const;

 private:
  /// Prints a warning of the answer on stderr, at most once. Warnings about single metrics only if
  /// `explains_`, because an overview's metrics were not requested one by one.
  void warn(const nlohmann::ordered_json& body) const;

  const std::shared_ptr<const nlohmann::ordered_json> common_;
  const bool explains_;
  Context& context_;
  mutable bool has_warned_ = false;
};

}  // namespace analytics::cli
