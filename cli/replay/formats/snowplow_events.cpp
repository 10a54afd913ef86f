// Reads enriched events of Snowplow: tab-separated rows without a header.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/json/json.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kSnowplowColumns[] = {"app_id",
                                                 "platform",
                                                 "etl_tstamp",
                                                 "collector_tstamp",
                                                 "dvce_created_tstamp",
                                                 "event",
                                                 "event_id",
                                                 "txn_id",
                                                 "name_tracker",
                                                 "v_tracker",
                                                 "v_collector",
                                                 "v_etl",
                                                 "user_id",
                                                 "user_ipaddress",
                                                 "user_fingerprint",
                                                 "domain_userid",
                                                 "domain_sessionidx",
                                                 "network_userid",
                                                 "geo_country",
                                                 "geo_region",
                                                 "geo_city",
                                                 "geo_zipcode",
                                                 "geo_latitude",
                                                 "geo_longitude",
                                                 "geo_region_name",
                                                 "ip_isp",
                                                 "ip_organization",
                                                 "ip_domain",
                                                 "ip_netspeed",
                                                 "page_url",
                                                 "page_title",
                                                 "page_referrer",
                                                 "page_urlscheme",
                                                 "page_urlhost",
                                                 "page_urlport",
                                                 "page_urlpath",
                                                 "page_urlquery",
                                                 "page_urlfragment",
                                                 "refr_urlscheme",
                                                 "refr_urlhost",
                                                 "refr_urlport",
                                                 "refr_urlpath",
                                                 "refr_urlquery",
                                                 "refr_urlfragment",
                                                 "refr_medium",
                                                 "refr_source",
                                                 "refr_term",
                                                 "mkt_medium",
                                                 "mkt_source",
                                                 "mkt_term",
                                                 "mkt_content",
                                                 "mkt_campaign",
                                                 "contexts",
                                                 "se_category",
                                                 "se_action",
                                                 "se_label",
                                                 "se_property",
                                                 "se_value",
                                                 "unstruct_event",
                                                 "tr_orderid",
                                                 "tr_affiliation",
                                                 "tr_total",
                                                 "tr_tax",
                                                 "tr_shipping",
                                                 "tr_city",
                                                 "tr_state",
                                                 "tr_country",
                                                 "ti_orderid",
                                                 "ti_sku",
                                                 "ti_name",
                                                 "ti_category",
                                                 "ti_price",
                                                 "ti_quantity",
                                                 "pp_xoffset_min",
                                                 "pp_xoffset_max",
                                                 "pp_yoffset_min",
                                                 "pp_yoffset_max",
                                                 "useragent",
                                                 "br_name",
                                                 "br_family",
                                                 "br_version",
                                                 "br_type",
                                                 "br_renderengine",
                                                 "br_lang",
                                                 "br_features_pdf",
                                                 "br_features_flash",
                                                 "br_features_java",
                                                 "br_features_director",
                                                 "br_features_quicktime",
                                                 "br_features_realplayer",
                                                 "br_features_windowsmedia",
                                                 "br_features_gears",
                                                 "br_features_silverlight",
                                                 "br_cookies",
                                                 "br_colordepth",
                                                 "br_viewwidth",
                                                 "br_viewheight",
                                                 "os_name",
                                                 "os_family",
                                                 "os_manufacturer",
                                                 "os_timezone",
                                                 "dvce_type",
                                                 "dvce_ismobile",
                                                 "dvce_screenwidth",
                                                 "dvce_screenheight",
                                                 "doc_charset",
                                                 "doc_width",
                                                 "doc_height",
                                                 "tr_currency",
                                                 "tr_total_base",
                                                 "tr_tax_base",
                                                 "tr_shipping_base",
                                                 "ti_currency",
                                                 "ti_price_base",
                                                 "base_currency",
                                                 "geo_timezone",
                                                 "mkt_clickid",
                                                 "mkt_network",
                                                 "etl_tags",
                                                 "dvce_sent_tstamp",
                                                 "refr_domain_userid",
                                                 "refr_dvce_tstamp",
                                                 "derived_contexts",
                                                 "domain_sessionid",
                                                 "derived_tstamp",
                                                 "event_vendor",
                                                 "event_name",
                                                 "event_format",
                                                 "event_version",
                                                 "event_fingerprint",
                                                 "true_tstamp"};

/// Returns the outer "data" of {"schema":…,"data":{"schema":…,"data":{…}}}, which has its own
/// schema; null if the text has another form.
nlohmann::json inner_event(const std::string& text) {
  const auto outer = json::parse_document(text);
  if (!outer || !outer->is_object() || !outer->contains("data")) return nullptr;
  return outer->at("data");
}

/// Returns the name in a schema's URI, such as link_click in
/// "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1".
std::string name_of_schema(std::string_view schema) {
  const auto parts = split(schema, '/');
  return parts.size() > 1 ? std::string(parts[1]) : std::string();
}

/// Sets the revenue of a purchase from the event's contexts, one of which describes the purchase:
/// https://docs.snowplow.io/docs/events/ootb-data/ecommerce-events.
void set_purchase(const std::string& contexts, ExportDraft& draft) {
  auto list = inner_event(contexts);
  if (!list.is_array()) return;
  for (auto& each : list) {
    if (!each.is_object()) continue;
    const DocumentRow context(each);
    const bool is_purchase =
        context.text("schema").find("ecommerce/transaction/") != std::string::npos;
    if (is_purchase) draft.set_revenue(context.text("data.revenue"), context.text("data.currency"));
  }
}

