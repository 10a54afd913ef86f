#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cli/replay/sender.h"

namespace analytics::cli {

struct BatchConfig {
  SenderConfig sender;
  std::size_t lines = 2'000;  ///< Events in one request.
  std::string import;         ///< Empty: one made of source and sites, for each source.
  std::string sites;          ///< That the records are sent to as the user says; empty: their own.
  std::string site;           ///< Whose imports tell what the server holds; empty: nobody is asked.
};

/// Sends events in bulk requests, each with the range of its bytes in the source: the server takes
/// a range in once, so that a batch whose answer was lost can be sent again, by this run or by
/// another. What the server holds already is asked for before, and not sent. One request at a time;
/// the next is made meanwhile.
class BatchSender final : public Sender {
 public:
  BatchSender(BatchConfig config, OnReject on_reject);

  void add(Record record) override;
  [[nodiscard]] bool wants_more() const override { return ready_.size() < kMaxReady && !asking_; }
  void poll(std::chrono::milliseconds wait) override;
  void end_of_input() override { ended_ = true; }
  void stop_sending() override { sending_ = false; }
  [[nodiscard]] bool in_flight() const override { return http_.busy() > 0; }
  [[nodiscard]] bool is_done() const override {
    return !asking_ && ready_.empty() && filling_.records.empty();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Range {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  struct Batch {
    std::string source;  ///< 32 hex digits.
    Range range;
    std::string body;
    std::vector<Record> records;  ///< A line each.
  };
  /// A file as far as it has been read.
  struct Source {
    std::string id;               ///< 32 hex digits.
    std::uint64_t end = 0;        ///< Of what was read of it.
    std::vector<Range> held;      ///< By the server, in order.
    std::vector<Record> waiting;  ///< Until the server has told what it holds.
  };
  static constexpr std::size_t kMaxReady = 2;
  static constexpr std::size_t kMaxBatchBytes = 4'194'304;
  static constexpr std::chrono::milliseconds kFillFor{1'000};

  void begin_source(const Record& record);
  void place(Record record);
  void put(Record record);
  void close_batch(std::uint64_t to);
  void ask();
  void take_ranges(const HttpReply& reply);
  void send();
  void take_answer(HttpReply reply);
  bool count_lines(Batch& batch, const HttpReply& reply);
  void try_again(HttpReply reply);
  [[nodiscard]] std::string import_of(const std::string& source) const;

  const BatchConfig config_;
  HttpLanes http_;
  std::string source_name_;  ///< Of `source_`, as records have it.
  Source source_;
  bool asking_ = false;  ///< What the server holds of source_.
  Batch filling_;
  Clock::time_point filled_at_{};
  std::deque<Batch> ready_;  ///< The front one is in flight or waits for another attempt.
  int attempt_ = 0;
  Clock::time_point not_before_{};
  bool sending_ = true;
  bool ended_ = false;
};

}  // namespace analytics::cli
