#include "daemon/enrich/regex_list.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include "common/text/text.h"

namespace analytics {
namespace {

// Minimum size of a literal in bytes; shorter ones are not searched for.
constexpr int kLeastAtom = 3;
// Limits of RE2's memory for an expression, in bytes, by the number of its instructions. They
// suffice for the User-Agents of browsers, and bound the memory of the whole list for any text.
constexpr std::int64_t kLeastMemory = 24'576;
constexpr std::int64_t kMemoryOfInstruction = 320;
constexpr std::int64_t kMaxMemory = 1'048'576;
constexpr std::int64_t kInstructionsOfRepeated = 3;

/// Estimates the number of RE2 instructions of an expression: one per byte, plus three for each
/// repetition in a range such as `.{0,200}`. RE2 would have to compile each expression twice to
/// give the number, which would take half of the daemon's start.
std::int64_t instructions(std::string_view regex) {
  auto count = static_cast<std::int64_t>(regex.size());
  for (auto open = regex.find('{'); open != std::string_view::npos;
       open = regex.find('{', open + 1)) {
    const auto bounds = regex.substr(open + 1, regex.find('}', open) - open - 1);
    const auto comma = bounds.find(',');
    const auto last = comma == std::string_view::npos ? bounds : bounds.substr(comma + 1);
    count += kInstructionsOfRepeated * parse_int(last).value_or(0);
  }
  return count;
}

RE2::Options options(bool any_case, std::int64_t memory) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // clients may send any bytes
  options.set_case_sensitive(!any_case);
  options.set_log_errors(false);
  options.set_max_mem(memory);
  return options;
}

/// Finds the literals of a list (RE2 calls them atoms) in a text, by their first three bytes.
class Atoms {
 public:
  explicit Atoms(std::vector<std::string> atoms) : atoms_(std::move(atoms)) {
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const auto start = start_of(atoms_[i]);
      starts_[start].push_back(static_cast<int>(i));
      may_start_[slot_of(start)] = true;
    }
  }

  /// Returns the indices of the literals that the text contains, in ascending order.
  [[nodiscard]] std::vector<int> in(std::string_view text) const {
    std::vector<int> found;
    for (std::size_t at = 0; at + kLeastAtom <= text.size(); ++at) {
      const auto rest = text.substr(at);
      // This check rejects nearly all positions.
      if (!may_start_[slot_of(start_of(rest))]) continue;
      const auto start = starts_.find(start_of(rest));
      if (start == starts_.end()) continue;
      for (const int atom : start->second) {
        if (rest.starts_with(atoms_[static_cast<std::size_t>(atom)])) found.push_back(atom);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  static std::uint32_t start_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    return static_cast<std::uint32_t>(byte(0) << 16 | byte(1) << 8 | byte(2));
  }

  static std::size_t slot_of(std::uint32_t start) { return (start ^ start >> 9) % kSlots; }

  static constexpr std::size_t kSlots = 16'384;
  std::bitset<kSlots> may_start_;
  std::vector<std::string> atoms_;
  std::unordered_map<std::uint32_t, std::vector<int>> starts_;
};

}  // namespace

struct RegexList::Parts {
  re2::FilteredRE2 filter{kLeastAtom};
  std::optional<Atoms> atoms;
};

RegexList::RegexList() : parts_(std::make_unique<Parts>()) {}
RegexList::~RegexList() = default;
RegexList::RegexList(RegexList&&) noexcept = default;
RegexList& RegexList::operator=(RegexList&&) noexcept = default;

std::string RegexList::add(const std::string& regex, bool any_case) {
  const auto memory =
      std::min(kLeastMemory + kMemoryOfInstruction * instructions(regex), kMaxMemory);
  int id = 0;
  const auto code = parts_->filter.Add(regex, options(any_case, memory), &id);
  if (code == RE2::NoError) return "";
  const auto reason = RE2(regex, options(any_case, kMaxMemory)).error();
  return reason.empty() ? "cannot be used" : reason;
}

void RegexList::compile() {
  std::vector<std::string> atoms;
  parts_->filter.Compile(&atoms);
  parts_->atoms.emplace(std::move(atoms));
}

std::size_t RegexList::size() const {
  return static_cast<std::size_t>(parts_->filter.NumRegexps());
}

std::optional<RegexList::Match> RegexList::first_match(std::string_view text) const {
  if (size() == 0) return std::nullopt;
  std::vector<int> candidates;
  parts_->filter.AllPotentials(parts_->atoms->in(ascii_lower(text)), &candidates);
  std::sort(candidates.begin(), candidates.end());
  for (const int index : candidates) {
    const auto& regex = parts_->filter.GetRE2(index);
    std::array<re2::StringPiece, 10> groups;
    const auto wanted = std::min<int>(regex.NumberOfCapturingGroups() + 1, 10);
    const re2::StringPiece input(text.data(), text.size());
    if (!regex.Match(input, 0, text.size(), RE2::UNANCHORED, groups.data(), wanted)) continue;
    Match match{static_cast<std::size_t>(index), {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(wanted); ++i) {
      if (groups[i].data() != nullptr) match.groups[i] = {groups[i].data(), groups[i].size()};
    }
    return match;
  }
  return std::nullopt;
}

}  // namespace analytics