/// Returns the visitor's scroll depth on the page, in percent; empty if unknown.
std::string depth_of(const ExportRow& row) {
  const auto offset = parse_double(row.text("pp_yoffset_max"));
  const auto seen = parse_double(row.text("br_viewheight"));
  const auto height = parse_double(row.text("doc_height"));
  if (!offset || !seen || !height || *offset < 0 || *seen <= 0 || *height <= 0) return {};
  return std::to_string(std::min(100.0, (*offset + *seen) * 100 / *height));
}

/// Sets the event's name and returns its properties; nullopt if the row is not an event.
std::optional<std::vector<Property>> set_event(const ExportRow& row, ExportDraft& draft) {
  const auto type = row.text("event");
  auto& name = draft.payload.name;
  std::vector<Property> props;
  if (type == "page_view") {
    name = kPageview;
  } else if (type == "page_ping") {
    if (!draft.set_engagement({}, depth_of(row))) return std::nullopt;
  } else if (type == "struct") {
    name = row.text("se_action");
    for (const std::string_view part : {"category", "label", "property", "value"}) {
      props.push_back({std::string(part), row.text("se_" + std::string(part))});
    }
  } else if (type == "transaction") {
    name = "transaction";
    props.push_back({"order_id", row.text("tr_orderid")});
    draft.set_revenue(row.text("tr_total"), row.text("tr_currency"));
    if (!draft.payload.revenue) {
      draft.set_revenue(row.text("tr_total_base"), row.text("base_currency"));
    }
  } else if (type == "unstruct") {
    auto event = inner_event(row.text("unstruct_event"));
    name = row.text("event_name");
    if (event.is_object()) {
      const DocumentRow self(event);
      if (name.empty()) name = name_of_schema(self.text("schema"));
      props = self.members("data");
    }
    if (name.empty()) name = type;
    // The property "value" is text that a visitor typed into a form.
    if (name.ends_with("_form")) {
      std::erase_if(props, [](const Property& prop) { return prop.key == "value"; });
    }
    if (value_of(props, "type") == "transaction") set_purchase(row.text("contexts"), draft);
  } else {
    return std::nullopt;
  }
  return props;
}

/// Returns the page's URL. Adds the path to it if the row has the path only in a separate column.
std::string page_of(const ExportRow& row) {
  auto page = row.text("page_url");
  const auto parts = split_url(page);
  auto path = row.text("page_urlpath");
  if (page.empty()) return path;
  if (!parts || !parts->path.empty() || !path.starts_with('/')) return page;
  return page.insert(std::min(page.find_first_of("?#"), page.size()), path);
}

}  // namespace

/// Reads an event of Snowplow: https://docs.snowplow.io/docs/fundamentals/canonical-event.
ReadLine read_snowplow(const ExportRow& row, const ReaderOptions& options) {
  ExportDraft draft(row, options);
  const auto props = set_event(row, draft);
  if (!props) return Filtered{};
  draft.set_page(row.text("page_urlhost"), page_of(row), row.text("page_urlquery"));
  // Snowplow has already extracted the campaign from the parameters of the URL.
  for (const auto& [tag, column] : {std::pair{"utm_source", "mkt_source"},
                                    {"utm_medium", "mkt_medium"},
                                    {"utm_campaign", "mkt_campaign"},
                                    {"utm_content", "mkt_content"},
                                    {"utm_term", "mkt_term"}}) {
    draft.add_parameter(tag, row.text(column));
  }
  draft.set_time(first_of(row, {"true_tstamp", "derived_tstamp", "collector_tstamp"}));
  draft.set_referrer(row.text("page_referrer"));
  draft.set_visitor(first_of(row, {"domain_userid", "network_userid", "user_fingerprint"}));
  draft.set_visit(row.text("domain_sessionid"));
  draft.set_place(row.text("geo_country"), row.text("geo_region"), row.text("geo_city"));
  if (auto agent = row.text("useragent"); !agent.empty()) {
    draft.payload.user_agent = std::move(agent);
  } else {
    const auto browser = name_and_version_of(row.text("br_name"));
    const auto system = name_and_version_of(row.text("os_name"));
    draft.set_browser(browser.name, browser.version);
    draft.set_os(system.name, system.version);
    draft.set_device(row.text("dvce_type"));
  }
  if (!draft.payload.derived.country || !draft.payload.visitor) {
    draft.set_address(row.text("user_ipaddress"));
  }
  draft.set_screen_width(row.text("dvce_screenwidth"));
  draft.set_language(row.text("br_lang"));
  if (auto id = row.text("event_id"); !id.empty()) draft.payload.id = std::move(id);
  for (const auto* id : {"user_id", "network_userid", "user_fingerprint"}) {
    draft.add_person(row.text(id));
  }
  draft.add_props(*props);
  return std::move(draft).finish();
}

std::span<const std::string_view> snowplow_columns() { return kSnowplowColumns; }

}  // namespace analytics::cli
