#include "daemon/call/representation.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "common/io/compress.h"
#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::api {
namespace {

/// Minimum size, in bytes, of a body that is compressed. Smaller bodies fit into one packet anyway.
constexpr std::size_t kWorthPacking = 1'000;

std::string tag_of(std::string_view body) {
  const auto digest = digest_of({body});
  return "W/\"" + to_hex(digest) + "\"";  // weak, because compressed and plain bodies have this tag
}

std::string_view without_weakness(std::string_view tag) {
  return tag.starts_with("W/") ? tag.substr(2) : tag;
}

bool is_known(const http::Head& head, std::string_view tag) {
  const bool is_read = head.method == http::Method::kGet || head.method == http::Method::kHead;
  return is_read && names_tag(head.joined("If-None-Match"), tag);
}

bool takes_gzip(const http::Head& head) { return accepts_gzip(head.joined("Accept-Encoding")); }

http::Response represent(const http::Head& head, http::Response response) {
  if (response.status() != 200 || response.parts()) return response;
  const auto tag = tag_of(response.body());
  const bool has_it = is_known(head, tag);
  if (has_it) response = response.with_body(304, {});
  response.set("ETag", tag).set("Vary", "Accept-Encoding");
  response.set("Cache-Control", "private, no-cache");
  if (has_it || response.body().size() < kWorthPacking || !takes_gzip(head)) return response;
  response.set("Content-Encoding", "gzip");
  return response.with_body(200, gzip(response.body()));
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  std::optional<bool> named;
  std::optional<bool> others;  // whether the header accepts `*`
  for (const auto part : split(accept_encoding, ',')) {
    const auto words = split(part, ';');
    const auto name = trim(words.front());
    bool is_taken = true;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto sign = std::min(words[i].find('='), words[i].size());
      if (!iequals(trim(words[i].substr(0, sign)), "q")) continue;
      const auto weight = trim(words[i].substr(std::min(sign + 1, words[i].size())));
      is_taken = parse_double(weight).value_or(0) > 0;
    }
    if (iequals(name, "gzip")) named = is_taken;
    if (name == "*") others = is_taken;
  }
  return named.value_or(others.value_or(false));
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
  for (const auto part : split(if_none_match, ',')) {
    const auto named = trim(part);
    if (named == "*" || (!named.empty() && without_weakness(named) == without_weakness(tag))) {
      return true;
    }
  }
  return false;
}

http::Response streamed(std::string type, http::BodyParts parts, bool is_packed) {
  using http::BodyPart;
  if (!is_packed) {
    http::Response response(200, std::move(type), std::move(parts));
    response.set("Vary", "Accept-Encoding");
    return response;
  }
  struct Packing {
    GzipStream stream;
    bool has_ended = false;
  };
  auto packing = std::make_shared<Packing>();
  http::Response response(200, std::move(type),
                          http::BodyParts([packing, parts = std::move(parts)](http::TakePart take) {
                            if (packing->has_ended) return take({BodyPart::Kind::kEnd, {}});
                            const auto abandoned = take.abandoned;
                            parts({[packing, take = std::move(take)](BodyPart part) {
                                     if (part.kind == BodyPart::Kind::kBytes) {
                                       part.bytes = packing->stream.add(part.bytes);
                                     }
                                     // Send gzip's last bytes now; the next call reports the end.
                                     if (part.kind == BodyPart::Kind::kEnd) {
                                       packing->has_ended = true;
                                       part = {BodyPart::Kind::kBytes, packing->stream.finish()};
                                     }
                                     take(std::move(part));
                                   },
                                   abandoned});
                          }));
  response.set("Vary", "Accept-Encoding").set("Content-Encoding", "gzip");
  return response;
}

http::Responder represented(const http::Request& request, const http::Responder& respond) {
  return respond.changing(
      [&request](http::Response response) { return represent(request.head, std::move(response)); });
}

StaticFile::StaticFile(const char* type, std::string_view text)
    : type_(type),
      text_(text),
      tag_(tag_of(text)),
      packed_(text.size() < kWorthPacking ? std::string() : gzip(text)) {}

http::Response StaticFile::answer(const http::Head& head) const {
  const bool is_packed = !packed_.empty() && takes_gzip(head);
  auto response = is_known(head, tag_)
                      ? http::Response::of_file(304, type_, {})
                      : http::Response::of_file(200, type_, is_packed ? packed_ : text_);
  response.set("ETag", tag_).set("Vary", "Accept-Encoding");
  response.set("Cache-Control", "public, max-age=3600");
  if (is_packed && response.status() == 200) response.set("Content-Encoding", "gzip");
  return response;
}

}  // namespace analytics::api
