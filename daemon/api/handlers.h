#pragma once

#include "daemon/call/call.h"

/// Handlers of the API's routes, one file per resource. Each handler answers exactly once.
namespace analytics::api {

// event_handler.cpp: single events
void post_event(const IntakeContext&, const Call&, http::Responder);
/// Stores an event and answers with a 1×1 GIF, for pages without scripts. HEAD stores nothing.
void get_pixel(const IntakeContext&, const Call&, http::Responder);

// bulk_handler.cpp: many events in one request
void post_bulk(const IntakeContext&, const Call&, http::Responder);

// totals_handler.cpp: imports of daily totals
void post_totals(const IntakeContext&, const Call&, http::Responder);

// drops_handler.cpp: counts of a site's dropped events
void list_drops(const ReadContext&, const Call&, http::Responder);

// imports_handler.cpp: lists, shows and undoes imports
void list_imports(const ChangeContext&, const Call&, http::Responder);
void get_import(const ChangeContext&, const Call&, http::Responder);
void delete_import(const ChangeContext&, const Call&, http::Responder);

// export_handler.cpp: all or selected events of a site as NDJSON
void export_events(const ReadContext&, const Call&, http::Responder);

// removal_handler.cpp: removes selected events of a site
void delete_events(const ChangeContext&, const Call&, http::Responder);

// stats_handler.cpp: Plausible's Stats API v1
void get_aggregate(const ReadContext&, const Call&, http::Responder);
void get_timeseries(const ReadContext&, const Call&, http::Responder);
void get_breakdown(const ReadContext&, const Call&, http::Responder);
void get_realtime_visitors(const ReadContext&, const Call&, http::Responder);

// alerts_handler.cpp: problems of sites, such as missing events
void get_alerts(const ReadContext&, const Call&, http::Responder);

// summary_handler.cpp: the main numbers of each site of the account, such as visitors today
void get_summaries(const ReadContext&, const Call&, http::Responder);

// query_handler.cpp: Plausible's Stats API v2
void post_query(const ReadContext&, const Call&, http::Responder);

// files_handler.cpp: the tracker and other files that are compiled into the program
void get_tracker(const CallContext&, const Call&, http::Responder);
void get_openapi(const CallContext&, const Call&, http::Responder);
void get_share_stylesheet(const CallContext&, const Call&, http::Responder);
void get_map(const CallContext&, const Call&, http::Responder);
void get_share_script(const CallContext&, const Call&, http::Responder);

// health_handler.cpp: health checks

/// Returns the reason why health checks must fail at the moment, such as "the disk is nearly full";
/// empty if the daemon is healthy.
[[nodiscard]] std::string_view unhealthy_reason(const IntakeContext& context);
void get_health(const IntakeContext&, const Call&, http::Responder);
/// Answers 200 while the process runs.
void get_live(const IntakeContext&, const Call&, http::Responder);
/// Answers 200 while events are accepted, else 503. Unlike get_health(), does not fail as soon as
/// the disk has less free space than `min_free_disk`.
void get_ready(const IntakeContext&, const Call&, http::Responder);

}  // namespace analytics::api
