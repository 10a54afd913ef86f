// Baseline of the benchmarks: a Beast server that does as little work as possible. Answers every
// request with 202 `{}`, uses one thread per core, and prints its address.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast.hpp>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

namespace {

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(tcp::socket socket) : socket_(std::move(socket)) {
    response_.result(http::status::accepted);
    response_.set(http::field::content_type, "application/json");
    response_.body() = "{}";
    response_.prepare_payload();
  }
  void read() {
    request_ = {};
    http::async_read(socket_, buffer_, request_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->write();
                     });
  }

 private:
  void write() {
    http::async_write(socket_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }
  tcp::socket socket_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
};

void accept(tcp::acceptor& acceptor, asio::io_context& loop) {
  acceptor.async_accept(loop, [&](beast::error_code error, tcp::socket socket) {
    if (!error) {
      socket.set_option(tcp::no_delay(true));
      std::make_shared<Session>(std::move(socket))->read();
    }
    accept(acceptor, loop);
  });
}

}  // namespace

int main() {
  asio::io_context first(1);
  tcp::acceptor listener(first, {asio::ip::address_v4::loopback(), 0});
  std::cout << "http://127.0.0.1:" << listener.local_endpoint().port() << std::endl;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&listener] {
      asio::io_context loop(1);
      tcp::acceptor acceptor(loop, tcp::v4(), dup(listener.native_handle()));
      accept(acceptor, loop);
      loop.run();
    });
  }
  for (auto& thread : threads) thread.join();
}
