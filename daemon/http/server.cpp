#include "daemon/http/server.h"

#include "common/io/failpoint.h"
#include "daemon/http/connection.h"
#include "daemon/http/listeners.h"

namespace analytics::http {
namespace {

constexpr std::chrono::milliseconds kSweep{500};
constexpr std::chrono::milliseconds kSweepOfDrain{20};
constexpr std::chrono::milliseconds kAcceptPause{100};

/// Returns the address of the other end; that of IPv4 in its own form.
std::string peer_of(const tcp::socket& socket) {
  error_code ignored;
  auto address = socket.remote_endpoint(ignored).address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  return address.to_string();
}

}  // namespace

void IoThread::post_answer(std::shared_ptr<Connection> connection, Response response) {
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    first = answers_.empty();
    answers_.emplace_back(std::move(connection), std::move(response));
  }
  if (first) asio::post(loop_, [this] { take_answers(); });
}

void IoThread::post_part(std::shared_ptr<Connection> connection, BodyPart part) {
  asio::post(loop_, [connection = std::move(connection), part = std::move(part)]() mutable {
    connection->send_part(std::move(part));
  });
}

void IoThread::post_give_up(std::weak_ptr<Connection> connection, std::uint64_t body) {
  asio::post(loop_, [connection = std::move(connection), body] {
    if (const auto alive = connection.lock()) alive->give_up_body(body);
  });
}

void IoThread::take_answers() {
  decltype(answers_) answers;
  {
    const std::scoped_lock lock(mutex_);
    answers.swap(answers_);
  }
  for (auto& [connection, response] : answers) connection->send(std::move(response));
}

void IoThread::accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](error_code error, tcp::socket socket) {
    failpoint("accepted");
    // A client that was accepted before the acceptor closed still gets an answer.
    if (!error) serve(std::move(socket));
    if (!acceptor.is_open()) return;
    if (!error) return accept(acceptor);
    // Most likely the process is out of descriptors; an immediate retry would only spin.
    auto pause = std::make_shared<asio::steady_timer>(loop_, kAcceptPause);
    pause->async_wait([this, &acceptor, pause](error_code) {
      if (acceptor.is_open()) accept(acceptor);
    });
  });
}

/// Serves a client, or closes its connection at once if it has too many.
void IoThread::serve(tcp::socket socket) {
  auto peer = peer_of(socket);
  const auto most = shared_.limits.snapshot()->per_client;
  std::optional<std::string> client;
  if (most > 0 && shared_.dispatch.client_of) client = shared_.dispatch.client_of(peer);
  std::shared_ptr<void> place;
  if (client) {
    place = shared_.connection_bound.enter(*client, most);
    if (place == nullptr) {
      ++shared_.connections_refused;
      return;
    }
  }
  std::make_shared<Connection>(std::move(socket), std::move(peer), std::move(place), *this)
      ->start();
}

std::vector<std::shared_ptr<Connection>> IoThread::living() {
  std::vector<std::shared_ptr<Connection>> all;
  for (auto* connection : connections_) {
    if (auto alive = connection->weak_from_this().lock()) all.push_back(std::move(alive));
  }
  return all;
}

void IoThread::sweep() {
  now_ = SteadyClock::now();
  for (const auto& connection : living()) connection->close_if_overdue();
  sweeper_.expires_after(shared_.stopping ? kSweepOfDrain : kSweep);
  sweeper_.async_wait([this](error_code stopped) {
    if (!stopped) sweep();
  });
}

void IoThread::accept_waiting(tcp::acceptor& acceptor) {
  error_code error;
  acceptor.non_blocking(true, error);
  while (!error) {
    tcp::socket socket(loop_);
    acceptor.accept(socket, error);
    if (!error) serve(std::move(socket));
  }
}

void IoThread::begin_drain(bool waiting_too) {
  asio::post(loop_, [this, waiting_too] {
    for (auto& acceptor : acceptors_) {
      if (waiting_too) accept_waiting(acceptor);
      error_code ignored;
      acceptor.close(ignored);
    }
    for (const auto& connection : living()) connection->drain();
    sweep();
    // Runs after the queued handlers of clients that were accepted before.
    asio::post(loop_, [this] {
      const std::scoped_lock lock(shared_.mutex);
      --shared_.accepting;
      shared_.changed.notify_all();
    });
  });
}

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
  // Inherited sockets go to the next daemon, together with the clients waiting on them.
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
