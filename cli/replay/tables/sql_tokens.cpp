#include "cli/replay/tables/sql_tokens.h"

#include <algorithm>

#include "cli/replay/formats/csv_fields.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kLongestTag = 64;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void SqlTokens::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    // Most bytes are inside texts and lines, which are read many bytes at a time.
    if (const auto run = run_of(bytes); run > 0) {
      add(bytes.substr(0, run));
      bytes.remove_prefix(run);
    } else if (take(bytes.front())) {
      bytes.remove_prefix(1);
    }
  }
}

/// Returns the number of leading bytes that surely belong to the current token and are not part of
/// an escape.
std::size_t SqlTokens::run_of(std::string_view bytes) const {
  std::size_t end = 0;
  switch (in_) {
    case In::kQuoted: {
      const char ends[] = {quote_, '\\'};
      end = bytes.find_first_of(std::string_view(ends, has_escapes_ ? 2 : 1));
      break;
    }
    case In::kLine:
    case In::kLineComment:
    case In::kIgnored: end = bytes.find('\n'); break;
    case In::kBlockComment:
      if (is_comment_start_) return 0;
      end = bytes.find('*');
      break;
    default: return 0;
  }
  return std::min(end, bytes.size());
}

void SqlTokens::add(std::string_view text) {
  if (in_ == In::kIgnored || in_ == In::kBlockComment) return;
  const auto room = most_ - std::min(most_, text_.size());
  text_.append(text.substr(0, room));
  is_cut_ = is_cut_ || text.size() > room;
}

/// Passes the current token to take_, which may change how the following bytes are read.
void SqlTokens::give(SqlToken::Kind kind) {
  in_ = In::kBlank;
  SqlToken token{kind, std::move(text_), is_cut_};
  text_.clear();
  is_cut_ = false;
  take_(std::move(token));
}

void SqlTokens::end_line() {
  if (in_ == In::kBlank && lines_wanted_) in_ = In::kLine;
}

/// Reads a character. Returns false if it ended a token without belonging to it, and must be read
/// again.
bool SqlTokens::take(char c) {
  switch (in_) {
    case In::kBlank: take_of_blank(c); return true;
    case In::kWord:
      if (c == '\'' && (text_ == "E" || text_ == "e")) {
        text_.clear();
        begin_quoted(c);
        has_escapes_ = true;
        return true;
      }
      if (is_of_word(c)) {
        add({&c, 1});
        return true;
      }
      give(SqlToken::Kind::kWord);
      return false;
    case In::kQuoted: in_ = c == quote_ ? In::kQuote : In::kEscape; return true;
    case In::kEscape: {
      // MySQL writes \Z for the byte that ended files on CP/M.
      const char meant = c == 'Z' ? '\x1A' : escaped_character(c);
      add({&meant, 1});
      in_ = In::kQuoted;
      return true;
    }
    case In::kQuote:
      if (c == quote_) {
        add({&c, 1});
        in_ = In::kQuoted;
        return true;
      }
      give(quote_ == '\'' ? SqlToken::Kind::kText : SqlToken::Kind::kName);
      return false;
    case In::kDash:
    case In::kSlash: return take_behind_first(c);
    case In::kLineComment:  // run_of() has read up to the line end
      give(SqlToken::Kind::kComment);
      return false;
    case In::kBlockComment:
      // Only MySQL and MariaDB write "/*!40101 SET …" and "/*M!…".
      is_mysql_ = is_mysql_ || (is_comment_start_ && c == '!');
      is_comment_start_ = is_comment_start_ && c == 'M';
      if (c == '*') in_ = In::kStar;
      return true;
    case In::kStar:
      if (c != '*') in_ = c == '/' ? In::kBlank : In::kBlockComment;
      return true;
    case In::kDollarTag:
    case In::kDollarText: return take_of_dollar(c);
    case In::kIgnored: in_ = In::kBlank; return false;
    case In::kLine:
      if (text_.ends_with('\r')) text_.pop_back();
      give(SqlToken::Kind::kLine);
      end_line();
      return true;
  }
  return true;
}

void SqlTokens::take_of_blank(char c) {
  if (c == '\n') return end_line();
  if (c == ' ' || c == '\t' || c == '\r') return;
  if (c == '\'' || c == '"' || c == '`') return begin_quoted(c);
  if (c == '#' && is_mysql_) return leave_line();
  if (c == '-') {
    in_ = In::kDash;
  } else if (c == '/') {
    in_ = In::kSlash;
  } else if (c == '$') {
    in_ = In::kDollarTag;
    tag_ = "$";
  } else if (is_of_word(c)) {
    in_ = In::kWord;
    add({&c, 1});
  } else {
    add({&c, 1});
    give(SqlToken::Kind::kMark);
  }
}

void SqlTokens::begin_quoted(char quote) {
  in_ = In::kQuoted;
  quote_ = quote;
  is_mysql_ = is_mysql_ || quote == '`';
  has_escapes_ = is_mysql_ && quote == '\'';
}

/// Reads the character after a "-" or "/". The two may begin a comment, "--" or "/*"; otherwise
/// the "-" or "/" is a token. Returns false if `c` must be read again.
bool SqlTokens::take_behind_first(char c) {
  const char first = in_ == In::kDash ? '-' : '/';
  if (first == '-' ? c == '-' : c == '*') {
    in_ = first == '-' ? In::kLineComment : In::kBlockComment;
    is_comment_start_ = true;
    return true;
  }
  add({&first, 1});
  give(SqlToken::Kind::kMark);
  return false;
}

/// Skips a text between two equal tags such as `$body$`, as PostgreSQL writes functions. Returns
/// false if `c` must be read again.
bool SqlTokens::take_of_dollar(char c) {
  if (in_ == In::kDollarTag) {
    if (c == '$') {
      tag_ += c;
      in_ = In::kDollarText;
    } else if (is_of_word(c) && tag_.size() < kLongestTag) {
      tag_ += c;
    } else {
      in_ = In::kBlank;
      return false;
    }
    return true;
  }
  text_ += c;
  if (text_.size() > tag_.size()) text_.erase(0, 1);
  if (text_ == tag_) {
    text_.clear();
    in_ = In::kBlank;
  }
  return true;
}

bool SqlTokens::finish() {
  const bool is_open = in_ == In::kQuoted || in_ == In::kEscape || in_ == In::kBlockComment ||
                       in_ == In::kStar || in_ == In::kDollarText;
  // A row of COPY without its line end may be incomplete.
  if (is_open || (in_ == In::kLine && !text_.empty() && text_ != kEndOfRows)) return false;
  if (in_ != In::kBlank) feed("\n");
  return true;
}

}  // namespace analytics::cli
