#include "daemon/enrich/geo.h"

#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <string>

#include <fcntl.h>
#include <maxminddb.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/io/fs.h"
#include "common/text/address.h"
#include "common/text/text.h"

namespace analytics {
namespace {

using Path = std::initializer_list<const char*>;
constexpr std::size_t kMaxText = 200;  // maximum size of a name in bytes; longer names are cut

/// Returns the text at a path of keys in a database entry; empty if there is no text.
std::string text_at(MMDB_entry_s entry, Path path) {
  const char* keys[6] = {};
  std::size_t count = 0;
  for (const auto* key : path) keys[count++] = key;
  MMDB_entry_data_s data{};
  const int code = MMDB_aget_value(&entry, &data, keys);
  if (code != MMDB_SUCCESS || !data.has_data || data.type != MMDB_DATA_TYPE_UTF8_STRING) return {};
  return repair_utf8(cut_utf8({data.utf8_string, data.data_size}, kMaxText));
}

/// Returns the text at the first of the paths that has one; empty if none has.
std::string first_text(const MMDB_entry_s& entry, std::initializer_list<Path> paths) {
  for (const auto& path : paths) {
    if (auto text = text_at(entry, path); !text.empty()) return text;
  }
  return {};
}

/// Copies a file into memory, because libmaxminddb maps the file that it reads, and truncating a
/// mapped file would crash the process. Returns an invalid descriptor and sets errno if the file
/// cannot be read.
FileDescriptor copy_of(const std::filesystem::path& file) {
  const FileDescriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  FileDescriptor to(from.valid() ? memfd_create("geoip", MFD_CLOEXEC) : -1);
  std::string piece(1'048'576, '\0');
  while (to.valid()) {
    const auto got = ::read(from.get(), piece.data(), piece.size());
    if (got == 0) break;
    if (got < 0 || ::write(to.get(), piece.data(), static_cast<std::size_t>(got)) != got) {
      return FileDescriptor();
    }
  }
  return to;
}

bool is_country_code(const std::string& text) {
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  return text.size() == 2 && is_letter(text[0]) && is_letter(text[1]);
}

}  // namespace

struct GeoDatabase::Handle {
  MMDB_s database{};
  bool is_open = false;
  ~Handle() {
    if (is_open) MMDB_close(&database);
  }
};

GeoDatabase::GeoDatabase(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
GeoDatabase::~GeoDatabase() = default;

Result<std::shared_ptr<const GeoDatabase>> GeoDatabase::open(const std::filesystem::path& file) {
  auto handle = std::make_unique<Handle>();
  const auto copy = copy_of(file);
  if (!copy.valid()) {
    return fail(ErrorCode::kInvalidParameter, file.string() + ": " + std::strerror(errno));
  }
  const auto name = "/proc/self/fd/" + std::to_string(copy.get());
  const int code = MMDB_open(name.c_str(), MMDB_MODE_MMAP, &handle->database);
  if (code != MMDB_SUCCESS) {
    return fail(ErrorCode::kInvalidParameter, file.string() + ": " + MMDB_strerror(code));
  }
  handle->is_open = true;
  return std::shared_ptr<const GeoDatabase>(new GeoDatabase(std::move(handle)));
}

UnixSeconds GeoDatabase::made_at() const {
  return UnixSeconds(
      std::chrono::seconds(static_cast<std::int64_t>(handle_->database.metadata.build_epoch)));
}

Place GeoDatabase::find(std::string_view address) const {
  const auto bytes = parse_address(address);
  if (!bytes) return {};
  sockaddr_in6 v6{};
  sockaddr_in v4{};
  const sockaddr* socket_address = nullptr;
  if (is_v4(*bytes)) {
    v4.sin_family = AF_INET;
    std::copy(bytes->begin() + 12, bytes->end(), reinterpret_cast<std::uint8_t*>(&v4.sin_addr));
    socket_address = reinterpret_cast<const sockaddr*>(&v4);
  } else {
    v6.sin6_family = AF_INET6;
    std::copy(bytes->begin(), bytes->end(), reinterpret_cast<std::uint8_t*>(&v6.sin6_addr));
    socket_address = reinterpret_cast<const sockaddr*>(&v6);
  }
  int code = MMDB_SUCCESS;
  auto found = MMDB_lookup_sockaddr(&handle_->database, socket_address, &code);
  if (code != MMDB_SUCCESS || !found.found_entry) return {};
  Place place;
  place.country = first_text(found.entry, {{"country", "iso_code", nullptr},
                                           {"registered_country", "iso_code", nullptr},
                                           {"country_code", nullptr},
                                           {"country", nullptr}});
  if (!is_country_code(place.country)) return {};
  const auto part = text_at(found.entry, {"subdivisions", "0", "iso_code", nullptr});
  if (!part.empty()) {
    place.region = place.country + "-" + part;
  } else {
    place.region = first_text(found.entry,
                              {{"subdivisions", "0", "names", "en", nullptr}, {"region", nullptr}});
  }
  place.city = first_text(found.entry, {{"city", "names", "en", nullptr}, {"city", nullptr}});
  return place;
}

}  // namespace analytics
