#include "daemon/cluster/native_reader.h"

#include <bit>
#include <cstring>

#include "common/text/text.h"

namespace analytics::cluster {
namespace {

static_assert(std::endian::native == std::endian::little, "ClickHouse's numbers are little-endian");

// Maximum number of rows of a valid block. A greater number means that the bytes are no block.
constexpr std::size_t kMaxRows = std::size_t{1} << 24;
constexpr std::size_t kMaxText = std::size_t{1} << 30;  // maximum size of a valid text, in bytes
// Maximum length of unexpected input within an error, in bytes.
constexpr std::size_t kShownInput = 300;

std::string_view name_of(NativeReader::Type type) {
  using enum NativeReader::Type;
  switch (type) {
    case kUInt8: return "UInt8";
    case kUInt16: return "UInt16";
    case kUInt32: return "UInt32";
    case kUInt64: return "UInt64";
    case kInt16: return "Int16";
    case kInt32: return "Int32";
    case kInt64: return "Int64";
    case kString: return "String";
  }
  return {};
}

/// Returns the size of a value in bytes; 0 for texts, each of which begins with its size.
std::size_t size_of(NativeReader::Type type) {
  using enum NativeReader::Type;
  switch (type) {
    case kUInt8: return 1;
    case kUInt16:
    case kInt16: return 2;
    case kUInt32:
    case kInt32: return 4;
    case kUInt64:
    case kInt64: return 8;
    case kString: break;
  }
  return 0;
}

template <typename Number>
void load(const char* from, std::span<std::int64_t> to) {
  for (auto& value : to) {
    Number number;
    std::memcpy(&number, from, sizeof number);
    value = static_cast<std::int64_t>(number);
    from += sizeof number;
  }
}

/// Thrown if ClickHouse sends anything but the expected block.
struct Unexpected {};

}  // namespace

NativeReader::NativeReader(const std::vector<Type>& columns) {
  for (const auto type : columns) columns_.push_back({type, size_of(type)});
}

std::string& NativeReader::input() {
  if (!has_begun_) {
    input_.erase(0, at_);
    at_ = 0;
  }
  return input_;
}

Result<bool> NativeReader::next() {
  const auto begin = has_begun_ ? std::size_t{0} : at_;
  try {
    if (!has_begun_ && !read_head()) return false;
    for (; column_ < columns_.size(); ++column_) {
      if (!read_column(columns_[column_])) return false;
    }
    has_begun_ = false;
    return true;
  } catch (const Unexpected&) {
    const auto shown = trim(std::string_view(input_).substr(begin));
    return fail(ErrorCode::kInternal,
                "unexpected reply from ClickHouse: " + std::string(cut_utf8(shown, kShownInput)));
  }
}

bool NativeReader::read_head() {
  const auto begin = at_;
  std::size_t columns = 0;
  std::size_t rows = 0;
  if (!read_size(columns) || !read_size(rows)) {
    at_ = begin;
    return false;
  }
  if (columns != columns_.size() || rows > kMaxRows) throw Unexpected();
  rows_ = rows;
  column_ = 0;
  has_type_ = false;
  has_begun_ = true;
  return true;
}

/// Reads a column of the current block. Returns false if the column's end has not arrived yet; a
/// later call continues.
bool NativeReader::read_column(Column& column) {
  if (!has_type_) {
    const auto begin = at_;
    std::string_view its_name;
    std::string_view type;
    if (!read_text(its_name) || !read_text(type)) {
      at_ = begin;
      return false;
    }
    if (type != name_of(column.type)) throw Unexpected();
    has_type_ = true;
    column.texts.clear();
    column.begin = at_;
  }
  if (column.size > 0) {
    if (input_.size() - at_ < rows_ * column.size) return false;
    at_ += rows_ * column.size;
  }
  while (column.size == 0 && column.texts.size() < rows_) {
    const auto begin = at_;
    std::string_view text;
    if (!read_text(text)) {
      at_ = begin;
      return false;
    }
    column.texts.emplace_back(at_ - text.size(), text.size());
  }
  has_type_ = false;
  return true;
}

/// Reads a number in LEB128: seven bits per byte, the lowest first. Returns false if the number's
/// last byte has not arrived yet.
bool NativeReader::read_size(std::size_t& size) {
  size = 0;
  for (int shift = 0; at_ < input_.size(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(input_[at_++]);
    if (shift > 28) throw Unexpected();
    size |= static_cast<std::size_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

bool NativeReader::read_text(std::string_view& text) {
  std::size_t size = 0;
  if (!read_size(size)) return false;
  if (size > kMaxText) throw Unexpected();
  if (input_.size() - at_ < size) return false;
  text = std::string_view(input_).substr(at_, size);
  at_ += size;
  return true;
}

std::int64_t NativeReader::number(std::size_t column, std::size_t row) const {
  std::int64_t number = 0;
  numbers(column, row, {&number, 1});
  return number;
}

void NativeReader::numbers(std::size_t column, std::size_t first,
                           std::span<std::int64_t> to) const {
  const auto& of = columns_[column];
  const auto* from = input_.data() + of.begin + first * of.size;
  using enum Type;
  switch (of.type) {
    case kUInt8: return load<std::uint8_t>(from, to);
    case kUInt16: return load<std::uint16_t>(from, to);
    case kUInt32: return load<std::uint32_t>(from, to);
    case kUInt64: return load<std::uint64_t>(from, to);
    case kInt16: return load<std::int16_t>(from, to);
    case kInt32: return load<std::int32_t>(from, to);
    case kInt64: return load<std::int64_t>(from, to);
    case kString: break;
  }
}

std::size_t NativeReader::memory() const {
  auto bytes = input_.capacity();
  for (const auto& column : columns_) bytes += column.texts.capacity() * sizeof(column.texts[0]);
  return bytes;
}

}  // namespace analytics::cluster
