// Tables of measured numbers as text and as JSON.
#include "studies/common/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "studies/common/table_json.h"

namespace sinew {
namespace {

TEST(Table, IsMarkdown) {
  const Table table{"t", "T", {{"what"}, {"µ", 1}}, {{"first", 1.25}, {"2", -0.04}, {"third", std::nan("")}}};
  EXPECT_EQ(markdown(table),
            "| what  |   µ |\n"
            "|-------|----:|\n"
            "| first | 1.2 |\n"
            "| 2     | 0.0 |\n"
            "| third |   - |\n");
}

TEST(Table, RefusesRowsOfAnotherLength) { EXPECT_THROW(markdown({"t", "T", {{"what"}}, {{"a", "b"}}}), Error); }

TEST(TableJson, HasRowsByTheirColumns) {
  const Table table{"t", "T", {{"what"}, {"x", 1}}, {{"a", 1.25}, {"b", std::nan("")}}};
  const auto json = nlohmann::json::parse(tables_json({&table, 1}));
  EXPECT_EQ(json.at("t").at("title"), "T");
  EXPECT_EQ(json.at("t").at("rows")[0].at("x"), 1.25);
  EXPECT_TRUE(json.at("t").at("rows")[1].at("x").is_null());
}

}  // namespace
}  // namespace sinew
