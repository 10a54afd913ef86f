#include "tests/cluster/balancer_process.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <sys/socket.h>
#include <sys/un.h>
#include <csignal>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "tests/cluster/server_start.h"
#include "tests/support/programs.h"

namespace analytics::test {
namespace {

void replace(std::string& text, const std::string& old, const std::string& with) {
  const auto at = text.find(old);
  if (at == std::string::npos) throw std::runtime_error("the example file has no '" + old + "'");
  for (auto i = at; i != std::string::npos; i = text.find(old, i + with.size())) {
    text.replace(i, old.size(), with);
  }
}

std::string name_of(std::size_t node) { return std::string(1, static_cast<char>('a' + node)); }

}  // namespace

BalancerProcess::BalancerProcess(std::vector<std::string> nodes, bool is_in_a_hurry)
    : nodes_(std::move(nodes)), is_in_a_hurry_(is_in_a_hurry) {
  start();
}

std::string BalancerProcess::configuration() const {
  std::ifstream file(in_checkout("daemon/packaging/examples/haproxy-cluster.cfg"));
  std::stringstream read;
  read << file.rdbuf();
  auto text = read.str();
  const auto redirects = text.find("frontend plain");
  const auto tls = text.find("frontend tls");
  if (redirects == std::string::npos || tls == std::string::npos) {
    throw std::runtime_error("the example file has other frontends");
  }
  text.erase(redirects, tls - redirects);
  const auto listens = text.find("    bind :443");
  text.replace(
      listens, text.find('\n', listens) - listens,
      "    bind 127.0.0.1:" + std::to_string(port_) + "\n    http-response set-header X-Node %s");
  replace(text, "global\n",
          "global\n    stats socket " + (folder_ / "control").string() + " level admin\n");
  replace(text, "maxconn 20000", "maxconn 500");
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    replace(text, "10.0.0.1" + std::to_string(node + 1) + ":8000", nodes_[node]);
  }
  if (is_in_a_hurry_) replace(text, "inter 2s fall 2 rise 15", "inter 100ms fall 2 rise 2");
  return text;
}

void BalancerProcess::start() {
  const auto file = (folder_ / "haproxy.cfg").string();
  std::ofstream(file) << configuration();
  std::filesystem::remove(folder_ / "control");
  process_ = std::make_unique<Process>(std::vector<std::string>{HAPROXY, "-db", "-f", file},
                                       Process::Options{});
  if (!starts(*process_, [&] { return !ask("show info").empty(); })) {
    throw std::runtime_error("HAProxy does not start");
  }
}

void BalancerProcess::set_address(std::size_t node, const std::string& address) {
  nodes_[node] = address;
  const auto colon = address.rfind(':');
  for (const std::string backend : {"nodes", "imports"}) {
    const auto reply = ask("set server " + backend + "/" + name_of(node) + " addr " +
                           address.substr(0, colon) + " port " + address.substr(colon + 1));
    const bool is_set =
        reply.find("changed") != std::string::npos || reply.find("no need") != std::string::npos;
    if (!is_set) throw std::runtime_error("HAProxy: " + reply);
  }
}

std::string BalancerProcess::ask(const std::string& command) const {
  const FileDescriptor control(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto path = (folder_ / "control").string();
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error(path + " is too long");
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto line = command + "\n";
  if (connect(control.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      send(control.get(), line.data(), line.size(), MSG_NOSIGNAL) < std::ssize(line)) {
    return {};
  }
  std::string reply;
  char buffer[512];
  for (ssize_t got = 0; (got = recv(control.get(), buffer, sizeof buffer, 0)) > 0;) {
    reply.append(buffer, static_cast<std::size_t>(got));
  }
  return reply;
}

void BalancerProcess::kill() {
  process_->signal(SIGKILL);
  process_->wait();
  process_.reset();
}

}  // namespace analytics::test
