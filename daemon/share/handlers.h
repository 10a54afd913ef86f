#pragma once

#include "daemon/call/call.h"

/// Pages for people, behind shared links. Each handler answers exactly once.
namespace analytics::share {

/// In two pieces: the second is counted while the first is looked at.
void get_page(const api::Services&, const api::Call&, http::Responder);
/// Answers a form with the password of a link: with a cookie and the way back to the page.
void post_password(const api::Services&, const api::Call&, http::Responder);
void post_account_password(const api::Services&, const api::Call&, http::Responder);
/// The number of visitors in the last five minutes, for the page's script.
void get_current(const api::Services&, const api::Call&, http::Responder);
/// All sites of an account, a few at a time.
void get_all_sites(const api::Services&, const api::Call&, http::Responder);
/// The address of the service itself.
void get_front(const api::Services&, const api::Call&, http::Responder);
/// A style sheet with the background that an embedding page has asked for.
void get_background(const api::Services&, const api::Call&, http::Responder);
void get_csv(const api::Services&, const api::Call&, http::Responder);
/// The page of an unknown path, site or link.
[[nodiscard]] http::Response not_found();

}  // namespace analytics::share
