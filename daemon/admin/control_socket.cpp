#include "daemon/admin/control_socket.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace analytics::admin {
namespace {

constexpr std::size_t kMaxLine = 65'536;
// Maximum size of the daemon's reply in bytes; enough for a list of many keys.
constexpr std::size_t kMaxReply = 67'108'864;
constexpr int kLineMillis = 30'000;  // longest wait for a client's line
// Longest wait for the daemon's reply. A change may wait a minute for other nodes of a cluster.
constexpr int kReplyMillis = 120'000;

/// Address of a Unix socket with a path of any length. If the path exceeds the kernel's limit of
/// 107 bytes, uses /proc/self/fd and a descriptor of the folder instead.
struct SocketAddress {
  explicit SocketAddress(const std::filesystem::path& path) {
    address.sun_family = AF_UNIX;
    auto text = path.string();
    if (text.size() >= sizeof address.sun_path) {
      folder = FileDescriptor(open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      text = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + path.filename().string();
    }
    text.copy(address.sun_path, sizeof address.sun_path - 1);
  }
  [[nodiscard]] const sockaddr* get() const {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address));
  }

  sockaddr_un address{};
  FileDescriptor folder;
};

std::filesystem::path socket_path(const std::filesystem::path& database) {
  return std::filesystem::absolute(database).string() + ".sock";
}

[[noreturn]] void raise(const std::string& what) {
  throw std::system_error(errno, std::system_category(), what);
}

/// Reads up to the first line feed, the end of the stream, or about `most` bytes. Returns an empty
/// string if no bytes arrive for `millis`, or if the descriptor `stop` (-1 for none) becomes
/// readable.
std::string read_line(int fd, std::size_t most, int millis, int stop = -1) {
  std::string line;
  while (line.size() < most && !line.ends_with('\n')) {
    pollfd waiting[] = {{fd, POLLIN, 0}, {stop, POLLIN, 0}};
    if (poll(waiting, 2, millis) <= 0 || waiting[1].revents != 0) return {};
    char buffer[4'096];
    const auto got = recv(fd, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    line.append(buffer, static_cast<std::size_t>(got));
  }
  return line;
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

ControlSocket::ControlSocket(const std::filesystem::path& database, Answer answer)
    : path_(socket_path(database)), answer_(std::move(answer)) {
  listener_ = FileDescriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  stop_ = FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!listener_.valid() || !stop_.valid()) raise("control socket");
  // A killed daemon may have left the socket's file. No daemon can be using the file, because the
  // caller holds the database's lock.
  unlink(path_.c_str());
  const SocketAddress address(path_);
  // chmod() after bind() is early enough, because no client can connect before listen().
  if (bind(listener_.get(), address.get(), sizeof address.address) != 0) raise(path_.string());
  if (chmod(path_.c_str(), 0600) != 0 || listen(listener_.get(), 16) != 0) raise(path_.string());
  thread_ = std::thread([this] { run(); });
}

ControlSocket::~ControlSocket() {
  const std::uint64_t one = 1;
  if (write(stop_.get(), &one, sizeof one) == sizeof one) thread_.join();
  unlink(path_.c_str());
}

void ControlSocket::run() {
  while (true) {
    pollfd waiting[] = {{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (poll(waiting, 2, -1) < 0 && errno != EINTR) return;
    if (waiting[1].revents != 0) return;
    if (waiting[0].revents == 0) continue;
    const FileDescriptor client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.valid()) serve(client);
  }
}

void ControlSocket::serve(const FileDescriptor& client) {
  ucred peer{};
  socklen_t size = sizeof peer;
  const bool known = getsockopt(client.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  if (!known || (peer.uid != geteuid() && peer.uid != 0)) return;
  if (const auto line = read_line(client.get(), kMaxLine, kLineMillis, stop_.get()); !line.empty())
    write_all(client.get(), answer_(line));
}

Result<std::string> ask_daemon(const std::filesystem::path& database, std::string_view line) {
  const auto path = socket_path(database);
  const SocketAddress address(path);
  const FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid() || connect(fd.get(), address.get(), sizeof address.address) != 0) {
    return fail(ErrorCode::kNotFound, path.string() + ": " + std::strerror(errno));
  }
  write_all(fd.get(), line);
  auto reply = read_line(fd.get(), kMaxReply, kReplyMillis);
  if (reply.empty()) return fail(ErrorCode::kInternal, "the daemon did not answer");
  return reply;
}

}  // namespace analytics::admin
