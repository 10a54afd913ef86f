#include "daemon/cluster/registry_sync.h"

#include <ctime>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/store/sqlite/registry/shared_registry.h"

namespace analytics::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using store::RegistryStep;
using store::Revision;

// Readings of the registry per lease: every 5 seconds for a lease of 60 seconds. A notification
// makes the next reading earlier.
constexpr int kReadingsPerLease = 12;
constexpr milliseconds kBetweenTries{1'000};  // pause between attempts to connect
constexpr milliseconds kBetweenLearning{1'000};
// Pause between checks of whether the other nodes have applied a change.
constexpr milliseconds kBetweenAnswers{25};
constexpr seconds kLongestStart{15};

FileDescriptor make_event() {
  FileDescriptor event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.valid()) throw std::system_error(errno, std::generic_category(), "eventfd");
  return event;
}

}  // namespace

RegistrySync::LeaseTime RegistrySync::lease_now() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

RegistrySync::RegistrySync(Parts parts, RegistryConfig config)
    : parts_(std::move(parts)),
      config_(std::move(config)),
      wake_(make_event()),
      server_(config_.server, is_ending_),
      log_(server_, config_.lease, config_.format),
      salts_({.on_writer = parts_.on_writer,
              .salts = parts_.salts,
              .clock = parts_.clock,
              .log = parts_.log,
              .wake = [this] { wake(); }},
             config_.secret),
      imports_(config_.node, [this] { wake(); }) {}

RegistrySync::~RegistrySync() { stop(); }

void RegistrySync::start() {
  thread_ = std::thread(&RegistrySync::run, this);
  std::unique_lock lock(mutex_);
  tried_.wait_for(lock, kLongestStart, [this] { return was_tried_; });
}

void RegistrySync::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  is_ending_ = true;
  wake();
  if (thread_.joinable()) thread_.join();
  imports_.end();
  refuse_orders({ErrorCode::kOverloaded, "The service is shutting down.", {}});
  for (auto& made : std::exchange(made_, {})) {
    made.done(made.withdraws ? Status(fail(ErrorCode::kRegistryStale,
                                           "The change was made, and the service ends: another node"
                                           " may not know it for a minute."))
                             : Status());
  }
}

void RegistrySync::wake() { (void)eventfd_write(wake_.get(), 1); }

void RegistrySync::carry_out(Draft draft, Done done) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_stopped_) {
      orders_.push_back({std::move(draft), std::move(done)});
      done = nullptr;
    }
  }
  if (done) return done(fail(ErrorCode::kOverloaded, "The service is shutting down."));
  wake();
}

void RegistrySync::accept(Done done) { carry_out({}, std::move(done)); }

std::optional<Error> RegistrySync::refusal() const {
  if (is_rewound_) return rewound();
  if (lease_now() < lease_end_.load()) return std::nullopt;
  return Error{ErrorCode::kRegistryStale,
               "This node has not heard of the cluster's registry for a while: try again, or ask"
               " another node.",
               {}};
}

RegistryStatus RegistrySync::status() const {
  const std::lock_guard lock(mutex_);
  return {.problem = problem_,
          .revision = revision_,
          .age = std::chrono::duration_cast<milliseconds>(lease_now() - read_at_),
          .is_rewound = is_rewound_};
}

void RegistrySync::run() {
  while (!is_ending_) {
    Status done;
    try {
      done = round();
    } catch (const std::exception& error) {
      // For example, memory is exhausted. The daemon still stores events, and the next round tries
      // again.
      server_.disconnect();
      done = fail(ErrorCode::kInternal, error.what());
    }
    if (is_ending_) break;
    note(done);
    wait_for_work();
  }
}

void RegistrySync::wait_for_work() {
  auto time =
      server_.is_connected() ? milliseconds(config_.lease) / kReadingsPerLease : kBetweenTries;
  if (!made_.empty()) time = kBetweenAnswers;
  server_.wait_for_news(time, wake_.get());
  eventfd_t count = 0;
  (void)eventfd_read(wake_.get(), &count);
}

void RegistrySync::note(const Status& round) {
  const auto problem = round ? std::string() : round.error().reason();
  const std::lock_guard lock(mutex_);
  if (problem != problem_) {
    if (problem.empty()) {
      parts_.log.info("the cluster's registry is followed again");
    } else {
      parts_.log.warn("the cluster's registry is not followed", {{"reason", problem}});
    }
  }
  problem_ = problem;
  was_tried_ = true;
  tried_.notify_all();
}

Status RegistrySync::round() {
  auto followed = open();
  if (followed) followed = follow();
  if (!followed && followed.error().code == ErrorCode::kRegistryRewound) {
    is_rewound_ = true;
    carry_out_orders();  // a waiting call of accept() may accept the rewound registry
  } else if (!followed) {
    refuse_orders(not_now(followed.error()));
  } else {
    carry_out_orders();
    // This call of follow() reports that this node has applied the changes.
    if (!made_.empty()) followed = follow();
  }
  answer_made();
  if (followed) followed = keep_imports();
  if (followed) followed = imports_.recheck(log_);
  if (!followed) {
    imports_.give_up();
    return followed;
  }
  return salts_.share(log_);
}

Status RegistrySync::open() {
  if (server_.is_connected()) return {};
  TRY(server_.connect());
  has_kept_imports_ = false;
  imports_.doubt();
  auto opened = log_.open();
  if (opened) opened = log_.upgrade_alone(config_.node);
  if (opened && !log_.is_upgraded()) {
    parts_.log.warn(
        "nodes of an earlier version are in the cluster: this one changes nothing until"
        " 'analyticsd cluster upgrade' was run");
  }
  if (!opened) server_.disconnect();
  return opened;
}

