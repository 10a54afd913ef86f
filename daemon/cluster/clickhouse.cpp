#include "daemon/cluster/clickhouse.h"

#include <algorithm>
#include <exception>

#include "common/run/secret.h"
#include "common/run/version.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cluster {
namespace {

// Maximum length of ClickHouse's message within an error, in bytes.
constexpr std::size_t kShownAnswer = 300;
using std::chrono::milliseconds;

constexpr milliseconds kLook{100};
constexpr milliseconds kKillTimeout{2'000};
constexpr int kMomentsOfScan = 20;
// ClickHouse's default of max_query_size, in bytes. send() raises the setting for longer
// statements.
constexpr std::size_t kUsualSize = 262'144;
// Rows per block of an answer. Each block is kept in memory as a whole.
constexpr int kBlockRows = 16'384;
/// URL parameters that make a statement fail if it reaches a limit of the ClickHouse user's
/// profile. Without them, ClickHouse may return a part of the answer.
constexpr char kWholeAnswers[] =
    "&timeout_overflow_mode=throw&read_overflow_mode=throw&result_overflow_mode=throw"
    "&group_by_overflow_mode=throw";

HttpClientConfig client_config(const ClickHouseConfig& config) {
  HttpClientConfig made;
  made.timeout = config.timeout;
  made.user_agent = std::string("analyticsd/") + kVersion;
  // If a reused connection turns out to be closed, libcurl repeats the request on its own, and a
  // block could be stored twice.
  made.fresh_connections = true;
  return made;
}

std::string server_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3));
}

std::string database_of(const std::string& url) {
  const auto server = server_of(url).size();
  return url.size() > server ? url.substr(server + 1) : std::string();
}

/// Returns a POST request to the server in `config`. `parameters` become the query of the URL.
HttpRequest request_of(const ClickHouseConfig& config, const std::string& parameters,
                       std::string body) {
  HttpRequest request;
  request.method = "POST";
  request.url = server_of(config.url) + "/?" + parameters;
  request.headers = {{"X-ClickHouse-User", config.user}};
  if (!config.password.empty()) request.headers.emplace_back("X-ClickHouse-Key", config.password);
  request.body = std::move(body);
  return request;
}

Error unexpected() { return {ErrorCode::kOverloaded, "unexpected reply from ClickHouse", {}}; }

/// Returns true if the request may soon succeed: a proxy cannot reach ClickHouse now, or too many
/// queries are running. Returns false if ClickHouse lacks memory, time or space, because it would
/// refuse a second attempt too.
bool may_succeed_later(const HttpReply& reply) {
  // TOO_MANY_SIMULTANEOUS_QUERIES in ClickHouse
  constexpr std::string_view kTooManyQueries = "Code: 202";
  return reply.status == 429 || (reply.status >= 502 && reply.status <= 504) ||
         reply.body.find(kTooManyQueries) != reply.body.npos;
}

/// Returns an error unless the reply contains a complete answer.
Status judge(const HttpReply& reply) {
  if (reply.failure == HttpReply::Failure::kInvalid) {
    return fail(ErrorCode::kInvalidParameter, "ClickHouse cannot be asked: " + reply.reason);
  }
  if (reply.failure != HttpReply::Failure::kNone) {
    return fail(ErrorCode::kOverloaded, "ClickHouse does not answer: " + reply.reason);
  }
  if (reply.status == 200) return {};
  return fail(may_succeed_later(reply) ? ErrorCode::kOverloaded : ErrorCode::kInvalidParameter,
              "ClickHouse refuses: " + std::string(cut_utf8(trim(reply.body), kShownAnswer)));
}

}  // namespace

std::string problem_of_url(std::string_view url) {
  const auto parts = split_url(url);
  const bool is_web = parts && (parts->scheme == "http" || parts->scheme == "https");
  const auto database = is_web ? database_of(std::string(url)) : std::string();
  constexpr std::string_view kNameCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  const bool is_name =
      !database.empty() && database.find_first_not_of(kNameCharacters) == database.npos;
  // A password in the URL would appear in errors and logs.
  if (is_name && url.find('@') == url.npos) return {};
  return "must be a server and a database, such as http://127.0.0.1:8123/analytics";
}

bool is_readable_by_others(std::string_view url) {
  const auto parts = split_url(url);
  if (!parts || parts->scheme != "http" || iequals(parts->host, "localhost")) return false;
  const auto address = parse_address(parts->host);
  return !address || !is_loopback_address(*address);
}

ClickHouse::ClickHouse(ClickHouseConfig config, const std::atomic<bool>& is_ending)
    : config_(std::move(config)),
      database_(database_of(config_.url)),
      is_ending_(is_ending),
      lanes_(std::make_unique<HttpLanes>(client_config(config_), 1)) {}

Result<std::string> ClickHouse::ask(const std::string& sql, Takes takes) {
  return send(sql, {}, {}, takes);
}

Result<std::uint64_t> ClickHouse::ask_number(const std::string& sql, Takes takes) {
  const auto answer = TRY(ask(sql, takes));
  const auto number = parse_int(trim(answer));
  if (!number || *number < 0) {
    return fail(unexpected());
  }
  return static_cast<std::uint64_t>(*number);
}

