#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace analytics::cli {

/// Texts of some kinds that are found by a key, in a file without a name: memory is bounded however
/// many there are, and nothing is left behind. Its folder is that of SQLite's temporary files
/// (`TMPDIR`). Every method throws std::runtime_error when the disk is full or broken.
class DiskIndex {
 public:
  DiskIndex();

  struct Entry {
    int kind;
    std::string text;
  };
  /// Adds a text to those of the key.
  void add(std::string_view key, int kind, std::string_view text);
  /// In the order in which they were added, the first hundred.
  [[nodiscard]] std::vector<Entry> find(std::string_view key);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  using OwnedStatement = std::unique_ptr<sqlite3_stmt, Close>;
  [[nodiscard]] OwnedStatement prepare(const char* sql) const;
  [[noreturn]] void refuse() const;

  std::unique_ptr<sqlite3, Close> database_;
  OwnedStatement insert_;
  OwnedStatement select_;
  std::size_t count_ = 0;
};

}  // namespace analytics::cli
