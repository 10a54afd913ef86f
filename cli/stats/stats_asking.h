#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

namespace analytics::cli {

/// Prints the caveats of an answer of the Stats API on stderr, in one line that begins with
/// `subject`.
void tell_caveats(const nlohmann::ordered_json& body, Context& context,
                  const std::string& subject = {});

/// Sends queries to the Stats API, all about the same site, period and filters.
class Asking {
 public:
  /// `common` contains the members that all queries share. If `explains`, prints on stderr why a
  /// metric is empty.
  Asking(nlohmann::ordered_json common, bool explains, Context& context);

  [[nodiscard]] const nlohmann::ordered_json& filters() const;
  /// Returns the date range: a word such as "month", or two days.
  [[nodiscard]] const nlohmann::ordered_json& date_range() const;

  /// Sends a query with the shared members and those of `more`, and returns the answer. Fails with
  /// the server's error, or with kUnexpected if the answer has an unexpected form.
  [[nodiscard]] Outcome<nlohmann::ordered_json> ask(const nlohmann::ordered_json& more) const;

 private:
  /// Prints a warning of the answer on stderr, at most one for all answers. Prints warnings about
  /// single metrics only if `explains_`, because the user did not choose an overview's metrics.
  void warn(const nlohmann::ordered_json& body) const;

  const std::shared_ptr<const nlohmann::ordered_json> common_;
  const bool explains_;
  Context& context_;
  mutable bool has_warned_ = false;
};

}  // namespace analytics::cli
