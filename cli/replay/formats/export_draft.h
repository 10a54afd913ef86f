#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/export_row.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Builds an event from a row of another service's export.
class ExportDraft {
 public:
  /// `options` and `row` must outlive this object.
  ExportDraft(const ExportRow& row, const ReaderOptions& options) : row_(row), options_(options) {}

  /// Sets the time; accepts what parse_log_time() accepts.
  void set_time(std::string_view text);
  /// Sets the page: `path` under `--base`, else on `host`, else on the site. `path` may be a whole
  /// URL, or begin with the host.
  void set_page(std::string_view host, std::string_view path, std::string_view query = {});
  /// Sets the site of records without `--site`, if it differs from the page's host. If
  /// `is_one_of_many`, `site` is the one of the sites in `--site` to which the record belongs.
  void set_site(std::string_view site, bool is_one_of_many = false) {
    site_ = std::string(site);
    is_one_of_many_ = is_one_of_many;
  }
  /// Adds a parameter to the page's query unless the query already has that parameter.
  void add_parameter(std::string_view name, std::string_view value);
  /// Sets the referrer, with or without its scheme: most services store it without.
  void set_referrer(std::string_view text);
  /// Set the visitor and the visit by the service's ids. Only digests of them leave this machine.
  void set_visitor(std::string_view id);
  void set_visit(std::string_view id);
  /// Adds an id of the same person. add_props() leaves out properties with this value.
  void add_person(std::string_view id) {
    if (!id.empty()) people_.emplace_back(id);
  }
  /// Sets country, region and city; `region` may be "TX" or "US-TX".
  void set_place(std::string_view country, std::string_view region, std::string_view city);
  /// Sets the device type by a service's name for it, such as "Desktop", "mobile" or "Smartphone".
  void set_device(std::string_view name);
  /// Sets the screen width in pixels; ignores values that no screen has.
  void set_screen_width(std::string_view text);
  void set_browser(std::string_view name, std::string_view version);
  void set_os(std::string_view name, std::string_view version);
  /// Set a language, an address, and an amount with its currency. They ignore texts that are not
  /// valid.
  void set_language(std::string_view code);
  void set_address(std::string_view text);
  void set_revenue(const std::string& amount, std::string currency);
  /// Turns the event into an engagement event. `seconds` and `percent` are numbers, or empty if
  /// unknown. Returns false if neither is usable.
  [[nodiscard]] bool set_engagement(std::string_view seconds, std::string_view percent);
  /// Adds properties except those that may identify a person: by their key, or because the value is
  /// an id of the visitor, an address, or contains an e-mail address. Call it after every call that
  /// sets such ids.
  void add_props(const std::vector<Property>& props);

  /// Adds the properties of `--map prop.NAME=column` and checks the event.
  [[nodiscard]] ReadLine finish() &&;

  EventPayload payload;

 private:
  const ExportRow& row_;
  const ReaderOptions& options_;
  std::string host_;
  std::string site_;
  bool is_one_of_many_ = false;
  bool has_page_ = false;
  /// Ids of the visitor, which no property may have as its value.
  std::vector<std::string> people_;
  /// Number of properties and addresses that were left out or redacted.
  std::size_t withheld_ = 0;
};

/// Returns the first non-empty value among the named columns.
[[nodiscard]] std::string first_of(const ExportRow& row,
                                   std::initializer_list<std::string_view> names);

/// Returns the server's name for a service's device type; empty if it is unknown.
[[nodiscard]] std::string_view device_name(std::string_view text);

struct NameAndVersion {
  std::string name;
  std::string version;
};
/// Splits a text such as "Internet Explorer 11". The version begins after the last space and must
/// begin with a digit.
[[nodiscard]] NameAndVersion name_and_version_of(std::string_view text);

}  // namespace analytics::cli
