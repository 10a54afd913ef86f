#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace analytics::cli {

/// Stores texts by key in an unnamed temporary file, which disappears with this object. Memory is
/// bounded for any number of texts. The file is in SQLite's folder for temporary files (`TMPDIR`).
/// Every method throws std::runtime_error if the disk is full or broken.
class DiskIndex {
 public:
  DiskIndex();

  struct Entry {
    int kind;  ///< Value that the caller passed to add(), to tell its kinds of texts apart.
    std::string text;
  };
  /// Stores a text under a key. A key may have several texts. `kind` is returned with the text.
  void add(std::string_view key, int kind, std::string_view text);
  /// Returns at most 100 texts of the key, in the order in which they were added.
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
