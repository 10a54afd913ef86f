#include "common/io/http_client.h"

#include <algorithm>
#include <stdexcept>

#include <unistd.h>

#include <curl/curl.h>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Returns the file of the system's CA certificates; null if it is in none of the places that
/// distributions use. libcurl itself only knows the place of the system that it was built for.
const char* ca_file_of_system() {
  static const char* const found = []() -> const char* {
    for (const char* file :
         {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
          "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
      if (access(file, R_OK) == 0) return file;
    }
    return nullptr;
  }();
  return found;
}

/// A curl handle with its current request and the reply that it is receiving.
class Transfer {
 public:
  explicit Transfer(const HttpClientConfig& config)
      : handle_(curl_easy_init()), timeout_(config.timeout) {
    if (handle_ == nullptr) throw std::runtime_error("libcurl: no handle");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // ending the program must not wait for name resolution
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(config.connect_timeout.count()));
    set(CURLOPT_TCP_NODELAY, 1L);
    set(CURLOPT_FORBID_REUSE, config.fresh_connections ? 1L : 0L);
    set(CURLOPT_ACCEPT_ENCODING, nullptr);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_PATH_AS_IS, 1L);
    set(CURLOPT_USERAGENT, config.user_agent.c_str());
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_PRIVATE, this);
    const char* ca_file = config.ca_file.empty() ? ca_file_of_system() : config.ca_file.c_str();
    if (ca_file != nullptr) set(CURLOPT_CAINFO, ca_file);
    if (config.insecure) {
      set(CURLOPT_SSL_VERIFYPEER, 0L);
      set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
  }
  ~Transfer() {
    curl_slist_free_all(headers_);
    curl_easy_cleanup(handle_);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void prepare(HttpRequest request) {
    reply_ = {};
    body_ = std::move(request.body);
    take_body_ = std::move(request.on_body);
    const auto timeout = static_cast<long>(request.timeout.value_or(timeout_).count());
    set(CURLOPT_TIMEOUT_MS, take_body_ ? 0L : timeout);
    set(CURLOPT_LOW_SPEED_LIMIT, take_body_ ? 1L : 0L);
    set(CURLOPT_LOW_SPEED_TIME, take_body_ ? std::max(1L, timeout / 1'000) : 0L);
    curl_slist_free_all(headers_);
    headers_ = nullptr;
    for (const auto& [name, raw] : request.headers) {
      // Control characters are replaced, because a line end would forge another field.
      std::string value = raw;
      std::replace_if(value.begin(), value.end(), is_control, ' ');
      // curl sends a header without a value only if it ends in a semicolon.
      add_header(value.empty() ? name + ";" : name + ": " + value);
    }
    add_header("Expect:");
    const bool has_body = !body_.empty() || request.method == "POST" || request.method == "PUT";
    if (has_body) {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDS, body_.data());
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body_.size()));
    } else {
      set(CURLOPT_HTTPGET, 1L);
    }
    set(CURLOPT_NOBODY, request.method == "HEAD" ? 1L : 0L);
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    set(CURLOPT_URL, request.url.c_str());
    // Plain http uses no proxy, because a proxy would see the API key.
    set(CURLOPT_PROXY, istarts_with(request.url, "http://") ? "" : nullptr);
    set(CURLOPT_HTTPHEADER, headers_);
  }

  HttpReply finish(CURLcode code) {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    curl_off_t micros = 0;
    curl_easy_getinfo(handle_, CURLINFO_TOTAL_TIME_T, &micros);
    reply_.status = static_cast<int>(status);
    reply_.elapsed = std::chrono::microseconds(micros);
    reply_.failure = classify(code);
    if (code != CURLE_OK) reply_.reason = curl_easy_strerror(code);
    return std::move(reply_);
  }

  [[nodiscard]] CURL* handle() const { return handle_; }

  HttpLanes::Done done;  ///< Receives the reply; set while the lane is busy.

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle_, option, value);
  }
  void add_header(const std::string& line) { headers_ = curl_slist_append(headers_, line.c_str()); }

  HttpReply::Failure classify(CURLcode code) const {
    using Failure = HttpReply::Failure;
    switch (code) {
      case CURLE_OK: return Failure::kNone;
      case CURLE_URL_MALFORMAT:
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_SSL_CACERT_BADFILE: return Failure::kInvalid;
      case CURLE_COULDNT_CONNECT:
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_PEER_FAILED_VERIFICATION: return Failure::kConnect;
      case CURLE_OPERATION_TIMEDOUT: {
        curl_off_t connected = 0;
        curl_easy_getinfo(handle_, CURLINFO_PRETRANSFER_TIME_T, &connected);
        return connected == 0 ? Failure::kConnect : Failure::kLost;
      }
      default: return Failure::kLost;
    }
  }

  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    long status = 0;
    if (transfer.take_body_) {
      curl_easy_getinfo(transfer.handle_, CURLINFO_RESPONSE_CODE, &status);
    }
    if (status / 100 == 2) return transfer.take_body_({data, size}) ? size : 0;
    transfer.reply_.body.append(data, size);
    return size;
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& headers = static_cast<Transfer*>(self)->reply_.headers;
    const std::string_view line(data, size);
    if (line.starts_with("HTTP/")) {
      headers.clear();  // the headers of an interim response (1xx) are dropped
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
      headers.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
    }
    return size;
  }

  CURL* handle_;
  const std::chrono::milliseconds timeout_;
  curl_slist* headers_ = nullptr;
  std::string body_;
  std::function<bool(std::string_view)> take_body_;
  HttpReply reply_;
};

}  // namespace

