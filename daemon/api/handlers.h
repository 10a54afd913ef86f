#pragma once

#include "daemon/call/call.h"

/// Handlers of the API's routes, one file per resource. Each handler answers exactly once.
namespace analytics::api {

// event_handler.cpp
void post_event(const Services&, const Call&, http::Responder);
void event_options(const Services&, const Call&, http::Responder);
/// Stores an event and answers with an image, for pages without scripts. HEAD stores nothing.
void get_pixel(const Services&, const Call&, http::Responder);

// bulk_handler.cpp
void post_bulk(const Services&, const Call&, http::Responder);

// totals_handler.cpp
void post_totals(const Services&, const Call&, http::Responder);

// drops_handler.cpp
void list_drops(const Services&, const Call&, http::Responder);

// imports_handler.cpp
void list_imports(const Services&, const Call&, http::Responder);
void get_import(const Services&, const Call&, http::Responder);
void delete_import(const Services&, const Call&, http::Responder);

// export_handler.cpp
void export_events(const Services&, const Call&, http::Responder);

// removal_handler.cpp
void delete_events(const Services&, const Call&, http::Responder);

// stats_handler.cpp
void get_aggregate(const Services&, const Call&, http::Responder);
void get_timeseries(const Services&, const Call&, http::Responder);
void get_breakdown(const Services&, const Call&, http::Responder);
void get_realtime_visitors(const Services&, const Call&, http::Responder);

// alerts_handler.cpp
void get_alerts(const Services&, const Call&, http::Responder);

// summary_handler.cpp
/// Answers with the main numbers of each of the account's sites.
void get_summaries(const Services&, const Call&, http::Responder);

// query_handler.cpp
void post_query(const Services&, const Call&, http::Responder);

// files_handler.cpp
void get_tracker(const Services&, const Call&, http::Responder);
void get_openapi(const Services&, const Call&, http::Responder);
void get_share_stylesheet(const Services&, const Call&, http::Responder);
void get_map(const Services&, const Call&, http::Responder);
void get_share_script(const Services&, const Call&, http::Responder);

// health_handler.cpp
/// Returns why health checks must fail: no event can be stored, or the disk is nearly full; else
/// empty.
[[nodiscard]] std::string_view unhealthy_reason(const Services& services);
void get_health(const Services&, const Call&, http::Responder);
/// Answers 200 while the process runs.
void get_live(const Services&, const Call&, http::Responder);
/// Answers 200 while events are accepted, even if the disk is nearly full.
void get_ready(const Services&, const Call&, http::Responder);

}  // namespace analytics::api
