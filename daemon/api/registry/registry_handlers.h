#pragma once

#include "daemon/call/call.h"

/// Handlers of the API's routes for what is provisioned, one file per resource. Each handler
/// answers exactly once.
namespace analytics::api {

// sites_handler.cpp
void create_site(const ChangeContext&, const Call&, http::Responder);
void list_sites(const ChangeContext&, const Call&, http::Responder);
void get_site(const ChangeContext&, const Call&, http::Responder);
void update_site(const ChangeContext&, const Call&, http::Responder);
void delete_site(const ChangeContext&, const Call&, http::Responder);

// links_handler.cpp
void ensure_link(const ChangeContext&, const Call&, http::Responder);
void list_links(const ChangeContext&, const Call&, http::Responder);
void delete_link(const ChangeContext&, const Call&, http::Responder);

// account_links_handler.cpp
void ensure_account_link(const ChangeContext&, const Call&, http::Responder);
void list_account_links(const ChangeContext&, const Call&, http::Responder);
void delete_account_link(const ChangeContext&, const Call&, http::Responder);

// goals_handler.cpp
void ensure_goal(const ChangeContext&, const Call&, http::Responder);
void list_goals(const ChangeContext&, const Call&, http::Responder);
void delete_goal(const ChangeContext&, const Call&, http::Responder);

// funnels_handler.cpp
void ensure_funnel(const ChangeContext&, const Call&, http::Responder);
void list_funnels(const ChangeContext&, const Call&, http::Responder);
void delete_funnel(const ChangeContext&, const Call&, http::Responder);
/// Answers with the number of visitors that reached each step of a funnel.
void get_funnel(const ChangeContext&, const Call&, http::Responder);

// exclusions_handler.cpp
void ensure_exclusion(const ChangeContext&, const Call&, http::Responder);
void list_exclusions(const ChangeContext&, const Call&, http::Responder);
void delete_exclusion(const ChangeContext&, const Call&, http::Responder);

}  // namespace analytics::api
