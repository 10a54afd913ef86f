#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/event_payload.h"

namespace analytics::cli {

/// The value of that key; empty: there is none.
[[nodiscard]] std::string value_of(const std::vector<Property>& props, std::string_view key);

/// A record of another service's export, as texts under the names that the service gave them.
class ExportRow {
 public:
  virtual ~ExportRow() = default;
  [[nodiscard]] virtual bool has(std::string_view name) const = 0;
  /// Empty: the record has no such value.
  [[nodiscard]] virtual std::string text(std::string_view name) const = 0;
  /// The elements of a list, and the scalar members of an object: those of `{"a":1}` and of
  /// `[{"key":"a","value":{"int_value":1}}]` are the same.
  [[nodiscard]] virtual std::vector<std::string> list(std::string_view name) const = 0;
  [[nodiscard]] virtual std::vector<Property> members(std::string_view name) const = 0;
};

/// A line of a table. What names an object holds it as JSON, or each of its members has a column,
/// `object.member`; lists are written as ClickHouse does, `['a','b']`.
class TableRow final : public ExportRow {
 public:
  enum class Nulls {
    kWords,  ///< `\N` and NULL: databases write it so.
    kEmpty,  ///< Each text is what it says.
  };
  /// Both must outlive this object. As many values as columns.
  TableRow(std::span<const std::string> columns, std::span<const std::string> values,
           Nulls nulls = Nulls::kWords)
      : columns_(columns), values_(values), nulls_(nulls) {}
  [[nodiscard]] bool has(std::string_view name) const override;
  [[nodiscard]] std::string text(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const override;
  [[nodiscard]] std::vector<Property> members(std::string_view name) const override;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  std::span<const std::string> columns_;
  std::span<const std::string> values_;
  Nulls nulls_;
};

/// A JSON object. A name with dots leads into the objects inside it, unless a member has that name.
/// Objects in texts, as ClickHouse writes PostHog's properties, are read like others.
class DocumentRow final : public ExportRow {
 public:
  /// Must outlive this object, which changes texts that hold objects into them.
  explicit DocumentRow(nlohmann::json& document);
  [[nodiscard]] bool has(std::string_view name) const override { return find(name) != nullptr; }
  [[nodiscard]] std::string text(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const override;
  [[nodiscard]] std::vector<Property> members(std::string_view name) const override;

 private:
  [[nodiscard]] const nlohmann::json* find(std::string_view name) const;
  const nlohmann::json& document_;
};

/// A row, and what it does not have of another.
class JoinedRow final : public ExportRow {
 public:
  /// Both must outlive this object.
  JoinedRow(const ExportRow& row, const ExportRow& other) : row_(row), other_(other) {}
  [[nodiscard]] bool has(std::string_view name) const override {
    return row_.has(name) || other_.has(name);
  }
  [[nodiscard]] std::string text(std::string_view name) const override {
    auto text = row_.text(name);
    return text.empty() ? other_.text(name) : text;
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const override {
    return row_.has(name) ? row_.list(name) : other_.list(name);
  }
  [[nodiscard]] std::vector<Property> members(std::string_view name) const override {
    return row_.has(name) ? row_.members(name) : other_.members(name);
  }

 private:
  const ExportRow& row_;
  const ExportRow& other_;
};

}  // namespace analytics::cli
