#include "daemon/enrich/user_agent_cache.h"

namespace analytics {

const UserAgentRules& UserAgentCache::rules() const {
  std::call_once(is_loaded_, [this] {
    if (load_) rules_ = load_();
  });
  return rules_;
}

std::shared_ptr<const UserAgent> UserAgentCache::read(std::string_view user_agent) const {
  if (user_agent.size() > kMaxKept) {
    return std::make_shared<const UserAgent>(rules().read(user_agent));
  }
  auto& shard = shards_[Shard::Hash()(user_agent) / 64 % kShards];
  std::shared_ptr<const UserAgent> known;
  {
    const std::scoped_lock lock(shard.mutex);
    if (const auto found = shard.young.find(user_agent); found != shard.young.end()) {
      return found->second;
    }
    if (const auto found = shard.old.find(user_agent); found != shard.old.end()) {
      known = found->second;
    }
  }
  if (known == nullptr) known = std::make_shared<const UserAgent>(rules().read(user_agent));
  const std::scoped_lock lock(shard.mutex);
  if (shard.young.size() >= kGeneration) {
    shard.old = std::move(shard.young);
    shard.young.clear();
  }
  shard.young.emplace(user_agent, known);
  return known;
}

std::size_t UserAgentCache::bytes() const {
  std::size_t entries = 0;
  for (auto& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    entries += shard.young.size() + shard.old.size();
  }
  return entries * kEntryBytes;
}

}  // namespace analytics
