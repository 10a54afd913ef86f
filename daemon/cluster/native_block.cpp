#include "daemon/cluster/native_block.h"

#include <bit>

namespace analytics::cluster {
namespace {

static_assert(std::endian::native == std::endian::little, "ClickHouse's numbers are little-endian");

/// Appends a number in LEB128: seven bits per byte, the lowest first.
void add_size(std::string& to, std::size_t size) {
  for (; size >= 0x80; size >>= 7) to += static_cast<char>(0x80 | (size & 0x7f));
  to += static_cast<char>(size);
}

void add_text(std::string& to, std::string_view text) {
  add_size(to, text.size());
  to += text;
}

}  // namespace

std::string& NativeBlock::next() {
  auto& values = values_[at_];
  if (++at_ == values_.size()) {
    at_ = 0;
    ++rows_;
  }
  return values;
}

NativeBlock& NativeBlock::operator<<(std::string_view text) {
  add_text(next(), text);
  return *this;
}

std::string NativeBlock::finish(std::optional<std::uint32_t> deadline) const {
  std::size_t size = 0;
  for (const auto& values : values_) size += values.size();
  std::string bytes;
  bytes.reserve(size + rows_ * sizeof(*deadline) + 64 * (values_.size() + 1));
  add_size(bytes, columns_.size() + (deadline ? 1 : 0));
  add_size(bytes, rows_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    add_text(bytes, columns_[i].name);
    add_text(bytes, columns_[i].type);
    bytes += values_[i];
  }
  if (!deadline) return bytes;
  add_text(bytes, "deadline");
  add_text(bytes, "UInt32");
  for (std::size_t i = 0; i < rows_; ++i) {
    bytes.append(reinterpret_cast<const char*>(&*deadline), sizeof(*deadline));
  }
  return bytes;
}

std::string names_of(std::span<const NativeBlock::Column> columns) {
  std::string text;
  for (const auto& column : columns) {
    if (!text.empty()) text += ", ";
    text += column.name;
  }
  return text;
}

}  // namespace analytics::cluster
