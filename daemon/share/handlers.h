#pragma once

#include "daemon/call/call.h"

/// Pages for people, behind shared links. Each handler answers exactly once.
namespace analytics::share {

/// In two pieces: the second is counted while the first is looked at.
void get_page(const api::Services&, const api::Call&, http::Responder);
/// The number of visitors in the last five minutes, for the page's script.
void get_current(const api::Services&, const api::Call&, http::Responder);
void get_csv(const api::Services&, const api::Call&, http::Responder);
/// The page of an unknown path, site or link.
[[nodiscard]] http::Response not_found();

}  // namespace analytics::share
