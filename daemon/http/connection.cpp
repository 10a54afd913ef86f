#include "daemon/http/connection.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/text/text.h"

namespace analytics::http {
namespace {

/// Bodies and answers of at most this many bytes are not counted in the memory ledger.
constexpr std::size_t kUncountedBytes = 16'384;
/// Longest wait, after a response that ends the connection, for the client to close its side.
constexpr std::chrono::seconds kLinger{2};
/// When the server stops, an idle connection stays open this long, because a client that sends
/// without a pause has its next request on the way.
constexpr std::chrono::milliseconds kLastRequest{100};
/// First pause after a body part that is not available yet (kNothingYet), and the longest. Each
/// further pause is twice as long.
constexpr std::chrono::milliseconds kAskAgain{5};
constexpr std::chrono::milliseconds kAskLatest{320};
/// Interval of the checks whether the client has closed its side of the connection, while bytes
/// that it sent are not read yet.
constexpr std::chrono::milliseconds kLookAgain{50};

}  // namespace

Connection::Connection(tcp::socket socket, std::string peer, std::shared_ptr<void> place,
                       IoThread& thread)
    : socket_(std::move(socket)),
      thread_(thread),
      peer_(std::move(peer)),
      place_(std::move(place)),
      limits_(thread.shared().limits.snapshot()),
      reader_(limits_->request),
      pause_(kAskAgain) {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  thread_.add(this);
  const std::scoped_lock lock(shared().mutex);
  ++shared().connections;
}

Connection::~Connection() {
  thread_.remove(this);
  const std::scoped_lock lock(shared().mutex);
  --shared().connections;
  shared().changed.notify_all();
}

void Connection::start() {
  state_ = State::kIdle;
  left_.reset();
  expire_in(limits_->idle_timeout);
  if (shared().stopping) drain();
  advance();
}

void Connection::send(Response response) {
  const bool has_left = is_abandoned(std::exchange(left_, nullptr));
  if (has_left) response = Response(kClientClosedRequest, "text/plain", std::string());
  write(std::move(response), has_left || !reader_.keep_alive() || shared().stopping);
}

Abandoned Connection::watch() {
  if (left_ == nullptr) {
    left_ = std::make_shared<std::atomic<bool>>(false);
    look_for_end(left_);
  }
  return left_;
}

void Connection::send_part(BodyPart part) {
  if (part.kind == BodyPart::Kind::kCut) return reset();
  if (part.kind == BodyPart::Kind::kNothingYet) return ask_again();
  pause_ = kAskAgain;
  out_ = chunked_ ? chunk_of(part.bytes) : std::move(part.bytes);
  if (part.kind == BodyPart::Kind::kEnd) parts_ = nullptr;
  write_out();
}

void Connection::drain() {
  if (state_ == State::kIdle) expire_in(kLastRequest);
}

void Connection::close_if_overdue() {
  if (thread_.now() < deadline_) return;
  // A new request has arrived on the idle connection but is not read yet: do not close.
  if (state_ == State::kIdle && has_bytes()) return;
  const bool reading = state_ == State::kHead || state_ == State::kBody;
  if (reading) {
    stop_reading();
  } else {
    close();
  }
}

void Connection::give_up_body(std::uint64_t body) {
  if (body != body_) return;
  if (state_ == State::kBody) {
    stop_reading();
  } else if (state_ == State::kWriting) {
    reset();
  }
}

bool Connection::has_bytes() const {
  error_code failed;
  return socket_.available(failed) > 0 && !failed;
}

void Connection::close() {
  error_code ignored;
  socket_.close(ignored);
}

/// Resets the connection, so that the client cannot mistake a partial body for a complete one.
void Connection::reset() {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

/// Answers 408 to a request that arrived too slowly, or whose body needs memory that other requests
/// use.
void Connection::stop_reading() {
  ++turn_;  // the new number makes the pending read's callback do nothing
  error_code ignored;
  socket_.cancel(ignored);
  reader_.drop_body();
  refuse(408);
}

/// Processes the received bytes until a request is complete or refused, or more bytes are needed.
void Connection::advance() {
  using Step = RequestReader::Step;
  while (true) {
    switch (reader_.read()) {
      case Step::kNeedMore: return wait_for_more();
      case Step::kContinue: return send_continue();
      case Step::kRequest: return handle();
      case Step::kRefused: return refuse(reader_.status());
      case Step::kHead:
        if (!admit()) return;
    }
  }
}

/// Accepts or refuses a request by its head. Returns false if it was refused.
bool Connection::admit() {
  auto& request = reader_.request();
  request.peer = peer_;
  request.id = thread_.next_id();
  started_ = SteadyClock::now();
  auto admission = shared().dispatch.admit(request.head, peer_);
  request.route = admission.route;
  request.parameters = std::move(admission.parameters);
  if (admission.refusal) {
    write(std::move(*admission.refusal), true);
    return false;
  }
  request.hold = std::move(admission.hold);
  reader_.begin_body(admission.body_limit);
  state_ = State::kBody;
  ++body_;
  expire_in(limits_->body_timeout);
  return true;
}

void Connection::wait_for_more() {
  if (state_ == State::kIdle && !reader_.idle()) {
    state_ = State::kHead;
    expire_in(limits_->head_timeout);
  }
  if (state_ == State::kBody && !has_room()) return stop_reading();
  read_more();
}

/// Counts the memory of the arriving body. Returns false if no memory is left for it and the
/// request must be refused. A request with a reservation (`hold`) is not counted, because the
/// reservation covers its memory.
bool Connection::has_room() {
  return reader_.request().hold != nullptr ||
         has_room(MemoryLedger::Holder::kBodies, reader_.buffered());
}

/// Counts `bytes` in the memory ledger as the current body's memory, under the kind `holder`.
/// Returns false if no memory is left and the body must be given up.
bool Connection::has_room(MemoryLedger::Holder holder, std::size_t bytes) {
  if (bytes <= kUncountedBytes && !item_) return true;
  if (!item_) {
    const auto& owner = shared().dispatch.owner;
    item_.emplace(shared().memory, holder, owner ? owner(reader_.request().head, peer_) : "",
                  [&thread = thread_, self = weak_from_this(), body = body_] {
                    thread.post_give_up(self, body);
                  });
  }
  return item_->set(bytes);
}

/// Waits until the socket is readable and then calls fetch(). A waiting connection needs no buffer.
void Connection::read_more() {
  socket_.async_wait(tcp::socket::wait_read,
                     [self = shared_from_this(), turn = turn_](error_code error) {
                       if (!error && turn == self->turn_) self->fetch();
                     });
}

void Connection::fetch() {
  error_code error;
  const auto got = socket_.read_some(thread_.buffer(), error);
  if (error == asio::error::would_block) return read_more();
  if (error) return;  // the client has closed the connection
  if (state_ == State::kLingering) return read_more();
  reader_.append({static_cast<const char*>(thread_.buffer().data()), got});
  advance();
}

void Connection::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this(), turn = turn_](error_code failed, std::size_t) {
                      if (!failed && turn == self->turn_) self->read_more();
                    });
}

