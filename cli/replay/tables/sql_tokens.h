#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace analytics::cli {

/// The line behind the rows that PostgreSQL's COPY writes.
inline constexpr std::string_view kEndOfRows = "\\.";

/// A piece of an SQL dump.
struct SqlToken {
  enum class Kind {
    kWord,     ///< A keyword, a name without quotes, or a number.
    kName,     ///< A name in quotes.
    kText,     ///< A text in single quotes, with its escapes resolved.
    kMark,     ///< One other character.
    kComment,  ///< What stands behind "--".
    kLine,     ///< A whole line, where lines were asked for.
  };
  Kind kind;
  std::string text;
  bool is_cut;  ///< More of it was left out than keep() allows.
};

/// Takes an SQL dump of PostgreSQL, MySQL or MariaDB apart, a piece of its bytes at a time, in
/// memory bounded by keep(). Texts have backslashes as escapes once a name stood in backticks or a
/// comment began with "/*!", as MySQL writes them, and where they begin with E'. Comments of more
/// than a line are left out, with what MySQL alone runs in them.
class SqlTokens {
 public:
  /// May call keep(), take_lines(), take_tokens() and leave_line().
  using Take = std::function<void(SqlToken)>;
  explicit SqlTokens(Take take) : take_(std::move(take)) {}

  void feed(std::string_view bytes);
  /// At the end of the bytes. Returns false if a text, a name, a comment or a row is still open.
  [[nodiscard]] bool finish();

  /// Whether texts have backslashes as escapes.
  void assume_mysql(bool is_mysql) { is_mysql_ = is_mysql; }
  /// How many bytes of a token are kept, from the next one on.
  void keep(std::size_t most) { most_ = most; }
  /// What follows the end of this line is lines; until take_tokens().
  void take_lines() { lines_wanted_ = true; }
  void take_tokens() { lines_wanted_ = false; }
  /// The rest of this line is nothing.
  void leave_line() { in_ = In::kIgnored; }

 private:
  enum class In {
    kBlank,
    kWord,
    kQuoted,        ///< In a text or a name.
    kEscape,        ///< Behind a backslash in it.
    kQuote,         ///< Behind a quote in it, which may be doubled.
    kDash,          ///< Behind one "-".
    kSlash,         ///< Behind "/".
    kLineComment,   ///< Behind "--".
    kBlockComment,  ///< Between the stars of a comment.
    kStar,          ///< Behind a star in it.
    kDollarTag,     ///< Behind the first "$" of "$tag$".
    kDollarText,    ///< Behind it.
    kIgnored,       ///< In the rest of a line.
    kLine,
  };
  [[nodiscard]] bool take(char c);
  void take_of_blank(char c);
  [[nodiscard]] bool take_behind_first(char c);
  void begin_quoted(char quote);
  [[nodiscard]] bool take_of_dollar(char c);
  void add(std::string_view text);
  void give(SqlToken::Kind kind);
  void end_line();
  [[nodiscard]] std::size_t run_of(std::string_view bytes) const;

  Take take_;
  std::size_t most_ = 256;
  In in_ = In::kBlank;
  bool lines_wanted_ = false;
  char quote_ = '\'';
  bool has_escapes_ = false;  ///< Of the text that is open.
  bool is_mysql_ = false;
  bool is_comment_start_ = false;  ///< Behind "/*" or "/*M".
  std::string text_;               ///< Of the token that is open.
  bool is_cut_ = false;
  std::string tag_;  ///< "$tag$", which ends the text that it began.
};

}  // namespace analytics::cli
