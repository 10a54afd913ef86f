#include "daemon/store/sqlite/registry/funnels.h"

#include "daemon/model/wildcard.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/owned_rows.h"

namespace analytics::sqlite {

using store::Changed;

namespace {

/// Throws Error kLimitReached if the page pattern of a step has too many wildcards, or too many
/// bytes for a pattern with wildcards: see wildcard_problem().
void check_pages(const std::vector<FunnelStep>& steps) {
  for (const auto& [type, value] : steps) {
    if (type != GoalType::kPage) continue;
    if (const auto problem = wildcard_problem(value); !problem.empty()) {
      throw Error{ErrorCode::kLimitReached,
                  "A page of the steps " + problem + ".",
                  {{"steps", "have a page that " + problem}}};
    }
  }
}

}  // namespace

Funnel read_funnel(const Rows& row) {
  auto steps = parse_funnel_steps(row.text(3));
  if (!steps) throw damage("a funnel has no readable steps");
  return {row.int64(0), row.text(1), static_cast<FunnelWithin>(row.int64(2)), std::move(*steps)};
}

Result<Changed<Funnel>> Funnels::ensure_funnel(const Funnel& wanted, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> Changed<Funnel> {
    const auto& [site, name, within, steps] = wanted;
    if (!find_site(connection_, site)) {
      throw Error{ErrorCode::kSiteNotFound, "Unknown site.", {}};
    }
    Statement find(connection_, std::string("SELECT ") + kFunnelColumns +
                                    " FROM funnels WHERE site = ? AND name = ?");
    if (auto rows = find.query(site, name); rows.next()) {
      if (read_funnel(rows) == wanted) return {wanted, ChangeOutcome::kUnchanged};
      check_pages(steps);
      Statement set(connection_,
                    "UPDATE funnels SET within = ?, steps = ? WHERE site = ? AND name = ?");
      set.run(static_cast<int>(within), to_json(steps), site, name);
      return {wanted, ChangeOutcome::kUpdated};
    }
    check_pages(steps);
    refuse_more(connection_, kOwnedFunnels, site);
    Statement insert(
        connection_,
        "INSERT INTO funnels(site, name, within, steps, created_at) VALUES(?, ?, ?, ?, ?)");
    insert.run(site, name, static_cast<int>(within), to_json(steps), seconds(now));
    return {wanted, ChangeOutcome::kCreated};
  });
}

Status Funnels::delete_funnel(SiteId site, const std::string& name) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM funnels WHERE site = ? AND name = ?");
    remove.run(site, name);
    if (connection_.changes() == 0) {
      throw Error{ErrorCode::kFunnelNotFound, "The site has no funnel with this name.", {}};
    }
  });
}

void Funnels::forget_site(Connection& connection, SiteId site) {
  Statement remove(connection, "DELETE FROM funnels WHERE site = ?");
  remove.run(site);
}

}  // namespace analytics::sqlite
