#include "daemon/http/io_thread.h"

#include "common/io/failpoint.h"
#include "common/run/secret.h"
#include "daemon/http/connection.h"

namespace analytics::http {
namespace {

/// Interval of the checks for overdue connections, in normal operation and while the server stops.
constexpr std::chrono::milliseconds kSweep{500};
constexpr std::chrono::milliseconds kSweepOfDrain{20};
/// Pause after a failed attempt to accept a client.
constexpr std::chrono::milliseconds kAcceptPause{100};

/// Returns the client's address. An IPv4 address mapped into IPv6 is returned in IPv4 form.
std::string peer_of(const tcp::socket& socket) {
  error_code ignored;
  auto address = socket.remote_endpoint(ignored).address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  return address.to_string();
}

}  // namespace

IoThread::IoThread(Shared& shared) : shared_(shared), id_prefix_(random_base62(8)) {}

void IoThread::listen_on(int descriptor, const tcp& protocol) {
  acceptors_.emplace_back(loop_, protocol, descriptor);
}

void IoThread::start() {
  for (auto& acceptor : acceptors_) accept(acceptor);
  sweep();
  thread_ = std::thread([this] { loop_.run(); });
}

void IoThread::post(std::function<void()> work) { asio::post(loop_, std::move(work)); }

void IoThread::post_after(std::chrono::milliseconds pause, std::function<void()> work) {
  auto timer = std::make_shared<asio::steady_timer>(loop_, pause);
  timer->async_wait([timer, work = std::move(work)](error_code) { work(); });
}

void IoThread::finish() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
}

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
    // A client that was accepted just before the acceptor closed is served, too.
    if (!error) serve(std::move(socket));
    if (!acceptor.is_open()) return;
    if (!error) return accept(acceptor);
    // Most likely the process is out of file descriptors; an immediate retry would only spin.
    post_after(kAcceptPause, [this, &acceptor] {
      if (acceptor.is_open()) accept(acceptor);
    });
  });
}

/// Makes a Connection for an accepted client. Closes the socket at once if the client already has
/// too many connections.
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
    // This callback is queued last, so that it runs after the callbacks that accept earlier
    // clients.
    asio::post(loop_, [this] {
      const std::scoped_lock lock(shared_.mutex);
      --shared_.accepting;
      shared_.changed.notify_all();
    });
  });
}

}  // namespace analytics::http
