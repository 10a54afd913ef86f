#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace analytics::cli {

/// A temporary index that finds texts by a key, in an unnamed file. Its memory is bounded for any
/// number of texts, and no file remains. The file is in SQLite's folder for temporary files
/// (`TMPDIR`). Every method throws std::runtime_error if the disk is full or broken.
class DiskIndex {
 public:
  DiskIndex();

  struct Entry {
    int kind;
    std::string text;
  };
  /// Adds a text for the key.
  void add(std::string_view key, int kind, std::string_view text);
  /// Returns the first 100 texts of the key, in the order in which they were added.
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
