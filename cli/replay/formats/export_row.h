#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/event/event_payload.h"

namespace analytics::cli {

/// Returns the value of the property with that key; empty if it is missing.
[[nodiscard]] std::string value_of(const std::vector<Property>& props, std::string_view key);

/// A record of another service's export: values by the names that the service gave them.
class ExportRow {
 public:
  virtual ~ExportRow() = default;
  [[nodiscard]] virtual bool has(std::string_view name) const = 0;
  /// Returns the value with that name as text; empty if the record has no such scalar value.
  [[nodiscard]] virtual std::string text(std::string_view name) const = 0;
  /// Returns the elements of the list with that name; empty if the record has no such list.
  [[nodiscard]] virtual std::vector<std::string> list(std::string_view name) const = 0;
  /// Returns the scalar members of the object with that name; empty if the record has no such
  /// object. `{"a":1}` and `[{"key":"a","value":{"int_value":1}}]` have the same members.
  [[nodiscard]] virtual std::vector<Property> members(std::string_view name) const = 0;
};

/// A row of a CSV or tab-separated table. A nested object is JSON text in one column, or has a
/// column `object.member` for each of its members. Lists are written as in ClickHouse,
/// `['a','b']`.
class TableRow final : public ExportRow {
 public:
  enum class Nulls {
    kWords,  ///< `\N` and NULL are nulls, as databases write them.
    kEmpty,  ///< Every text is a value, even `NULL`.
  };
  /// The spans must outlive this object and must have the same size.
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

/// A record that is a JSON object. A name with dots addresses a nested object's member, unless a
/// member has that whole name. A text that contains a JSON object, as in ClickHouse's copies of
/// PostHog's properties, is read as that object.
class DocumentRow final : public ExportRow {
 public:
  /// `document` must outlive this object. The constructor replaces texts in it that contain objects
  /// with these objects.
  explicit DocumentRow(nlohmann::json& document);
  [[nodiscard]] bool has(std::string_view name) const override { return find(name) != nullptr; }
  [[nodiscard]] std::string text(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const override;
  [[nodiscard]] std::vector<Property> members(std::string_view name) const override;

 private:
  [[nodiscard]] const nlohmann::json* find(std::string_view name) const;
  const nlohmann::json& document_;
};

/// A row that takes the values it lacks from another row.
class JoinedRow final : public ExportRow {
 public:
  /// `row` and `other` must outlive this object.
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
