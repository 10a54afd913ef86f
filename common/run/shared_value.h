#pragma once

#include <memory>
#include <utility>

namespace analytics {

/// An immutable value that copies share, for data that is equal in many objects. Any thread.
template <typename T>
class SharedValue {
 public:
  SharedValue() : value_(empty()) {}
  SharedValue(T value)  // NOLINT(google-explicit-constructor): converts like a plain T
      : value_(std::make_shared<const T>(std::move(value))) {}
  /// Shares an existing object. REQUIRES: not null.
  explicit SharedValue(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  bool operator==(const SharedValue& other) const { return *value_ == *other.value_; }

 private:
  static const std::shared_ptr<const T>& empty() {
    static const auto kEmpty = std::make_shared<const T>();
    return kEmpty;
  }
  std::shared_ptr<const T> value_;
};

}  // namespace analytics