/// Passes the response of the current request to the connection. send() gives up the reference to
/// the connection, because a handler may keep this object longer, and a connection must be
/// destroyed on its own thread.
class Connection::CurrentClient final : public Responder::Client {
 public:
  explicit CurrentClient(std::shared_ptr<Connection> self) : self_(std::move(self)) {}
  void send(Response response) override {
    auto& thread = self_->thread_;
    if (thread.is_this_thread()) {
      std::exchange(self_, nullptr)->send(std::move(response));
    } else {
      thread.post_answer(std::move(self_), std::move(response));
    }
  }
  Abandoned watch() override { return self_->thread_.is_this_thread() ? self_->watch() : nullptr; }

 private:
  std::shared_ptr<Connection> self_;
};

void Connection::handle() {
  state_ = State::kHandling;
  item_.reset();
  never_expire();
  Responder respond(std::make_unique<CurrentClient>(shared_from_this()));
  try {
    shared().dispatch.handle(reader_.request(), std::move(respond));
  } catch (const std::exception& error) {
    shared().log.error("handler failed",
                       {{"request_id", reader_.request().id}, {"reason", error.what()}});
  }
}

/// Waits until the client closes its side of the connection, and then sets `left`. Like nginx,
/// treats a half-closed connection as abandoned. Bytes of a next request do not count as closing.
void Connection::look_for_end(const std::shared_ptr<std::atomic<bool>>& left) {
  if (left != left_) return;  // the response was sent
  pollfd side{socket_.native_handle(), POLLRDHUP, 0};
  if (::poll(&side, 1, 0) != 0) {
    *left = true;
    return;
  }
  if (!has_bytes()) {
    return socket_.async_wait(tcp::socket::wait_read,
                              [self = shared_from_this(), left](error_code failed) {
                                if (!failed) self->look_for_end(left);
                              });
  }
  // With unread bytes the socket is always readable, so waiting would not show that the client
  // closed it: poll instead.
  thread_.post_after(kLookAgain, [self = shared_from_this(), left] { self->look_for_end(left); });
}

