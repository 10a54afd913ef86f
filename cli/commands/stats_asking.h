#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

namespace analytics::cli {

/// Asks the Stats API about the site, period and filters of the options.
class Asking {
 public:
  /// `common` has what all queries have in common. `explains`: say on stderr why a metric is empty.
  Asking(nlohmann::ordered_json common, bool explains, Context& context);

  [[nodiscard]] const nlohmann::ordered_json& filters() const;
  /// A word such as "month", or two days.
  [[nodiscard]] const nlohmann::ordered_json& date_range() const;

  /// Adds `more` to what all queries have, and returns the answer.
  /// Failures: the server's; kUnexpected for an answer of another form.
  [[nodiscard]] Outcome<nlohmann::ordered_json> ask(const nlohmann::ordered_json& more) const;

  /// Says on stderr, in one line, what a reader has to know of an answer.
  void tell(const nlohmann::ordered_json& body) const;

 private:
  /// Says once what the numbers lack. Of the metrics of an overview nobody asked for each.
  void warn(const nlohmann::ordered_json& body) const;

  const std::shared_ptr<const nlohmann::ordered_json> common_;
  const bool explains_;
  Context& context_;
  mutable bool has_warned_ = false;
};

}  // namespace analytics::cli