/// Claims the imports that this node has begun, again after each connect. A registry that was
/// restored from a backup, or replaced by its standby, may have lost these claims; then another
/// node could store the lines of these imports a second time.
Status RegistrySync::keep_imports() {
  if (has_kept_imports_) return {};
  std::vector<store::BegunImport> begun;
  const auto read = [&]() -> Status {
    begun = TRY(parts_.shared.imports());
    return {};
  };
  TRY(parts_.on_writer(read));
  const auto others = TRY(log_.keep_imports(config_.node, begun));
  has_kept_imports_ = true;
  if (!others.empty()) {
    parts_.log.warn("another node has imports that this one has begun: lines may be stored twice",
                    {{"imports", std::to_string(others.size())}, {"one_of_them", others.front()}});
  }
  return {};
}

Result<RegistrySync::Own> RegistrySync::own() {
  Own own;
  const auto read = [&]() -> Status {
    own.revision = parts_.shared.revision();
    own.spent = TRY(parts_.shared.spent());
    return {};
  };
  TRY(parts_.on_writer(read));
  return own;
}

NodeReport RegistrySync::report_of(const Own& own) const {
  return {.name = config_.node,
          .journal = parts_.journal,
          .revision = own.revision.value_or(Revision{}),
          .spent = own.spent};
}

/// Reads the registry until this node has applied and reported the registry's newest revision.
Status RegistrySync::follow() {
  for (;;) {
    const auto asked = lease_now();
    const auto mine = TRY(own());
    const auto head = TRY(log_.report(report_of(mine)));
    if (!head) {
      TRY(log_.join(report_of(mine)));
    } else if (!mine.revision) {
      TRY(begin());
    } else if (head->revision != *mine.revision) {
      TRY(catch_up(*mine.revision));
    } else if (head->had_lease) {
      // While changes wait for other nodes, this loop runs many times a second. Reading the list
      // of nodes once a second is enough.
      if (made_.empty() || asked - learned_at_ > kBetweenLearning) {
        TRY(learn_nodes());
        learned_at_ = asked;
      }
      is_rewound_ = false;
      note_read(head->revision, asked);
      return {};
    }
  }
}

/// Publishes the cluster's nodes, so that answers to queries also name nodes that have shipped
/// nothing.
Status RegistrySync::learn_nodes() {
  const auto nodes = TRY(log_.nodes());
  RegisteredNodes known;
  for (const auto& node : nodes) known.push_back({node.name, node_number(node.journal)});
  parts_.nodes.publish(std::move(known));
  return {};
}

void RegistrySync::note_read(const Revision& revision, LeaseTime asked) {
  lease_end_ = asked + config_.lease;
  const std::lock_guard lock(mutex_);
  revision_ = revision.number;
  read_at_ = asked;
}

/// Makes this node's registry agree with the cluster's for the first time. The first node of the
/// cluster adds its own registry to the shared log of changes. Any other node must have an empty
/// registry, and receives the cluster's.
Status RegistrySync::begin() {
  // The first step has the journal's id, so that this node recognises its own step even if the node
  // was killed before it recorded the step.
  const Revision first{.number = 1, .id = parts_.journal};
  if (log_.steps_after(first)) {
    const auto all = TRY(log_.all_steps());
    return replace(all);
  }
  const auto head = TRY(log_.lock());
  if (head.number > 0) {
    log_.unlock();
    bool is_empty = false;
    const auto look = [&]() -> Status {
      is_empty = TRY(parts_.shared.is_empty());
      return {};
    };
    TRY(parts_.on_writer(look));
    if (is_empty) return catch_up({});
    return fail(ErrorCode::kInvalidParameter,
                "The database has sites or keys, which are not those of the cluster: begin with an"
                " empty database.");
  }
  RegistryStep step{first, {}};
  auto read = parts_.on_writer([&]() -> Status {
    step.change = TRY(parts_.shared.whole());
    return {};
  });
  if (!read) {
    log_.unlock();
    return read;
  }
  return log_.add(step, config_.node);
}

Status RegistrySync::catch_up(const Revision& from) {
  auto at = from;
  for (;;) {
    const auto steps = TRY(log_.steps_after(at));
    if (steps.empty()) break;
    TRY(apply(steps));
    at = steps.back().revision;
  }
  if (at != from) return {};
  return fail(ErrorCode::kRegistryRewound, "The registry's tables contradict each other.");
}

Status RegistrySync::apply(std::span<const RegistryStep> steps) {
  auto applied = parts_.on_writer([&] { return parts_.shared.apply(steps); });
  if (applied || applied.error().code != ErrorCode::kInternal) return applied;
  const auto all = TRY(log_.all_steps());
  parts_.log.error("this node's copy of the registry could not follow, and is made again",
                   {{"reason", applied.error().reason()}});
  return replace(all);
}

Status RegistrySync::replace(std::span<const RegistryStep> steps) {
  return parts_.on_writer([&] { return parts_.shared.replace(steps); });
}

Error RegistrySync::rewound() {
  return {ErrorCode::kRegistryRewound,
          "The cluster's registry has lost changes that this node has: see 'analyticsd cluster"
          " accept-registry'.",
          {}};
}

Error RegistrySync::not_now(const Error& error) {
  return {ErrorCode::kRegistryStale,
          "The cluster's registry cannot be changed now; try again.",
          {},
          error.reason()};
}

}  // namespace analytics::cluster
