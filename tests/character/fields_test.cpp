// The table of painted fields: its rows make sense, and every row is documented.
#include "sinew/character/fields.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "sinew/base/file.h"

namespace sinew {
namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

TEST(PaintedFields, RowsAreToldApartAndHaveARange) {
  std::set<std::string> names, attributes;
  for (const PaintedField& row : painted_fields) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(attributes.insert(row.attribute).second) << row.attribute;
    EXPECT_TRUE(std::string(row.attribute).starts_with("_SINEW_")) << row.attribute;
    EXPECT_LT(row.least, row.most) << row.name;
    EXPECT_LE(row.neutral, row.most) << row.name;
    EXPECT_TRUE(is_neutral(row, row.neutral)) << row.name;
    EXPECT_FALSE(is_neutral(row, row.most)) << row.name;
    const bool region = std::string(row.name).starts_with("region_");  // unpainted it has no share, whatever is set
    EXPECT_EQ(row.takes_setting(), row.kind == FieldKind::replaces && !region) << row.name;
    EXPECT_EQ(find_field(row.name), static_cast<std::size_t>(&row - painted_fields.data()));
  }
  EXPECT_EQ(find_field("blue"), painted_fields.size());
}

TEST(PaintedFields, EveryRowIsDocumented) {
  const std::string page = read_text_file(std::string(SINEW_SOURCE_DIR) + "/docs/settings.md");
  for (const PaintedField& row : painted_fields) {
    const std::string line = "| " + std::string(row.title) + " | `" + row.name + "` | `" + row.attribute + "` | " +
                             number(row.least) + " to " + number(row.most) + " | ";
    EXPECT_NE(page.find(line), std::string::npos) << line;
    EXPECT_NE(page.find(row.effect), std::string::npos) << row.effect;
  }
}

}  // namespace
}  // namespace sinew
