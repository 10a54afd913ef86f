#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace analytics::cli {

/// The line that ends the rows of PostgreSQL's COPY.
inline constexpr std::string_view kEndOfRows = "\\.";

/// A token of an SQL dump.
struct SqlToken {
  enum class Kind {
    kWord,     ///< A keyword, a name without quotes, or a number.
    kName,     ///< A name of a table or column in quotes.
    kText,     ///< A text in single quotes, with its escapes resolved.
    kMark,     ///< One character of punctuation.
    kComment,  ///< The text of a comment after "--".
    kLine,     ///< A whole line; see take_lines().
  };
  Kind kind;
  std::string text;
  bool is_cut;  ///< True if the token was longer than keep() allows and was cut.
};

/// Splits an SQL dump of PostgreSQL, MySQL or MariaDB into tokens, in memory bounded by keep().
/// Backslashes are escapes in texts that begin with E', and in all texts after a name in backticks
/// or a comment that begins with "/*!", which only MySQL writes. Block comments are ignored,
/// including the statements in them that only MySQL runs.
class SqlTokens {
 public:
  /// Function that receives a token. It may call keep(), take_lines(), take_tokens() and
  /// leave_line().
  using Take = std::function<void(SqlToken)>;
  explicit SqlTokens(Take take) : take_(std::move(take)) {}

  /// Reads the next bytes of the dump.
  void feed(std::string_view bytes);
  /// Ends the dump. Returns false if a text, a name, a comment or a row is still open.
  [[nodiscard]] bool finish();

  /// Sets whether backslashes are escapes in texts, as in MySQL.
  void assume_mysql(bool is_mysql) { is_mysql_ = is_mysql; }
  /// Sets how many bytes of each token are kept, starting with the next token.
  void keep(std::size_t most) { most_ = most; }
  /// Makes each line after the current one a single token, such as a row of COPY, until
  /// take_tokens() is called.
  void take_lines() { lines_wanted_ = true; }
  void take_tokens() { lines_wanted_ = false; }
  /// Ignores the rest of the current line.
  void leave_line() { in_ = In::kIgnored; }

 private:
  /// The part of the dump that the next character belongs to.
  enum class In {
    kBlank,  ///< Between tokens.
    kWord,
    kQuoted,        ///< In a text or name in quotes.
    kEscape,        ///< After a backslash in a text.
    kQuote,         ///< After a quote that ends the text unless another follows.
    kDash,          ///< After "-", which may begin a comment.
    kSlash,         ///< After "/", which may begin a comment.
    kLineComment,   ///< In a comment that began with "--".
    kBlockComment,  ///< In a comment that began with "/*".
    kStar,          ///< After "*" in a comment that began with "/*".
    kDollarTag,     ///< In a tag "$tag$", which begins a text.
    kDollarText,    ///< In the text after "$tag$".
    kIgnored,       ///< In the ignored rest of a line.
    kLine,          ///< In a line that is a single token, because take_lines() was called.
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
  bool has_escapes_ = false;  ///< True if backslashes are escapes in the current text.
  bool is_mysql_ = false;
  bool is_comment_start_ = false;  ///< True just after "/*" or "/*M".
  std::string text_;               ///< Text of the current token so far.
  bool is_cut_ = false;
  std::string tag_;  ///< The current "$tag$", which begins and ends a text.
};

}  // namespace analytics::cli
