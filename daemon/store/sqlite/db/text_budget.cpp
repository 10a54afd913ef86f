#include "daemon/store/sqlite/db/text_budget.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kSender = 10;  // percent of a budget that a sender may use
constexpr std::int64_t kNetwork = 20;
constexpr std::int64_t kFirstEvents = 80;

}  // namespace

std::vector<TextBudget::Share> TextBudget::shares_of(const TextSource& source) {
  std::vector<Share> shares{{kEveryone, source.begins_visit ? kFirstEvents : 100}};
  if (source.sender != 0) shares.push_back({source.sender, kSender});
  if (source.network != 0) shares.push_back({source.network, kNetwork});
  return shares;
}

bool TextBudget::has_room(const Used& used, std::int64_t bytes, std::int64_t percent) const {
  return used.texts < limits_.max_new_texts * percent / 100 &&
         used.bytes + bytes <= limits_.max_new_text_bytes * percent / 100;
}

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
  const auto shares = shares_of(source);
  for (const auto& share : shares) {
    const auto found = used_.find({site, kind, share.of});
    if (!has_room(found == used_.end() ? Used{} : found->second, size, share.percent)) return false;
  }
  for (const auto& share : shares) {
    const Key key{site, kind, share.of};
    if (share.of != kEveryone && !used_.contains(key)) {
      if (senders_ >= kMaxSenders) continue;
      ++senders_;
    }
    auto& used = used_[key];
    ++used.texts;
    used.bytes += size;
  }
  return true;
}

void TextBudget::refund(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source) {
  if (source.today != today_) return;
  for (const auto& share : shares_of(source)) {
    const auto found = used_.find({site, kind, share.of});
    if (found == used_.end()) continue;
    --found->second.texts;
    found->second.bytes -= static_cast<std::int64_t>(bytes);
  }
}

void TextBudget::replaced(SiteId site, StringKind kind, const TextSource& source) {
  begin(source.today);
  const Key key{site, kind, kEveryone};
  auto& used = used_[key];
  if (used.replaced++ == 0) replaced_.push_back(key);
}

std::vector<store::ReplacedTexts> TextBudget::take_replaced() {
  std::vector<store::ReplacedTexts> all;
  for (const auto& key : replaced_) {
    auto& used = used_[key];
    all.push_back({key.site, field_of(key.kind).column(), used.replaced, !used.was_reported});
    used.replaced = 0;
    used.was_reported = true;
  }
  replaced_.clear();
  return all;
}

}  // namespace analytics::sqlite
