#include "tests/support/mmdb_writer.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include <arpa/inet.h>

namespace analytics::test {
namespace {

constexpr int kText = 2;
constexpr int kUint16 = 5;
constexpr int kUint32 = 6;
constexpr int kUint64 = 9;
constexpr int kMap = 7;
constexpr int kList = 11;

/// Appends a control byte, or two for types above 7, and the size. Sizes up to 284 are supported.
void put_control(std::string& out, int type, std::size_t size) {
  const auto small = size < 29 ? size : 29;
  const auto high = type <= 7 ? static_cast<std::size_t>(type) << 5 : 0;
  out += static_cast<char>(high | small);
  if (type > 7) out += static_cast<char>(type - 7);
  if (size >= 29) out += static_cast<char>(size - 29);
}

void put(std::string& out, const MmdbValue& value) {
  using Kind = MmdbValue::Kind;
  switch (value.kind) {
    case Kind::kText:
      put_control(out, kText, value.text.size());
      out += value.text;
      return;
    case Kind::kNumber:
      put_control(out,
                  value.bytes == 2   ? kUint16
                  : value.bytes == 4 ? kUint32
                                     : kUint64,
                  static_cast<std::size_t>(value.bytes));
      for (int shift = 8 * value.bytes - 8; shift >= 0; shift -= 8) {
        out += static_cast<char>(value.number >> shift);
      }
      return;
    case Kind::kMap:
    case Kind::kList:
      put_control(out, value.kind == Kind::kMap ? kMap : kList, value.members.size());
      for (const auto& [key, member] : value.members) {
        if (value.kind == Kind::kMap) put(out, MmdbValue(key.c_str()));
        put(out, member);
      }
      return;
  }
}

/// A node of the search tree. Each of its two children is another node, data, or nothing (0).
struct Node {
  struct Child {
    bool is_data = false;
    std::size_t to = 0;
  };
  std::array<Child, 2> children;
};

}  // namespace

MmdbValue MmdbValue::list(std::vector<MmdbValue> values) {
  MmdbValue list("");
  list.kind = Kind::kList;
  for (auto& value : values) list.members.emplace_back("", std::move(value));
  return list;
}

void write_mmdb(const std::filesystem::path& file, const std::vector<MmdbNetwork>& networks) {
  std::vector<Node> tree(1);
  std::string data;
  for (const auto& network : networks) {
    std::array<std::uint8_t, 16> bytes{};
    if (inet_pton(AF_INET6, network.address.c_str(), bytes.data()) != 1) {
      throw std::runtime_error(network.address + " is no address");
    }
    std::size_t at = 0;
    for (int bit = 0; bit < network.bits; ++bit) {
      const auto side =
          static_cast<std::size_t>(bytes[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8) & 1);
      if (bit + 1 == network.bits) {
        tree[at].children[side] = {true, data.size()};
      } else {
        if (tree[at].children[side].to == 0) {
          tree[at].children[side].to = tree.size();
          tree.emplace_back();
        }
        at = tree[at].children[side].to;
      }
    }
    put(data, network.value);
  }
  std::ofstream out(file, std::ios::binary);
  for (const auto& node : tree) {
    for (const auto& child : node.children) {
      // In a record, the number of nodes means "nothing", and data begin at that number plus 16.
      const auto record = child.is_data   ? tree.size() + 16 + child.to
                          : child.to == 0 ? tree.size()
                                          : child.to;
      for (int shift = 16; shift >= 0; shift -= 8) out.put(static_cast<char>(record >> shift));
    }
  }
  out << std::string(16, '\0') << data
      << "\xab\xcd\xef"
         "MaxMind.com";
  std::string metadata;
  put(metadata,
      MmdbValue({{"binary_format_major_version", std::uint16_t{2}},
                 {"binary_format_minor_version", std::uint16_t{0}},
                 {"build_epoch", std::uint64_t{1}},
                 {"database_type", "test"},
                 {"description", MmdbValue(std::vector<std::pair<std::string, MmdbValue>>{})},
                 {"ip_version", std::uint16_t{6}},
                 {"languages", MmdbValue::list({})},
                 {"node_count", static_cast<std::uint32_t>(tree.size())},
                 {"record_size", std::uint16_t{24}}}));
  out << metadata;
}

}  // namespace analytics::test
