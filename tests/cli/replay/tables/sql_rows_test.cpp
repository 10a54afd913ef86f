#include "cli/replay/tables/sql_rows.h"

#include <algorithm>

#include "tests/support/catch.h"

using namespace analytics::cli;

namespace {

/// Rows as "table(column=value,…)", NULL as "-".
class Written final : public RowSink {
 public:
  bool begin(std::string_view table, const std::vector<std::string>& columns) override {
    table_ = table;
    columns_ = columns;
    return table != "skipped";
  }
  std::string take(TableValues row) override {
    rows += table_ + "(";
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows += (i > 0 ? "," : "") + columns_[i] + "=" + row[i].value_or("-");
    }
    rows += ")\n";
    return {};
  }
  std::string rows;

 private:
  std::string table_;
  std::vector<std::string> columns_;
};

/// What is found in the dump, in pieces of so many bytes, and what is wrong with it.
std::string rows_of(std::string_view dump, std::size_t piece = 1'000'000) {
  Written written;
  SqlRows rows(written);
  std::string problem;
  for (; !dump.empty() && problem.empty(); dump.remove_prefix(std::min(piece, dump.size()))) {
    problem = rows.feed(dump.substr(0, piece));
  }
  if (problem.empty()) problem = rows.finish();
  return written.rows + problem;
}

constexpr std::string_view kTable =
    "CREATE TABLE public.t (\n  a uuid NOT NULL,\n  \"B\" text\n);\n";

}  // namespace

TEST_CASE("dumps: rows of pg_dump, with COPY and with INSERT", "[replay][dumps]") {
  const std::string copied =
      "--\n-- PostgreSQL database dump\n--\n\n\\restrict x\nSET lock_timeout = 0;\n"
      "CREATE FUNCTION f() RETURNS text AS $fn$ SELECT 'it''s; $f$ (1)' $fn$;\n"
      "CREATE INDEX i ON public.t (a, \"B\");\n"
      "COPY public.skipped (x) FROM stdin;\nINSERT INTO t VALUES (1);\n\\.\n\n"
      "COPY public.t (a, \"B\") FROM stdin;\n"
      "1\ttab\\tline\\nslash\\\\N\n2\t\\N\n\t\\\\N\n4\t\\\\.\n\\.\n\n"
      "COPY public.empty (a) FROM stdin;\n\\.\n"
      "\\unrestrict x\n-- PostgreSQL database dump complete\n";
  const std::string expected =
      "t(a=1,B=tab\tline\nslash\\N)\nt(a=2,B=-)\nt(a=,B=\\N)\nt(a=4,B=\\.)\n";
  CHECK(rows_of(copied) == expected);
  CHECK(rows_of(std::string(kTable) +
                "INSERT INTO public.t VALUES ('1', 'it''s; -- (a, b)\nslash \\');\n"
                "INSERT INTO public.skipped VALUES ('1', '(');\n"
                "INSERT INTO public.\"t\" (\"B\") VALUES\n\t(NULL),\n\t(-1.5), (E'a\\'b'), (true),"
                " ('{}'::jsonb), (f(1, 'x'));") ==
        "t(a=1,B=it's; -- (a, b)\nslash \\)\nt(B=-)\nt(B=-1.5)\nt(B=a'b)\nt(B=true)\n"
        "t(B={})\nt(B=f)\n");
}

TEST_CASE("dumps: rows of mysqldump", "[replay][dumps]") {
  const std::string dump =
      "/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump 10.19  Distrib 10.11\n"
      "/*!40101 SET NAMES utf8mb4 */;\n"
      "DROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `a` varchar(36) NOT NULL,\n"
      "  `key` decimal(10,2) DEFAULT NULL COMMENT 'a, b',\n  PRIMARY KEY (`a`),\n"
      "  KEY `t_key` (`key`,`a`)\n) ENGINE=InnoDB;\n"
      "DELIMITER ;;\nCREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (9, 9); END ;;\nDELIMITER ;\n"
      "LOCK TABLES `t` WRITE;\n"
      "INSERT INTO `t` VALUES\n('it\\'s; \\\"a\\\\',1.50),\n('\\Z\\n',NULL),(_binary "
      "'x''y',0x1F);\n"
      "INSERT INTO `t` VALUES (1,2) ON DUPLICATE KEY UPDATE `a` = VALUES(`a`);\n"
      "UNLOCK TABLES;\n-- Dump completed on 2026-11-25\n";
  const std::string expected =
      "t(a=it's; \"a\\,key=1.50)\nt(a=\x1A\n,key=-)\nt(a=x'y,key=0x1F)\nt(a=1,key=2)\n";
  const auto piece = GENERATE(std::size_t{1}, 2, 3, 7, 64, 1'000'000);  // however it is cut
  CHECK(rows_of(dump, piece) == expected);
  auto quoted = dump;  // as with --compatible=ansi: names in double quotes
  std::replace(quoted.begin(), quoted.end(), '`', '"');
  CHECK(rows_of(quoted, piece) == expected);
}

TEST_CASE("dumps: what is cut or does not fit is told", "[replay][dumps]") {
  const std::string table(kTable);
  const auto ends_in = [](const std::string& dump, std::string_view problem) {
    return rows_of(dump).ends_with(problem);
  };
  for (const std::string_view rest :
       {"INSERT INTO t VALUES ('1', 'x", "INSERT INTO t VALUES ('1', 'x'),\n", "INSERT INTO t (a)",
        "COPY t (a) FROM stdin;\n1\n2", "COPY t (a) FROM stdin;\n1\n"}) {
    INFO(rest);
    CHECK(ends_in(table + std::string(rest),
                  "the dump ends in the middle of a statement of the table t"));
  }
  CHECK(ends_in("-- MySQL dump 10.13\n" + table + "INSERT INTO t VALUES (1, 2);\n",
                "the comment that says it is complete is missing at its end"));
  CHECK(ends_in(table + "INSERT INTO t VALUES (1);", "has 1 values, the table 2 columns"));
  CHECK(ends_in("INSERT INTO t VALUES (1);",
                "make one with its definition (without --data-only or --no-create-info)"));
  CHECK(ends_in(table + "INSERT INTO t VALUES (1, '" + std::string(300'000, 'x') + "');",
                "a value of the table t is over 256 KiB"));
  CHECK(rows_of("COPY t (a) FROM stdin;\n1\n\\.") == "t(a=1)\n");
  CHECK(rows_of("").empty());
  // Rows that nobody wants may have any size.
  CHECK(rows_of("INSERT INTO skipped VALUES ('" + std::string(5'000'000, 'x') + "');").empty());
}

TEST_CASE("dumps: files that are none are not taken for some", "[replay][dumps]") {
  for (const std::string_view line :
       {"--", "-- MySQL dump 10.13", "/*M!999999\\- enable the sandbox mode */", "/*!40101 SET",
        "INSERT INTO `t` VALUES (1)", "CREATE TABLE t (", "COPY public.t (a) FROM stdin;"}) {
    INFO(line);
    CHECK(SqlRows::fits(line));
  }
  for (const std::string_view line :
       {"- - [24/Nov/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1", "copy,of,something",
        "url,timestamp", "{\"a\":1}", "", "/index.html 2026-11-24"}) {
    INFO(line);
    CHECK_FALSE(SqlRows::fits(line));
  }
}
