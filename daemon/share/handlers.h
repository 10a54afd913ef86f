#pragma once

#include "daemon/call/call.h"

/// Handlers of the pages that shared links open. Each handler answers exactly once.
namespace analytics::share {

/// Sends a site's page in two pieces, so that browsers show the overview while the panels are
/// counted.
void get_page(const api::ReadContext&, const api::Call&, http::Responder);
/// Check the password that a link's password form has sent. If it is right, set a cookie that opens
/// the page and redirect to the page.
void post_password(const api::ReadContext&, const api::Call&, http::Responder);
void post_account_password(const api::ReadContext&, const api::Call&, http::Responder);
/// Sends the number of visitors in the last five minutes as JSON, for the page's script.
void get_current(const api::ReadContext&, const api::Call&, http::Responder);
/// Sends the page of all sites of an account, a few sites at a time.
void get_all_sites(const api::ReadContext&, const api::Call&, http::Responder);
/// Sends the service's start page, at the path `/`.
void get_front(const api::CallContext&, const api::Call&, http::Responder);
/// Sends a style sheet with the background colour that the embedding page requested.
void get_background(const api::CallContext&, const api::Call&, http::Responder);
/// Sends the panel that the parameter `panel` names as a CSV file, or by default the chart.
void get_csv(const api::ReadContext&, const api::Call&, http::Responder);
/// Returns the 404 page for an unknown path, site or link.
[[nodiscard]] http::Response not_found();

}  // namespace analytics::share