/// Answers a request that cannot be served and closes the connection.
void Connection::refuse(int status) {
  item_.reset();
  auto& request = reader_.request();
  if (request.id.empty()) {
    request.id = thread_.next_id();
    started_ = SteadyClock::now();
  }
  write(shared().dispatch.refuse(request.head, status), true);
}

void Connection::write(Response response, bool close_after) {
  const auto& request = reader_.request();
  const auto& dispatch = shared().dispatch;
  dispatch.finished(request, response.status(), SteadyClock::now() - started_);
  out_.clear();
  const bool in_parts = response.parts() && request.head.method != Method::kHead;
  chunked_ = response.parts() && !request.head.http_1_0;
  close_after_ = close_after || (in_parts && !chunked_);
  const auto fields = dispatch.fields ? dispatch.fields(request.head) : std::string_view();
  append_head(out_, response, {thread_.date().now(), request.id, close_after_, chunked_, fields});
  if (in_parts) parts_ = response.parts();
  answer_ = std::move(response);
  item_.reset();
  ++body_;
  write_out(sent_body(answer_, request.head.method));
}

/// Sends `out_` and then `body`. Then fetches the next part, waits for the next request, or closes.
void Connection::write_out(std::string_view body) {
  state_ = State::kWriting;
  expire_in(limits_->idle_timeout);
  if (!has_room(MemoryLedger::Holder::kAnswers, out_.capacity() + answer_.body_memory())) {
    return reset();
  }
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(out_), asio::buffer(body)};
  asio::async_write(socket_, buffers, [self = shared_from_this()](error_code error, std::size_t) {
    if (error) return self->close();
    self->item_.reset();
    // the new number keeps a late give_up_body() for the sent part from aborting the next part
    ++self->body_;
    if (self->parts_) return self->fetch_part();
    self->answer_ = {};
    if (self->close_after_) return self->linger();
    self->reader_.finish();
    if (self->out_.capacity() > kKeptBytes) std::string().swap(self->out_);
    self->start();
  });
}

/// Asks for the next body part again after a pause. Resets the connection if the client has closed
/// it or the server is stopping.
void Connection::ask_again() {
  if (shared().stopping || is_abandoned(left_)) return reset();
  thread_.post_after(pause_, [self = shared_from_this()] { self->fetch_part(); });
  pause_ = std::min(2 * pause_, kAskLatest);
}

/// Asks for the next body part. The callback holds the only reference to the connection, so that
/// the connection is destroyed on its own thread.
void Connection::fetch_part() {
  never_expire();
  parts_({[self = shared_from_this()](BodyPart part) mutable {
            auto& thread = self->thread_;
            thread.post_part(std::move(self), std::move(part));
          },
          watch()});
}

/// Closes our side and discards what the client sends for up to kLinger. Closing with unread bytes
/// would send a reset, which can destroy the response before the client reads it.
void Connection::linger() {
  error_code error;
  socket_.shutdown(tcp::socket::shutdown_send, error);
  state_ = State::kLingering;
  expire_in(kLinger);
  read_more();
}

}  // namespace analytics::http
