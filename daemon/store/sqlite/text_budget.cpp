#include "daemon/store/sqlite/text_budget.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kShares = 10;  // a sender may use a tenth of a budget

}  // namespace

void TextBudget::begin(Days today) {
  if (today == today_) return;
  today_ = today;
  used_.clear();
  replaced_.clear();
  senders_ = 0;
}

bool TextBudget::spend(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source) {
  begin(source.today);
  const auto size = static_cast<std::int64_t>(bytes);
  const auto has_room = [&](const Used& used, std::int64_t part) {
    return used.texts < limits_.max_new_texts / part &&
           used.bytes + size <= limits_.max_new_text_bytes / part;
  };
  const auto add = [&](Used& used) {
    ++used.texts;
    used.bytes += size;
  };
  auto& all = used_[{site, kind, 0}];
  if (!has_room(all, 1)) return false;
  if (source.sender != 0) {
    const Key key{site, kind, source.sender};
    const auto found = used_.find(key);
    if (found == used_.end() && senders_ < kMaxSenders) {
      if (!has_room({}, kShares)) return false;
      ++senders_;
      add(used_[key]);
      add(used_[{site, kind, 0}]);  // the first look-up may have moved
      return true;
    }
    if (found != used_.end()) {
      if (!has_room(found->second, kShares)) return false;
      add(found->second);
    }
  }
  add(all);
  return true;
}

void TextBudget::refund(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source) {
  if (source.today != today_) return;
  for (const auto sender : {std::uint64_t{0}, source.sender}) {
    const auto found = used_.find({site, kind, sender});
    if (found != used_.end()) {
      --found->second.texts;
      found->second.bytes -= static_cast<std::int64_t>(bytes);
    }
    if (source.sender == 0) return;
  }
}

void TextBudget::replaced(SiteId site, StringKind kind, const TextSource& source) {
  begin(source.today);
  const Key key{site, kind, 0};
  auto& used = used_[key];
  if (used.replaced++ == 0) replaced_.push_back(key);
}

std::vector<store::ReplacedTexts> TextBudget::take_replaced() {
  std::vector<store::ReplacedTexts> all;
  for (const auto& key : replaced_) {
    auto& used = used_[key];
    all.push_back({key.site, field_of(key.kind).label, used.replaced, !used.was_reported});
    used.replaced = 0;
    used.was_reported = true;
  }
  replaced_.clear();
  return all;
}

}  // namespace analytics::sqlite
