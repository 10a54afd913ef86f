#include "daemon/call/link_passwords.h"

#include <new>

#include "common/run/secret.h"
#include "daemon/ingest/client_ip.h"

namespace analytics::api {
namespace {

constexpr std::chrono::minutes kWindow{1};

/// Wraps work so that std::bad_alloc does not leave it: the pool must not see exceptions.
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

void LinkPasswords::forget_old() {
  const auto now = clock_.steady();
  for (auto& [of, times] : tries_) {
    while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
  }
  std::erase_if(tries_, [](const auto& each) { return each.second.empty(); });
}

bool LinkPasswords::hash(AccountId account, std::string password, std::string known,
                         std::function<void(std::string hash)> take) {
  return pool_.submit(within_memory([password = std::move(password), known = std::move(known),
                                     take = std::move(take)] {
                        const bool is_same = !known.empty() && is_password(known, password);
                        take(is_same ? known : hash_password(password));
                      }),
                      {account});
}

/// Compares the password, unless there were too many attempts, and calls `take` with the verdict.
void LinkPasswords::judge(const Try& tried, const TakeVerdict& take) {
  forget_old();
  const auto now = clock_.steady();
  const auto network = client_network(tried.client).value_or(tried.client);
  auto& of_all = tries_[{tried.link, {}}];
  auto& of_network = tries_[{tried.link, "from " + network}];
  auto& of_client = tries_[{tried.link, "by " + tried.client}];
  const auto most_of_all = of_network.empty() ? kMaxFirstTries : kMaxTriesOfAll;
  for (const auto& [times, most] :
       {std::pair(&of_all, most_of_all), std::pair(&of_network, kMaxTriesOfNetwork),
        std::pair(&of_client, kMaxTries)}) {
    if (times->size() < most) continue;
    const auto wait = (*times)[times->size() - most] + kWindow - now;
    return take(Verdict::kTooMany, std::chrono::ceil<std::chrono::seconds>(wait));
  }
  for (auto* times : {&of_all, &of_network, &of_client}) times->push_back(now);
  take(is_password(tried.hash, tried.password) ? Verdict::kRight : Verdict::kWrong, {});
}

bool LinkPasswords::check(Try tried, TakeVerdict take) {
  const WorkLane lane{tried.account};
  return pool_.submit(within_memory([this, tried = std::move(tried), take = std::move(take)] {
                        judge(tried, take);
                      }),
                      lane);
}

}  // namespace analytics::api