Result<std::vector<ClickHouse::Row>> ClickHouse::ask_rows(const std::string& sql,
                                                          std::size_t numbers, std::size_t texts,
                                                          Takes takes) {
  const auto answer = TRY(ask(sql, takes));
  std::vector<Row> rows;
  for (const auto line : split(answer, '\n')) {
    if (line.empty()) continue;  // skips the empty text after the last line end
    const auto fields = split(line, '\t');
    if (fields.size() != numbers + texts) return fail(unexpected());
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < numbers; ++i) {
      const auto number = parse_int(fields[i]);
      if (!number) return fail(unexpected());
      row.numbers.push_back(*number);
    }
    row.texts.assign(fields.begin() + static_cast<std::ptrdiff_t>(numbers), fields.end());
  }
  return rows;
}

void ClickHouse::make_database() {
  (void)request("", "CREATE DATABASE IF NOT EXISTS " + database_);
}

Status ClickHouse::use_plain_inserts() {
  // With insert_deduplicate, a replicated table would ignore a block that it has stored before,
  // even if it has lost the block since.
  const auto known = TRY(ask_rows(
      "SELECT name FROM system.settings WHERE name IN ('async_insert', 'insert_deduplicate')"
      " ORDER BY name",
      0, 1));
  insert_settings_.clear();
  for (const auto& row : known) insert_settings_ += "&" + row.texts[0] + "=0";
  return {};
}

Status ClickHouse::insert(const std::string& table, const NativeBlock& rows,
                          const std::optional<Gated>& gated) {
  const auto columns = names_of(rows.columns()) + (gated ? ", deadline" : "");
  const auto deadline = gated ? std::optional(gated->deadline) : std::nullopt;
  TRY(send("INSERT INTO " + table + " (" + columns + ") FORMAT Native",
           gated ? gated->query_id : std::string(), rows.finish(deadline)));
  return {};
}

Result<std::string> ClickHouse::send(const std::string& sql, const std::string& query_id,
                                     std::string body, Takes takes) {
  // A statement without data is the body of the request. If there is data, the data is the body,
  // and the statement is in the URL.
  const bool has_body = !body.empty();
  auto parameters = "&database=" + percent_encode(database_);
  if (has_body) parameters += insert_settings_ + "&query=" + percent_encode(sql);
  if (!query_id.empty()) parameters += "&query_id=" + percent_encode(query_id);
  if (!has_body && sql.size() >= kUsualSize) {
    parameters += "&max_query_size=" + std::to_string(2 * sql.size());
  }
  if (!has_body) body = sql;
  return request(parameters, std::move(body), takes);
}

/// Sends a request and waits for the whole answer.
Result<std::string> ClickHouse::request(const std::string& parameters, std::string body,
                                        Takes takes) {
  if (is_ending_) return fail(ErrorCode::kOverloaded, "The service is shutting down.");
  auto request = request_of(config_, "wait_end_of_query=1" + parameters, std::move(body));
  if (takes == Takes::kScan) request.timeout = kMomentsOfScan * config_.timeout;
  HttpReply reply;
  lanes_->send(0, std::move(request), [&](HttpReply got) { reply = std::move(got); });
  while (!lanes_->is_free(0)) {
    lanes_->poll(kLook);
    if (!is_ending_ || lanes_->is_free(0)) continue;
    // Replacing the client cancels the request.
    lanes_ = std::make_unique<HttpLanes>(client_config(config_), 1);
    return fail(ErrorCode::kOverloaded, "The service is shutting down.");
  }
  TRY(judge(reply));
  return std::move(reply.body);
}

ClickHouseAnswer::ClickHouseAnswer(const ClickHouseConfig& config, std::string sql,
                                   const Limits& limits, std::function<void()> look)
    : config_(config),
      query_id_("analytics-read-" + random_base62(16)),
      look_(std::move(look)),
      lanes_(client_config(config_), 1) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.whole).count();
  const auto memory =
      limits.memory == 0 ? "" : "&max_memory_usage=" + std::to_string(limits.memory);
  // `readonly` is the last parameter, because ClickHouse refuses settings that follow it.
  auto request = request_of(config_,
                            "database=" + database_of(config_.url) + "&query_id=" + query_id_ +
                                "&max_block_size=" + std::to_string(kBlockRows) +
                                "&max_execution_time=" + std::to_string(seconds) + memory +
                                kWholeAnswers + "&readonly=2",
                            std::move(sql) + " FORMAT Native");
  request.timeout = std::min(limits.whole, limits.silence);
  request.on_body = [this](std::string_view bytes) {
    arrived_ += bytes;
    return true;
  };
  lanes_.send(0, std::move(request), [this](HttpReply got) { reply_ = std::move(got); });
}

ClickHouseAnswer::~ClickHouseAnswer() {
  if (is_over_) return;
  try {
    auto config = client_config(config_);
    config.timeout = config.connect_timeout = kKillTimeout;
    (void)HttpClient(config).send(
        request_of(config_, "", "KILL QUERY WHERE query_id = '" + query_id_ + "' ASYNC"));
  } catch (const std::exception&) {
    // Without the KILL QUERY, the query ends at its time limit, or because its connection closes.
  }
}

Result<bool> ClickHouseAnswer::read(std::string& to) {
  while (arrived_.empty() && !lanes_.is_free(0)) {
    look_();
    lanes_.poll(kLook);
  }
  if (!arrived_.empty()) {
    to += arrived_;
    arrived_.clear();
    return true;
  }
  is_over_ = true;
  TRY(judge(reply_));
  return false;
}

}  // namespace analytics::cluster
