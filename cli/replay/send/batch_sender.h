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
  std::size_t lines = 1'000;  ///< Maximum events in one request.
  /// Name of the import; if empty, each source gets a name made from source and sites.
  std::string import;
  std::string log;  ///< Log to which all sources belong; empty if they belong to no log.
  /// Sites set by `--site` or `--site-override`; empty if each record names its own.
  std::string sites;
};

/// Returns the id that identifies a source in requests, 32 hex digits, by its name in records.
[[nodiscard]] std::string source_id(const std::string& source);

/// Returns the name of a source's import: `given`, or if that is empty, a name made from `source`
/// and `sites`.
[[nodiscard]] std::string import_name(const std::string& given, const std::string& source,
                                      const std::string& sites);

/// Returns the path of the resource that describes the import on one site.
[[nodiscard]] std::string import_path(std::string_view site, std::string_view import);

/// Maximum number of sites per source that are asked for their stored ranges.
inline constexpr std::size_t kMaxAskedSites = 2'000;

/// Returns the ranges of a source in a reply to GET …/imports/:id, in order.
[[nodiscard]] std::vector<ByteRange> stored_ranges(std::string_view body,
                                                   const std::string& source);

/// Sends events in bulk requests, each with its byte range in the source file. The server stores a
/// range once, so a batch whose reply was lost can be sent again, by this run or another. Asks each
/// site for its stored ranges and repeats exactly these ranges: the server then compares their
/// bytes, repeats its first reply, and stores the lines of sites that did not exist before. A
/// record waits until all sites that may share its range have been asked. Two requests are in
/// flight while the next is built, and the server keeps their order.
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
    ByteRange range;
    /// The stored range that this batch repeats; unset for a new range.
    std::optional<ByteRange> stored;
    std::string body;
    std::vector<Record> records;      ///< One record per line of the body.
    std::optional<std::size_t> lane;  ///< The lane on which it is in flight.
    /// Set if it reached the server before its predecessor. It is sent again after the predecessor
    /// is answered.
    bool goes_alone = false;
    int attempt = 0;
  };
  /// The source file that is being read.
  struct Source {
    std::string name;        ///< Id of the source file, as in its records.
    std::uint64_t end = 0;   ///< End of the bytes read so far.
    std::uint64_t from = 0;  ///< Start of the next batch; everything before it was sent.
    std::map<std::uint64_t, std::uint64_t> stored;  ///< Ranges that the server has: `to` by `from`.
    std::set<std::string> asked;  ///< Sites that were or will be asked for their ranges.
  };
  static constexpr std::size_t kMaxLanes = 2;
  static constexpr std::size_t kMaxReady = kMaxLanes + 1;
  static constexpr std::size_t kMaxBatchBytes = 4'194'304;
  static constexpr std::size_t kMaxStoredBytes = 16'777'216;  // limit for a request
  // The window has as many events as the largest batch. The server refuses a stored range that has
  // more bytes than this before the first record of an existing site.
  static constexpr std::size_t kWindowEvents = 2'000;
  static constexpr std::uint64_t kWindowBytes = 4'194'304;
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
  const std::size_t lanes_;  ///< Maximum number of batches in flight.
  Source source_;
  /// Sites that have not yet reported their stored ranges of source_.
  std::deque<std::string> to_ask_;
  struct Waiting {
    Record record;
    Clock::time_point since;
  };
  std::deque<Waiting> waiting_;  ///< Records whose stored range may not be known yet.
  std::size_t examined_ = 0;     ///< Number of records at its front whose sites are noted.
  std::size_t waiting_events_ = 0;
  std::uint64_t waiting_bytes_ = 0;  ///< Bytes of the source file covered by these records.
  Batch filling_;
  Clock::time_point filled_at_{};
  std::deque<Batch> ready_;  ///< The first batches are in flight or wait for another attempt.
  int attempt_ = 0;          ///< Repeated attempts to ask for stored ranges.
  Clock::time_point not_before_{};
  bool sending_ = true;
  bool ended_ = false;
};

}  // namespace analytics::cli
