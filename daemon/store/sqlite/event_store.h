#pragma once

#include <map>
#include <unordered_map>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/dictionary.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/import_ledger.h"
#include "daemon/store/sqlite/import_undo.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/text_sweep.h"
#include "daemon/store/sqlite/visits.h"

namespace analytics::sqlite {

class SqliteEventStore final : public store::EventStore {
 public:
  /// `connection` must outlive this object.
  explicit SqliteEventStore(Connection& connection, const store::StoreLimits& limits = {},
                            std::size_t max_open_visits = Visits::kMaxOpen);

  Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                UnixSeconds now, const store::Admit& admit) override;
  Result<EventOutcome> judge(const Event& event, UnixSeconds now,
                             const store::Admit& admit) override;
  Result<store::BulkResult> append_bulk(const store::BulkRequest& request,
                                        UnixSeconds now) override;
  std::vector<store::ReplacedTexts> take_replaced_texts() override {
    return dictionary_.take_replaced();
  }
  Status write_visits() override;
  Result<bool> expire_visitors_slice() override;
  Result<bool> purge_slice() override;
  Result<bool> undo_slice() override;
  Result<bool> truncate_if_due() override;
  void check_files() override { connection_.check_files(); }
  Result<bool> expire_keys_slice(UnixSeconds now) override;
  Status checkpoint() override;
  Result<bool> checkpoint_if_due() override;
  Status probe(UnixSeconds now) override;

 private:
  /// The data of a site that a batch needs.
  struct SiteState {
    bool exists = false;
    std::optional<std::int64_t> first_event;  ///< The time that is stored.
    std::int64_t earliest = INT64_MAX;        ///< The earliest event in this batch.
  };
  using Sites = std::unordered_map<SiteId, SiteState>;
  using Claims = std::map<SiteId, ImportLedger::Claim>;

  /// The deleted site whose rows leave next, from that event and that visit on.
  struct Purge {
    SiteId site;
    EventId from_event;
    VisitId from_visit;
    bool events_left;
    bool visits_left;
  };

  EventOutcome store(const Event& event, Sites& sites, UnixSeconds now, const store::Admit& admit);
  void store_bulk(const store::BulkRequest& request, store::BulkResult& result, Sites& sites,
                  UnixSeconds now);
  void set_first_events(const Sites& sites);
  SiteState& site_state(SiteId site, Sites& sites);
  bool is_spent(const IdempotencyKey& key, UnixSeconds now);
  bool spend(const IdempotencyKey& key, UnixSeconds now);
  void insert(const Event& event, const Visits::Place& place, const TextSource& source);
  void settle(bool all);
  void commit(Transaction& transaction);
  void roll_back();
  std::optional<Purge> next_purge();
  void purge_events(SiteId site, EventId from);
  void purge_visits(SiteId site, VisitId from);
  void purge_rest(SiteId site);

  Connection& connection_;
  Dictionary dictionary_;
  ImportLedger ledger_;
  Visits visits_;
  EventHours hours_;
  ImportUndo undo_;
  TextSweep sweep_;
  Statement find_site_;
  Statement set_first_event_;
  Statement insert_event_;
  Statement spend_key_;
  Digest expire_from_{};   ///< The next slice of expired keys begins here.
  bool vacuuming_ = true;  ///< A purge, maybe of an earlier run, has ended and left free pages.
};

}  // namespace analytics::sqlite
