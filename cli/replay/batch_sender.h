#pragma once

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/sender.h"

namespace analytics::cli {

struct BatchConfig {
  SenderConfig sender;
  std::size_t lines = 2'000;  ///< Events in one request.
  std::string import;         ///< Empty: one made of source and sites, for each source.
  std::string sites;          ///< That the records are sent to as the user says; empty: their own.
};

/// 32 hex digits that stand for a source on the wire, by its name in records.
[[nodiscard]] std::string source_id(const std::string& source);

/// The name of the import of a source: `given`, or, when that is empty, one made of both.
[[nodiscard]] std::string import_name(const std::string& given, const std::string& source,
                                      const std::string& sites);

/// Where a site tells of an import.
[[nodiscard]] std::string import_path(std::string_view site, std::string_view import);

/// Sites of a source that are asked what they hold; beyond, the ranges themselves are enough.
inline constexpr std::size_t kMaxAskedSites = 200;

/// What the answer of GET …/imports/:id says is held of a source.
[[nodiscard]] ByteRanges held_ranges(std::string_view body, const std::string& source);

/// Sends events in bulk requests, each with the range of its bytes in the source: the server takes
/// a range in once, so that a batch whose answer was lost can be sent again, by this run or by
/// another. What the server holds already is asked for before, site by site as the records name
/// them, and not sent. One request at a time; the next is made meanwhile.
class BatchSender final : public Sender {
 public:
  BatchSender(BatchConfig config, SendObserver& observer);

  void add(Record record) override;
  [[nodiscard]] bool wants_more() const override {
    return ready_.size() < kMaxReady && waiting_.empty();
  }
  void poll(std::chrono::milliseconds wait) override;
  void end_of_input() override { ended_ = true; }
  void stop_sending() override { sending_ = false; }
  [[nodiscard]] bool in_flight() const override { return http_.busy() > 0; }
  [[nodiscard]] bool is_done() const override {
    return to_ask_.empty() && ready_.empty() && filling_.records.empty();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Batch {
    std::string source;  ///< As records have it.
    ByteRange range;
    std::set<std::string> sites;
    std::string body;
    std::vector<Record> records;  ///< A line each.
  };
  /// A file as far as it has been read.
  struct Source {
    std::string name;             ///< As records have it.
    std::uint64_t end = 0;        ///< Of what was read of it.
    std::uint64_t from = 0;       ///< Where the next batch begins: what lies before is sent.
    ByteRanges held;              ///< By the server.
    std::set<std::string> asked;  ///< Sites that have told what they hold, or will.
  };
  static constexpr std::size_t kMaxReady = 2;
  static constexpr std::size_t kMaxBatchBytes = 4'194'304;
  static constexpr std::chrono::milliseconds kFillFor{1'000};

  void begin_source(const Record& record);
  bool must_ask(const Record& record);
  void place(Record record);
  void put(Record record);
  void close_batch();
  void ask();
  void place_waiting();
  void send();
  void take_answer(HttpReply reply);
  bool count_lines(Batch& batch, const HttpReply& reply);
  void try_again(HttpReply reply);

  const BatchConfig config_;
  HttpLanes http_;
  Source source_;
  std::deque<std::string> to_ask_;  ///< Sites that have not told yet what they hold of source_.
  std::deque<Record> waiting_;      ///< Until they have.
  Batch filling_;
  Clock::time_point filled_at_{};
  std::deque<Batch> ready_;  ///< The front one is in flight or waits for another attempt.
  int attempt_ = 0;
  Clock::time_point not_before_{};
  bool sending_ = true;
  bool ended_ = false;
};

}  // namespace analytics::cli
