#include "daemon/parts/packed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace analytics::parts {
namespace {

constexpr unsigned kMaxWidth = 32;
constexpr std::size_t kLanes = 32;
constexpr std::size_t kPerLane = kBlock / kLanes;
constexpr std::size_t kWordBytes = sizeof(std::uint32_t);
using Words = std::array<std::uint32_t, kLanes * kMaxWidth>;

// Words are stored with their low byte first.
static_assert(std::endian::native == std::endian::little);

unsigned width_of(std::span<const std::uint32_t> numbers) {
  std::uint32_t all = 0;
  for (const auto number : numbers) all |= number;
  return static_cast<unsigned>(std::bit_width(all));
}

std::size_t words_of(std::size_t numbers, unsigned width) {
  return numbers == kBlock ? kLanes * width : (numbers * width + kMaxWidth - 1) / kMaxWidth;
}

/// Packs a whole block. Number i of the block is number i / 32 of lane i % 32. The words at the
/// same position in all lanes are contiguous.
void pack_block(std::span<const std::uint32_t> numbers, unsigned width, Words& words) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto bit = i / kLanes * width;
    const auto at = bit / kMaxWidth * kLanes + i % kLanes;
    const auto shift = bit % kMaxWidth;
    words[at] |= numbers[i] << shift;
    if (shift + width > kMaxWidth) words[at + kLanes] |= numbers[i] >> (kMaxWidth - shift);
  }
}

void pack_rest(std::span<const std::uint32_t> numbers, unsigned width, Words& words) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = i * width / kMaxWidth;
    const auto shift = i * width % kMaxWidth;
    words[at] |= numbers[i] << shift;
    if (shift + width > kMaxWidth) words[at + 1] |= numbers[i] >> (kMaxWidth - shift);
  }
}

template <unsigned kWidth, std::size_t kAt>
void unpack_row(const std::uint32_t* words, std::uint32_t* out) {
  constexpr auto kBit = kAt * kWidth;
  constexpr auto kShift = kBit % kMaxWidth;
  constexpr std::uint32_t kMask =
      kWidth == kMaxWidth ? UINT32_MAX : (std::uint32_t{1} << kWidth % kMaxWidth) - 1;
  const auto* word = words + kBit / kMaxWidth * kLanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    auto number = word[lane] >> kShift;
    if constexpr (kShift + kWidth > kMaxWidth) {
      number |= word[lane + kLanes] << (kMaxWidth - kShift);
    }
    out[kAt * kLanes + lane] = number & kMask;
  }
}

template <unsigned kWidth>
void unpack_block(const std::uint32_t* words, std::uint32_t* out) {
  if constexpr (kWidth == 0) {
    std::fill_n(out, kBlock, 0);
  } else {
    [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
      (unpack_row<kWidth, kAt>(words, out), ...);
    }
    (std::make_index_sequence<kPerLane>());
  }
}

using Unpack = void (*)(const std::uint32_t*, std::uint32_t*);
constexpr auto kUnpack = []<std::size_t... kWidths>(std::index_sequence<kWidths...>) {
  return std::array<Unpack, sizeof...(kWidths)>{&unpack_block<kWidths>...};
}
(std::make_index_sequence<kMaxWidth + 1>());

void unpack_rest(const Words& words, unsigned width, std::span<std::uint32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto bit = i * width;
    const auto* word = &words[bit / kMaxWidth];
    const auto pair = std::uint64_t{word[1]} << kMaxWidth | word[0];
    out[i] =
        static_cast<std::uint32_t>((pair >> bit % kMaxWidth) & ((std::uint64_t{1} << width) - 1));
  }
}

}  // namespace

std::string pack(std::span<const std::uint32_t> numbers) {
  std::string widths;
  std::string packed;
  for (std::size_t first = 0; first < numbers.size(); first += kBlock) {
    const auto block = numbers.subspan(first, std::min(kBlock, numbers.size() - first));
    const auto width = width_of(block);
    Words words{};
    block.size() == kBlock ? pack_block(block, width, words) : pack_rest(block, width, words);
    widths.push_back(static_cast<char>(width));
    packed.append(reinterpret_cast<const char*>(words.data()),
                  words_of(block.size(), width) * kWordBytes);
  }
  return widths + packed;
}

Packed::Packed(std::string_view bytes, std::size_t size) : size_(size) {
  const auto blocks = (size + kBlock - 1) / kBlock;
  if (bytes.size() < blocks) throw Damaged("a column is too short");
  widths_ = bytes.substr(0, blocks);
  words_ = bytes.substr(blocks);
  offsets_.reserve(blocks);
  std::size_t words = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto width = static_cast<unsigned char>(widths_[block]);
    if (width > kMaxWidth) throw Damaged("a column has a block of an impossible width");
    width_ = std::max<unsigned>(width_, width);
    offsets_.push_back(static_cast<std::uint32_t>(words));
    words += words_of(std::min(kBlock, size - block * kBlock), width);
  }
  if (words_.size() != words * kWordBytes) throw Damaged("a column has another length");
}

std::size_t Packed::read_block(std::size_t first, std::span<std::uint32_t> out) const {
  const auto block = first / kBlock;
  const auto numbers = std::min(kBlock, size_ - first);
  const auto width = static_cast<unsigned char>(widths_[block]);
  const auto count = words_of(numbers, width);
  Words words;  // `words` is aligned, unlike words_
  std::memcpy(words.data(), words_.data() + offsets_[block] * kWordBytes, count * kWordBytes);
  if (numbers == kBlock) {
    kUnpack[width](words.data(), out.data());
  } else {
    words[count] = 0;  // unpack_rest() reads one word past the last, without effect
    unpack_rest(words, width, out.first(numbers));
  }
  return numbers;
}

void Packed::read_all(std::span<std::uint32_t> out) const {
  for (std::size_t first = 0; first < size_; first += kBlock) {
    read_block(first, out.subspan(first, kBlock));
  }
}

}  // namespace analytics::parts
