#include "daemon/model/wildcard.h"

#include <algorithm>
#include <vector>

namespace analytics {
namespace {

constexpr auto kNone = std::string_view::npos;

/// Literals with a `*` of one path segment between each two.
using Chunk = std::vector<std::string_view>;

std::vector<Chunk> chunks_of(std::string_view pattern, Star star) {
  std::vector<Chunk> chunks(1);
  while (true) {
    const auto at = std::min(pattern.find('*'), pattern.size());
    chunks.back().push_back(pattern.substr(0, at));
    if (at == pattern.size()) return chunks;
    const auto end = std::min(pattern.find_first_not_of('*', at), pattern.size());
    if (end - at > 1 || star == Star::kAnything) chunks.emplace_back();
    pattern.remove_prefix(end);
  }
}

/// Matches the chunk at exactly `from` and returns its earliest possible end, or kNone. The
/// earliest place of each literal is the best one: a later place could only help if a `/` lay
/// between the two, and then the gap before the later place would contain it.
std::size_t end_of_chunk(const Chunk& chunk, std::string_view text, std::size_t from) {
  if (text.compare(from, chunk.front().size(), chunk.front()) != 0) return kNone;
  auto at = from + chunk.front().size();
  for (std::size_t i = 1; i < chunk.size(); ++i) {
    const auto segment_end = std::min(text.find('/', at), text.size());
    const auto found = text.substr(0, segment_end + chunk[i].size()).find(chunk[i], at);
    if (found == kNone || found > segment_end) return kNone;
    at = found + chunk[i].size();
  }
  return at;
}

/// True when the chunk fits somewhere from `from` on and ends with the text.
bool ends_with_chunk(Chunk chunk, std::string_view text, std::size_t from, bool is_first) {
  // Its last literal is the text's end; what is left must fit before it, within one segment.
  const auto last = chunk.back();
  chunk.pop_back();
  if (text.size() < from + last.size() || !text.ends_with(last)) return false;
  const auto before = text.substr(0, text.size() - last.size());
  if (chunk.empty()) return !is_first || before.empty();
  for (auto at = from; at <= before.size(); ++at) {
    if (!is_first) at = before.find(chunk.front(), at);
    if (at == kNone) return false;
    const auto end = end_of_chunk(chunk, before, at);
    if (end != kNone && before.find('/', end) == kNone) return true;
    if (is_first) return false;
  }
  return false;
}

}  // namespace

bool wildcard_matches(std::string_view pattern, std::string_view text, Star star) {
  const auto literal = std::min(pattern.find('*'), pattern.size());
  if (!text.starts_with(pattern.substr(0, literal))) return false;  // nearly always
  if (literal == pattern.size()) return text.size() == literal;
  const auto chunks = chunks_of(pattern, star);
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
    auto end = kNone;
    for (auto from = at; end == kNone && from <= text.size(); ++from) {
      if (i > 0) from = text.find(chunks[i].front(), from);
      if (from == kNone) return false;
      end = end_of_chunk(chunks[i], text, from);
      if (i == 0) break;
    }
    if (end == kNone) return false;
    at = end;
  }
  return ends_with_chunk(chunks.back(), text, at, chunks.size() == 1);
}

std::size_t count_wildcards(std::string_view pattern) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    count += pattern[at] == '*' && (at == 0 || pattern[at - 1] != '*') ? 1U : 0U;
  }
  return count;
}

std::string wildcard_problem(std::string_view pattern) {
  const auto count = count_wildcards(pattern);
  if (count > kMaxWildcards) return "has more than 8 wildcards";
  if (count > 0 && pattern.size() > kMaxWildcardBytes) {
    return "is longer than 500 bytes with a wildcard";
  }
  return {};
}

}  // namespace analytics
