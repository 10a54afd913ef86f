#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/send/sender.h"

namespace analytics::cli {

struct BatchConfig {
  SenderConfig sender;
  std::size_t lines = 1'000;  ///< Maximum number of events in one request.
  /// Name of the import; if empty, each source file has an import named after its id and sites.
  std::string import;
  /// Name that groups the imports of a log's rotations; empty if no log is followed.
  std::string log;
  /// Sites set by `--site` or `--site-override`; empty if each record names its own.
  std::string sites;
};

/// Converts the id that records have for their source file, which may end with a counter, to the
/// id for requests: 32 hex digits.
[[nodiscard]] std::string source_id(const std::string& source);

/// Returns the name of a source file's import: `given`, or if that is empty, a hash of `source` and
/// `sites`.
[[nodiscard]] std::string import_name(const std::string& given, const std::string& source,
                                      const std::string& sites);

/// Returns the URL path of an import on one site.
[[nodiscard]] std::string import_path(std::string_view site, std::string_view import);

/// Maximum number of sites per source file for which the server is asked for stored ranges.
inline constexpr std::size_t kMaxAskedSites = 2'000;

/// Returns the byte ranges of a source file that the server stores, in the order of `body`, the
/// server's reply to GET …/imports/:id.
[[nodiscard]] std::vector<ByteRange> stored_ranges(std::string_view body,
                                                   const std::string& source);

/// Sends events in bulk requests, each with its byte range in the source file. The server stores a
/// range once, so a batch whose reply was lost can be sent again, by this run or another. For each
/// site, asks the server which ranges it stores, and repeats exactly these ranges: the server then
/// compares their bytes, repeats its first reply, and stores the lines of sites created since. A
/// record waits until the ranges of all sites that may share its range are known. Two requests are
/// in flight while the next is built, and the server keeps their order.
class BatchSender final : public Sender {
 public:
  BatchSender(BatchConfig config, SendObserver& observer);

  void add(Record record) override;
  [[nodiscard]] bool wants_more() const override {
    return ready_.size() < kMaxReady && !is_window_full();
  }
  void poll(std::chrono::milliseconds wait) override;
  void wake() override { http_.wake(); }
  void end_of_input() override { ended_ = true; }
  void stop_sending() override { sending_ = false; }
  [[nodiscard]] bool in_flight() const override { return http_.busy() > 0; }
  [[nodiscard]] bool is_done() const override {
    return waiting_.empty() && to_ask_.empty() && ready_.empty() && filling_.records.empty();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Batch {
    std::string source;  ///< Id of the source file, as in its records.
    ByteRange range;     ///< Bytes of the source file that the request covers.
    /// The range, stored by an earlier run, that this batch repeats; unset for a new range.
    std::optional<ByteRange> stored;
    std::string body;             ///< Body of the request: one event per line.
    std::vector<Record> records;  ///< One record per line of the body.
    /// Each combination of sites, as records name them, and UTC day among the events.
    std::set<std::pair<std::vector<std::string>, Days>> days;
    std::size_t site_days = 0;        ///< Number of pairs of a single site and a day in `days`.
    std::optional<std::size_t> lane;  ///< Connection of the request in flight; unset if none.
    /// True if the server refused the batch because it arrived before its predecessor. It is then
    /// sent again once the predecessor is answered.
    bool goes_alone = false;
    int attempt = 0;
  };
  /// The source file that is being read.
  struct Source {
    std::string name;       ///< Id of the source file, as in its records.
    std::uint64_t end = 0;  ///< Offset just after the last record passed to place().
    /// Start of the next batch; all earlier bytes are in batches or settled.
    std::uint64_t from = 0;
    /// Byte ranges that the server stores: end offset by start offset.
    std::map<std::uint64_t, std::uint64_t> stored;
    std::set<std::string> asked;  ///< Sites whose stored ranges were or will be asked for.
  };
  static constexpr std::size_t kMaxLanes = 2;  // maximum number of connections
  static constexpr std::size_t kMaxReady = kMaxLanes + 1;
  static constexpr std::size_t kMaxBatchBytes = 4'194'304;
  static constexpr std::size_t kMaxStoredBytes = 16'777'216;  // the server's limit for a body
  // Limits of the queue waiting_: as many events as the largest batch, and their bytes in the
  // source file. A stored range with more than kWindowBytes before its first record of an existing
  // site is found too late: the server refuses the new range that overlaps it.
  static constexpr std::size_t kWindowEvents = 2'000;
  static constexpr std::uint64_t kWindowBytes = 4'194'304;
  // If the input pauses: longest time for which a record waits for others that may share its
  // stored range, and longest time for which a batch waits for more events.
  static constexpr std::chrono::milliseconds kLookFor{500};
  static constexpr std::chrono::milliseconds kFillFor{500};

  void begin_source(const Record& record);
  void note_sites(const Record& record);
  [[nodiscard]] bool is_window_full() const {
    return waiting_events_ >= kWindowEvents || waiting_bytes_ >= kWindowBytes;
  }
  void place(Record record);
  [[nodiscard]] std::optional<ByteRange> stored_around(std::uint64_t byte) const;
  void put(Record record, std::optional<ByteRange> stored);
  void close_batch();
  void ask();
  void place_waiting();
  void send_ready();
  void send(Batch& batch, const Batch* before);
  void take_answer(std::size_t lane, HttpReply reply);
  bool count_lines(Batch& batch, const HttpReply& reply);
  void try_again(int& attempt, HttpReply reply);

  const BatchConfig config_;
  HttpLanes http_;
  const std::size_t lanes_;  ///< Maximum number of batches in flight, one per connection.
  Source source_;
  /// Sites whose stored ranges of source_ the server has not yet reported.
  std::deque<std::string> to_ask_;
  struct Waiting {
    Record record;
    Clock::time_point since;
  };
  std::deque<Waiting> waiting_;  ///< Records whose stored ranges may not all be known yet.
  /// Number of records at the front of waiting_ that note_sites() has seen.
  std::size_t examined_ = 0;
  std::size_t waiting_events_ = 0;
  std::uint64_t waiting_bytes_ = 0;  ///< Number of bytes of the source file that waiting_ covers.
  Batch filling_;                    ///< Batch to which records are being added.
  Clock::time_point filled_at_{};    ///< Time when filling_ got its first record.
  std::deque<Batch> ready_;  ///< Complete batches in order; the first are in flight or are retried.
  int attempt_ = 0;          ///< Number of failed attempts to ask for stored ranges.
  Clock::time_point not_before_{};  ///< Earliest time of the next request.
  bool sending_ = true;
  bool ended_ = false;
};

}  // namespace analytics::cli
