#include "cli/replay/tables/sql_rows.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace analytics::test::sql_rows_test {

using namespace analytics::cli;

namespace {

/// A sink that writes rows as "table(column=value,…)", with "-" for NULL.
class Written final : public RowSink {
 public:
  [[nodiscard]] bool knows(std::string_view table) const override { return table != "skipped"; }
  [[nodiscard]] bool must_be_one(std::string_view table) const override { return table == "t"; }
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

/// Reads the dump in pieces of `piece` bytes. Returns its rows as text, followed by the error
/// message, if any.
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

TEST_CASE("dumps: rows of pg_dump are read, with COPY and with INSERT", "[replay][dumps]") {
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

TEST_CASE("dumps: rows of mysqldump are read", "[replay][dumps]") {
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
  // Size of the pieces in bytes.
  const auto piece = GENERATE(std::size_t{1}, 2, 3, 7, 64, 1'000'000);
  CHECK(rows_of(dump, piece) == expected);
  auto quoted = dump;  // mysqldump --compatible=ansi quotes names like this
  std::replace(quoted.begin(), quoted.end(), '`', '"');
  CHECK(rows_of(quoted, piece) == expected);
}

TEST_CASE("dumps: rows of a wanted table that cannot be read are reported", "[replay][dumps]") {
  const auto ends_in = [](const std::string& dump, std::string_view problem) {
    INFO(rows_of(dump));
    return rows_of(dump).ends_with(problem);
  };
  CHECK(
      rows_of("# it's\nINSERT DELAYED INTO t (a) VALUE ('1');\nINSERT INTO t (a) VALUES ROW(2);") ==
      "t(a=1)\nt(a=2)\n");
  for (const std::string_view statement :
       {"INSERT INTO t SET a = 1;", "INSERT INTO t (a) SELECT 1;",
        "COPY t (a) FROM stdin WITH (FORMAT csv);"}) {
    CHECK(ends_in(std::string(statement), "t has a form that is not read"));
  }
  CHECK(rows_of("INSERT INTO skipped SELECT 1;").empty());
  // Two schemas may have tables of the same name, each with its own columns. A table that replay
  // needs may be in one schema only.
  CHECK(rows_of("CREATE TABLE a.s (x int);\nCREATE TABLE b.s (y int);\n"
                "INSERT INTO a.s VALUES (1);\nINSERT INTO b.s VALUES (2);") == "s(x=1)\ns(y=2)\n");
  CHECK(ends_in("INSERT INTO a.t (x) VALUES (1);\nINSERT INTO b.t (x) VALUES (1);",
                "there are rows of a.t and of b.t: dump one database or schema alone"));
  CHECK(ends_in("CREATE TABLE t (x int);\nCREATE TABLE t (x int);", "schema alone"));
}

TEST_CASE("dumps: comments at the beginning determine the escapes of texts", "[replay][dumps]") {
  const auto piece = GENERATE(std::size_t{1}, 4, 1'000'000);
  const std::string insert = "INSERT INTO \"t\" (a) VALUES ('/it\\'s'), ('b');\n";
  CHECK(rows_of("/*!40101 SET x */;\n" + insert, piece) == "t(a=/it's)\nt(a=b)\n");
  CHECK(rows_of("\xEF\xBB\xBF-- a\nINSERT INTO t (a) VALUES (1);", piece) == "t(a=1)\n");
  CHECK(rows_of("\xEF\xBB\xBFINSERT INTO t (a) VALUES (1);", piece) == "t(a=1)\n");
  // A dump of PostgreSQL after one of MySQL is read by PostgreSQL's rules.
  CHECK(rows_of("-- MySQL dump 10\n-- Dump completed\n-- PostgreSQL database dump\n"
                "INSERT INTO t (a) VALUES ('a\\nb');\n-- PostgreSQL database dump complete",
                piece) == "t(a=a\\nb)\n");
}

TEST_CASE("dumps: truncated dumps and rows that do not match are reported", "[replay][dumps]") {
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
  // Rows of skipped tables may have any size.
  CHECK(rows_of("INSERT INTO skipped VALUES ('" + std::string(5'000'000, 'x') + "');").empty());
}

TEST_CASE("dumps: other files are not read as dumps", "[replay][dumps]") {
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

}  // namespace analytics::test::sql_rows_test