std::string_view HttpReply::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (iequals(key, name)) return value;
  }
  return {};
}

struct HttpClient::Impl {
  explicit Impl(const HttpClientConfig& config) : transfer(config) {}
  Transfer transfer;
};

HttpClient::HttpClient(HttpClientConfig config) : impl_(std::make_unique<Impl>(config)) {}
HttpClient::~HttpClient() = default;

HttpReply HttpClient::send(const HttpRequest& request) {
  impl_->transfer.prepare(request);
  return impl_->transfer.finish(curl_easy_perform(impl_->transfer.handle()));
}

struct HttpLanes::Impl {
  explicit Impl(std::size_t count) : multi(curl_multi_init()) {
    if (multi == nullptr) throw std::runtime_error("libcurl: no multi handle");
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(count));
  }
  ~Impl() {
    for (const auto& lane : lanes) {
      if (lane->done) curl_multi_remove_handle(multi, lane->handle());
    }
    lanes.clear();
    curl_multi_cleanup(multi);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  CURLM* multi;
  std::vector<std::unique_ptr<Transfer>> lanes;
  std::size_t busy = 0;
};

HttpLanes::HttpLanes(HttpClientConfig config, std::size_t lanes)
    : impl_(std::make_unique<Impl>(lanes)) {
  for (std::size_t i = 0; i < lanes; ++i)
    impl_->lanes.push_back(std::make_unique<Transfer>(config));
}

HttpLanes::~HttpLanes() = default;

void HttpLanes::send(std::size_t lane, HttpRequest request, Done done) {
  auto& transfer = *impl_->lanes[lane];
  transfer.prepare(std::move(request));
  transfer.done = std::move(done);
  curl_multi_add_handle(impl_->multi, transfer.handle());
  ++impl_->busy;
}

bool HttpLanes::is_free(std::size_t lane) const { return !impl_->lanes[lane]->done; }
std::size_t HttpLanes::busy() const { return impl_->busy; }

void HttpLanes::poll(std::chrono::milliseconds wait) {
  int running = 0;
  curl_multi_perform(impl_->multi, &running);
  if (running == static_cast<int>(impl_->busy)) {
    curl_multi_poll(impl_->multi, nullptr, 0, static_cast<int>(wait.count()), nullptr);
    curl_multi_perform(impl_->multi, &running);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(impl_->multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* self = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    auto* transfer = static_cast<Transfer*>(static_cast<void*>(self));
    const auto code = message->data.result;
    curl_multi_remove_handle(impl_->multi, transfer->handle());
    --impl_->busy;
    auto reply = transfer->finish(code);
    std::exchange(transfer->done, nullptr)(std::move(reply));
  }
}

void HttpLanes::wake() { curl_multi_wakeup(impl_->multi); }

HttpLibrary::HttpLibrary() { curl_global_init(CURL_GLOBAL_DEFAULT); }
HttpLibrary::~HttpLibrary() { curl_global_cleanup(); }

}  // namespace analytics
