#pragma once

#include "daemon/call/call.h"

/// Handlers of the API's routes, one file per resource. Each handler answers exactly once.
namespace analytics::api {

// event_handler.cpp
void post_event(const IntakeContext&, const Call&, http::Responder);
void event_options(const IntakeContext&, const Call&, http::Responder);
/// Stores an event and answers with an image, for pages without scripts. HEAD stores nothing.
void get_pixel(const IntakeContext&, const Call&, http::Responder);

// bulk_handler.cpp
void post_bulk(const IntakeContext&, const Call&, http::Responder);

// totals_handler.cpp
void post_totals(const IntakeContext&, const Call&, http::Responder);

// drops_handler.cpp
void list_drops(const ReadContext&, const Call&, http::Responder);

// imports_handler.cpp
void list_imports(const ChangeContext&, const Call&, http::Responder);
void get_import(const ChangeContext&, const Call&, http::Responder);
void delete_import(const ChangeContext&, const Call&, http::Responder);

// export_handler.cpp
void export_events(const ReadContext&, const Call&, http::Responder);

// removal_handler.cpp
void delete_events(const ChangeContext&, const Call&, http::Responder);

// stats_handler.cpp
void get_aggregate(const ReadContext&, const Call&, http::Responder);
void get_timeseries(const ReadContext&, const Call&, http::Responder);
void get_breakdown(const ReadContext&, const Call&, http::Responder);
void get_realtime_visitors(const ReadContext&, const Call&, http::Responder);

// alerts_handler.cpp
void get_alerts(const ReadContext&, const Call&, http::Responder);

// summary_handler.cpp
/// Answers with the main numbers of each of the account's sites.
void get_summaries(const ReadContext&, const Call&, http::Responder);

// query_handler.cpp
void post_query(const ReadContext&, const Call&, http::Responder);

// files_handler.cpp
void get_tracker(const CallContext&, const Call&, http::Responder);
void get_openapi(const CallContext&, const Call&, http::Responder);
void get_share_stylesheet(const CallContext&, const Call&, http::Responder);
void get_map(const CallContext&, const Call&, http::Responder);
void get_share_script(const CallContext&, const Call&, http::Responder);

// health_handler.cpp
/// Returns why health checks must fail: no event can be stored, or the disk is nearly full; else
/// empty.
[[nodiscard]] std::string_view unhealthy_reason(const IntakeContext& context);
void get_health(const IntakeContext&, const Call&, http::Responder);
/// Answers 200 while the process runs.
void get_live(const IntakeContext&, const Call&, http::Responder);
/// Answers 200 while events are accepted, even if the disk is nearly full.
void get_ready(const IntakeContext&, const Call&, http::Responder);

}  // namespace analytics::api
