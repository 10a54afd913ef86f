#include "daemon/http/server.h"

#include <algorithm>

#include "daemon/http/io_thread.h"
#include "daemon/http/listeners.h"

namespace analytics::http {

struct Server::Impl {
  Impl(ServerConfig config, MemoryLedger& memory, Log& log)
      : shared(std::move(config), memory, log) {}

  Shared shared;
  Listeners listeners{shared.config.listen, shared.config.inherited};
  std::vector<std::unique_ptr<IoThread>> threads;
};

Server::Server(ServerConfig config, MemoryLedger& memory, Log& log)
    : impl_(std::make_unique<Impl>(std::move(config), memory, log)) {}

Server::~Server() { stop(); }

void Server::set_limits(const ConnectionLimits& limits) { impl_->shared.limits.publish(limits); }

void Server::ping(std::size_t thread, std::function<void()> answer) {
  impl_->threads.at(thread)->post(std::move(answer));
}

std::size_t Server::thread_count() const { return impl_->threads.size(); }

std::vector<std::string> Server::addresses() const { return impl_->listeners.addresses(); }

std::size_t Server::connections() const {
  const std::scoped_lock lock(impl_->shared.mutex);
  return impl_->shared.connections;
}

std::uint64_t Server::connections_refused() const { return impl_->shared.connections_refused; }

void Server::start(Dispatch dispatch) {
  auto& shared = impl_->shared;
  shared.dispatch = std::move(dispatch);
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  const auto count = shared.config.threads == 0 ? cores : shared.config.threads;
  for (std::size_t i = 0; i < count; ++i) {
    auto& thread = *impl_->threads.emplace_back(std::make_unique<IoThread>(shared));
    for (const auto& [descriptor, protocol] : impl_->listeners.duplicate()) {
      thread.listen_on(descriptor, protocol);
    }
  }
  for (auto& thread : impl_->threads) thread->start();
}

void Server::stop() noexcept {
  if (impl_->shared.stopping.exchange(true)) return;
  impl_->listeners.close();
  // Clients that wait on inherited sockets are left to the next process that gets the sockets.
  const bool are_ours = impl_->shared.config.inherited.empty();
  auto& shared = impl_->shared;
  std::unique_lock lock(shared.mutex);
  shared.accepting = static_cast<std::size_t>(std::count_if(
      impl_->threads.begin(), impl_->threads.end(), [](const auto& t) { return t->is_running(); }));
  lock.unlock();
  for (auto& thread : impl_->threads) thread->begin_drain(are_ours);
  lock.lock();
  shared.changed.wait_for(lock, shared.config.drain_timeout,
                          [&] { return shared.connections == 0 && shared.accepting == 0; });
  lock.unlock();
  for (auto& thread : impl_->threads) thread->finish();
}

}  // namespace analytics::http
