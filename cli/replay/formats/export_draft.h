#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/export_row.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Builds an event from a row of another service's export: call the setters, then finish().
class ExportDraft {
 public:
  /// `options` and `row` must outlive this object.
  ExportDraft(const ExportRow& row, const ReaderOptions& options) : row_(row), options_(options) {}

  /// Sets the time, in any form that parse_log_time() accepts.
  void set_time(std::string_view text);
  /// Sets the page's URL: `path` under `--base`, or else on `host`, or else on the site. `path` may
  /// also be a whole URL, or begin with the host.
  void set_page(std::string_view host, std::string_view path, std::string_view query = {});
  /// Sets the site that the record names. Without this call, the page's host is the site. `--site`
  /// and `--site-override` take precedence, unless `is_one_of_many`: then `--site` lists several
  /// sites, and `site` is the one of this record.
  void set_site(std::string_view site, bool is_one_of_many = false) {
    site_ = std::string(site);
    is_one_of_many_ = is_one_of_many;
  }
  /// Adds a parameter to the page's query unless the query already has it, or `value` is empty.
  void add_parameter(std::string_view name, std::string_view value);
  /// Sets the referrer; `text` may lack the scheme, because most services store it without.
  void set_referrer(std::string_view text);
  /// Set the visitor and the visit from the service's ids. Only digests of the ids leave this
  /// machine.
  void set_visitor(std::string_view id);
  void set_visit(std::string_view id);
  /// Adds another id of the visitor. add_props() leaves out properties that have it as their
  /// value.
  void add_person(std::string_view id) {
    if (!id.empty()) people_.emplace_back(id);
  }
  /// Sets country, region and city. `country` may be a code or an English name, `region` "TX" or
  /// "US-TX".
  void set_place(std::string_view country, std::string_view region, std::string_view city);
  /// Sets the device type by a service's name for it, such as "Desktop", "mobile" or "Smartphone".
  void set_device(std::string_view name);
  /// Sets the screen width in pixels; ignores values that no screen has.
  void set_screen_width(std::string_view text);
  void set_browser(std::string_view name, std::string_view version);
  void set_os(std::string_view name, std::string_view version);
  /// Set the visitor's language, the client's address, and the revenue. They ignore invalid texts.
  void set_language(std::string_view code);
  void set_address(std::string_view text);
  void set_revenue(const std::string& amount, std::string currency);
  /// Makes this an engagement event: the page was read for `seconds`, down to `percent` of its
  /// height. Either may be empty if unknown. Returns false if neither is a usable number.
  [[nodiscard]] bool set_engagement(std::string_view seconds, std::string_view percent);
  /// Adds properties, but leaves out those that identify a person: by their key, or because their
  /// value is an id of the visitor. Call it after set_visitor() and add_person(). Addresses inside
  /// values are redacted by finish().
  void add_props(const std::vector<Property>& props);

  /// Adds the properties set by `--map prop.NAME=column`, and returns the event if it is valid.
  [[nodiscard]] ReadLine finish() &&;

  EventPayload payload;

 private:
  const ExportRow& row_;
  const ReaderOptions& options_;
  std::string host_;
  std::string site_;
  bool is_one_of_many_ = false;
  bool has_page_ = false;
  /// Ids of the visitor; add_props() leaves out properties with such a value.
  std::vector<std::string> people_;
  /// Number of properties left out because they identify a person.
  std::size_t withheld_ = 0;
};

/// Returns the first non-empty value among the named columns; empty if all are empty.
[[nodiscard]] std::string first_of(const ExportRow& row,
                                   std::initializer_list<std::string_view> names);

/// Returns the server's name for a device type that a service calls `text`; empty if unknown.
[[nodiscard]] std::string_view device_name(std::string_view text);

struct NameAndVersion {
  std::string name;
  std::string version;
};
/// Splits a text such as "Internet Explorer 11" into name and version. The version follows the last
/// space and begins with a digit; without such a part, the version is empty.
[[nodiscard]] NameAndVersion name_and_version_of(std::string_view text);

}  // namespace analytics::cli
