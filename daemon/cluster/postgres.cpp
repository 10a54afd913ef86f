#include "daemon/cluster/postgres.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <libpq-fe.h>
#include <poll.h>

#include "common/text/text.h"

namespace analytics::cluster {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlice{100};  // time between two checks of whether the daemon is stopping
// Settings of each connection. The time limits keep a node from blocking the others for long: it
// stops waiting for a lock after 5 seconds, and loses its lock after 20 seconds without a
// statement. PostgreSQL must sync each commit to disk, because a node applies a committed change at
// once.
constexpr char kSettings[] =
    "SET statement_timeout = '8s'; SET lock_timeout = '5s';"
    "SET idle_in_transaction_session_timeout = '20s'; SET bytea_output = hex;"
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'";

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

struct FreeResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, FreeResult>;

/// Returns the PGconn that `connection` owns.
template <typename Owner>
PGconn* of(const Owner& connection) {
  return static_cast<PGconn*>(connection.get());
}

Options parse(const std::string& url, std::string& problem) {
  char* message = nullptr;
  Options options(PQconninfoParse(url.c_str(), &message));
  if (message != nullptr) problem = trim(message);
  PQfreemem(message);
  return options;
}

std::string value_of(const PQconninfoOption* options, std::string_view keyword) {
  for (const auto* each = options; each->keyword != nullptr; ++each) {
    if (keyword == each->keyword) return each->val == nullptr ? "" : each->val;
  }
  return {};
}

/// Returns how many servers a URL names. If a server does not answer, libpq tries the next.
int count_hosts(const std::string& url) {
  std::string problem;
  const auto options = parse(url, problem);
  const auto hosts = options ? value_of(options.get(), "host") : "";
  return static_cast<int>(1 + std::count(hosts.begin(), hosts.end(), ','));
}

bool is_this_machine(std::string_view host) {
  return host.empty() || host.starts_with('/') || host == "localhost" || host == "127.0.0.1" ||
         host == "::1";
}

/// Returns true for the SQLSTATE of an error that may be temporary: connections, resources, locks,
/// cancelled statements, a standby. https://www.postgresql.org/docs/current/errcodes-appendix.html
bool may_pass(std::string_view state) {
  constexpr std::array<std::string_view, 7> kClasses = {"08", "25", "40", "53", "55", "57", "58"};
  return std::any_of(kClasses.begin(), kClasses.end(),
                     [&](std::string_view each) { return state.starts_with(each); });
}

Error error_of(const PGresult* result) {
  const auto field = [&](int code) -> std::string {
    const char* text = PQresultErrorField(result, code);
    return text == nullptr ? "" : text;
  };
  const auto code =
      may_pass(field(PG_DIAG_SQLSTATE)) ? ErrorCode::kOverloaded : ErrorCode::kInvalidParameter;
  return {code, "PostgreSQL: " + field(PG_DIAG_MESSAGE_PRIMARY), {}};
}

std::vector<Postgres::Row> rows_of(const PGresult* result) {
  std::vector<Postgres::Row> rows(static_cast<std::size_t>(PQntuples(result)));
  for (int row = 0; row < PQntuples(result); ++row) {
    for (int column = 0; column < PQnfields(result); ++column) {
      rows[static_cast<std::size_t>(row)].emplace_back(
          PQgetvalue(result, row, column),
          static_cast<std::size_t>(PQgetlength(result, row, column)));
    }
  }
  return rows;
}

}  // namespace

std::string problem_of_postgres(const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) {
    return "must begin with postgresql://";
  }
  std::string problem;
  const auto options = parse(url, problem);
  if (!options)
    return problem.empty()
               ? "is not the address of a database, such as postgresql://db.example.com/analytics"
               : problem;
  if (!value_of(options.get(), "password").empty()) {
    return "must not contain the password: name a file with cluster.registry_password_file";
  }
  return {};
}

bool is_unsafe_postgres(const std::string& url) {
  std::string problem;
  const auto options = parse(url, problem);
  if (!options || value_of(options.get(), "sslmode") == "verify-full") return false;
  // The URL may name a service, and libpq's service file may assign any host to the service.
  if (!value_of(options.get(), "service").empty()) return true;
  auto hosts = value_of(options.get(), "hostaddr");
  if (hosts.empty()) hosts = value_of(options.get(), "host");
  const auto all = split(hosts, ',');
  return !std::all_of(all.begin(), all.end(), is_this_machine);
}

void Postgres::Close::operator()(void* connection) const {
  PQfinish(static_cast<PGconn*>(connection));
}

Postgres::Postgres(PostgresConfig config, const std::atomic<bool>& is_ending)
    : config_(std::move(config)), is_ending_(is_ending) {}

Postgres::~Postgres() = default;

void Postgres::disconnect() { connection_.reset(); }

tl::unexpected<Error> Postgres::lose(const std::string& why) {
  disconnect();
  return fail(ErrorCode::kOverloaded, "PostgreSQL: " + why);
}

