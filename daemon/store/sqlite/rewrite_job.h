#pragma once

#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/part_worker.h"

namespace analytics::sqlite {

/// Makes a sealed part again without the events of an import: no part, if none are left.
class RewriteJob final : public PartJob {
 public:
  RewriteJob(const PartTable::SealedPart& part, ImportId import) : part_(part), import_(import) {}
  void run(Connection& connection, PartSink& sink) override;

  [[nodiscard]] const PartTable::SealedPart& part() const { return part_; }
  [[nodiscard]] ImportId import() const { return import_; }
  /// When it has ended: how many events it has left out.
  [[nodiscard]] std::int64_t removed() const { return removed_; }

 private:
  const PartTable::SealedPart part_;
  const ImportId import_;
  std::int64_t removed_ = 0;
};

}  // namespace analytics::sqlite
