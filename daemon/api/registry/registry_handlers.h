#pragma once

#include "daemon/call/call.h"

/// Handlers of the API's routes for sites, shared links, goals, funnels and exclusions, one file
/// per resource. Each handler answers exactly once. The ensure_* handlers create the object, or
/// update it if it exists.
namespace analytics::api {

// sites_handler.cpp: sites and their settings
void create_site(const ChangeContext&, const Call&, http::Responder);
void list_sites(const ChangeContext&, const Call&, http::Responder);
void get_site(const ChangeContext&, const Call&, http::Responder);
void update_site(const ChangeContext&, const Call&, http::Responder);
void delete_site(const ChangeContext&, const Call&, http::Responder);
/// Answer as Plausible does when a property is allowed or forbidden. Change nothing, because every
/// property of an event is stored and can be queried.
void ensure_property(const ChangeContext&, const Call&, http::Responder);
void delete_property(const ChangeContext&, const Call&, http::Responder);

// links_handler.cpp: shared links to a site
void ensure_link(const ChangeContext&, const Call&, http::Responder);
void list_links(const ChangeContext&, const Call&, http::Responder);
void delete_link(const ChangeContext&, const Call&, http::Responder);

// account_links_handler.cpp: shared links to all sites of an account
void ensure_account_link(const ChangeContext&, const Call&, http::Responder);
void list_account_links(const ChangeContext&, const Call&, http::Responder);
void delete_account_link(const ChangeContext&, const Call&, http::Responder);

// goals_handler.cpp: goals of a site
void ensure_goal(const ChangeContext&, const Call&, http::Responder);
void list_goals(const ChangeContext&, const Call&, http::Responder);
void delete_goal(const ChangeContext&, const Call&, http::Responder);

// funnels_handler.cpp: funnels of a site
void ensure_funnel(const ChangeContext&, const Call&, http::Responder);
void list_funnels(const ChangeContext&, const Call&, http::Responder);
void delete_funnel(const ChangeContext&, const Call&, http::Responder);
/// Answers with the number of visitors who reached each step of a funnel.
void get_funnel(const ChangeContext&, const Call&, http::Responder);

// exclusions_handler.cpp: rules by which a site does not count events
void ensure_exclusion(const ChangeContext&, const Call&, http::Responder);
void list_exclusions(const ChangeContext&, const Call&, http::Responder);
void delete_exclusion(const ChangeContext&, const Call&, http::Responder);

}  // namespace analytics::api