Status Postgres::wait(short events, Deadline deadline) {
  for (;;) {
    if (is_ending_) return lose("the service is shutting down");
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) return lose("no answer");
    pollfd socket{.fd = PQsocket(of(connection_)), .events = events, .revents = 0};
    const auto slice = static_cast<int>(std::min(left, kSlice).count());
    if (poll(&socket, 1, slice) > 0) return {};
  }
}

Status Postgres::connect() {
  if (connection_) return {};
  // libpq lets the URL (`dbname`) override the parameters before it, and the parameters after it
  // override the URL.
  const std::array<const char*, 7> names = {"target_session_attrs",
                                            "fallback_application_name",
                                            "tcp_user_timeout",
                                            "dbname",
                                            "client_encoding",
                                            "password",
                                            nullptr};
  const std::array<const char*, 7> values = {
      "read-write", "analyticsd", "4000", config_.url.c_str(), "UTF8", config_.password.c_str(),
      nullptr};
  connection_.reset(PQconnectStartParams(names.data(), values.data(), 1));
  if (!connection_) throw std::bad_alloc();
  const auto deadline =
      std::chrono::steady_clock::now() + config_.timeout * count_hosts(config_.url);
  auto state =
      PQstatus(of(connection_)) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
    const short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    TRY(wait(events, deadline));
    state = PQconnectPoll(of(connection_));
  }
  if (state == PGRES_POLLING_FAILED) {
    const std::string_view reason = PQerrorMessage(of(connection_));
    return lose(std::string(trim(reason.substr(0, reason.find('\n')))));
  }
  PQsetnonblocking(of(connection_), 1);
  if (auto set = ask(kSettings); !set) {
    disconnect();
    return fail(set.error());
  }
  return {};
}

Result<std::vector<Postgres::Row>> Postgres::ask(const std::string& sql) {
  if (!connection_) return lose("there is no connection");
  if (PQsendQuery(of(connection_), sql.c_str()) == 0) return lose(PQerrorMessage(of(connection_)));
  return take_results(std::chrono::steady_clock::now() + config_.timeout);
}

Result<std::vector<Postgres::Row>> Postgres::ask(const std::string& sql,
                                                 const std::vector<std::string>& values) {
  if (!connection_) return lose("there is no connection");
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const auto& value : values) texts.push_back(value.c_str());
  if (PQsendQueryParams(of(connection_), sql.c_str(), static_cast<int>(texts.size()), nullptr,
                        texts.data(), nullptr, nullptr, 0) == 0) {
    return lose(PQerrorMessage(of(connection_)));
  }
  return take_results(std::chrono::steady_clock::now() + config_.timeout);
}

/// Waits for the results of the statements that were sent. Returns the rows of the last statement
/// that has returned any, or the first error.
Result<std::vector<Postgres::Row>> Postgres::take_results(Deadline deadline) {
  while (const int unsent = PQflush(of(connection_))) {
    if (unsent < 0) return lose(PQerrorMessage(of(connection_)));
    // While a long statement is being sent, the server's messages must be read too. Otherwise both
    // sides could wait for each other forever.
    TRY(wait(POLLIN | POLLOUT, deadline));
    if (PQconsumeInput(of(connection_)) == 0) return lose(PQerrorMessage(of(connection_)));
  }
  Result<std::vector<Row>> rows;
  for (;;) {
    while (PQisBusy(of(connection_)) != 0) {
      TRY(wait(POLLIN, deadline));
      if (PQconsumeInput(of(connection_)) == 0) return lose(PQerrorMessage(of(connection_)));
    }
    const Answer result(PQgetResult(of(connection_)));
    if (!result) break;
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK) {
      if (rows) rows = rows_of(result.get());
    } else if (status != PGRES_COMMAND_OK && rows) {
      rows = fail(error_of(result.get()));
    }
  }
  if (PQstatus(of(connection_)) == CONNECTION_BAD) {
    auto lost = lose("the connection was closed");
    return rows ? Result<std::vector<Row>>(std::move(lost)) : rows;
  }
  return rows;
}

void Postgres::wait_for_news(milliseconds time, int wake) {
  if (connection_) {  // a notification may have arrived with the last answer
    if (PGnotify* news = PQnotifies(of(connection_))) {
      PQfreemem(news);
      return;
    }
  }
  std::array<pollfd, 2> descriptors = {
      pollfd{.fd = wake, .events = POLLIN, .revents = 0},
      pollfd{.fd = connection_ ? PQsocket(of(connection_)) : -1, .events = POLLIN, .revents = 0}};
  (void)poll(descriptors.data(), descriptors.size(), static_cast<int>(time.count()));
  if (!connection_) return;
  if (PQconsumeInput(of(connection_)) == 0) return disconnect();
  while (PGnotify* news = PQnotifies(of(connection_))) PQfreemem(news);
}

std::string to_bytea(std::string_view bytes) {
  return "\\x" + to_hex(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string from_bytea(const std::string& text) {
  struct Free {
    void operator()(unsigned char* bytes) const { PQfreemem(bytes); }
  };
  std::size_t size = 0;
  const std::unique_ptr<unsigned char, Free> bytes(
      PQunescapeBytea(reinterpret_cast<const unsigned char*>(text.c_str()), &size));
  if (!bytes) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes.get()), size};
}

}  // namespace analytics::cluster
