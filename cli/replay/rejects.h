#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "cli/replay/accounting.h"
#include "cli/replay/record.h"
#include "common/result.h"

namespace analytics::cli {

/// The reject file: NDJSON, each record with its place, why it was refused, and its bytes. Private,
/// because records hold addresses.
class RejectFile {
 public:
  /// An empty path: nothing is kept.
  explicit RejectFile(std::string path) : path_(std::move(path)) {}

  /// Empties the file. Errors: kInvalidParameter when it is one of the inputs; kInternal when it
  /// cannot be written.
  [[nodiscard]] Status open(const std::vector<std::string>& inputs);
  void write(const Record& record, std::string_view stage, const std::string& code,
             const std::string& message);
  /// Whether all of it has gone out.
  [[nodiscard]] bool close();

 private:
  std::string path_;
  std::ofstream file_;
};

/// How many rejects are too many: a number of them, or a part of what was read.
class ErrorLimit {
 public:
  /// "10" or "1.5%"; empty: no limit. nullopt for anything else.
  [[nodiscard]] static std::optional<ErrorLimit> parse(const std::string& text);
  /// A percentage says nothing before 100 records are read.
  [[nodiscard]] bool passed(const Accounts& accounts) const;

 private:
  std::optional<std::int64_t> most_;
  std::optional<double> percent_;
};

}  // namespace analytics::cli
