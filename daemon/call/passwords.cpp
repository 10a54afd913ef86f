#include "daemon/call/passwords.h"

#include <new>

#include "common/secret.h"

namespace analytics::api {
namespace {

constexpr std::chrono::minutes kWindow{1};
constexpr std::size_t kMostLinks = 10'000;  // above this, links without recent tries are forgotten

/// Wraps work so that running out of memory does not throw into the pool.
template <typename Work>
WorkerPool::Work within_memory(Work work) {
  return [work = std::move(work)](std::size_t) {
    try {
      work();
    } catch (const std::bad_alloc&) {  // destroying the responder answers 500
    }
  };
}

}  // namespace

Passwords::Times& Passwords::recent(const std::string& link) {
  const auto now = clock_.steady();
  const auto forget_old = [&](Times& times) {
    while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
  };
  if (tries_.size() >= kMostLinks) {
    for (auto& [other, times] : tries_) forget_old(times);
    std::erase_if(tries_, [](const auto& each) { return each.second.empty(); });
  }
  auto& times = tries_[link];
  forget_old(times);
  return times;
}

bool Passwords::hash(std::string password, std::string known,
                     std::function<void(std::string hash)> take) {
  return pool_.submit(within_memory(
      [password = std::move(password), known = std::move(known), take = std::move(take)] {
        const bool is_same = !known.empty() && is_password(known, password);
        take(is_same ? known : hash_password(password));
      }));
}

bool Passwords::check(std::string link, std::string hash, std::string password, TakeVerdict take) {
  return pool_.submit(within_memory([this, link = std::move(link), hash = std::move(hash),
                                     password = std::move(password), take = std::move(take)] {
    auto& times = recent(link);
    if (times.size() >= kMostTries) {
      const auto wait = times.front() + kWindow - clock_.steady();
      return take(Verdict::kTooMany, std::chrono::ceil<std::chrono::seconds>(wait));
    }
    times.push_back(clock_.steady());
    take(is_password(hash, password) ? Verdict::kRight : Verdict::kWrong, {});
  }));
}

}  // namespace analytics::api
