#include "studio/server/studio_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace sinew;
using namespace sinew::studio;

// The member of a load with this key.
PageJson member_of(const PageJson& load, const std::string& key) {
  const auto found = std::find_if(load["members"].begin(), load["members"].end(),
                                  [&](const PageJson& member) { return member["key"] == key; });
  return found == load["members"].end() ? PageJson() : *found;
}

TEST(StudioState, PagesGetTheTableOfLoads) {
  const PageJson loads = loads_state();
  ASSERT_EQ(loads.size(), 1u);  // what acts otherwise has commands of its own
  const PageJson& poke = loads[0];
  EXPECT_EQ(poke["name"], "poke");
  EXPECT_EQ(poke["needs"], "pokes");
  EXPECT_EQ(poke["tools"][0]["name"], "poke");
  EXPECT_FALSE(poke["tools"][0]["continuous"]);
  EXPECT_EQ(poke["tools"][1]["name"], "push");
  EXPECT_TRUE(poke["tools"][1]["continuous"]);
  EXPECT_EQ(member_of(poke, "at")["kind"], "point");
  EXPECT_EQ(member_of(poke, "force")["kind"], "vector");
  EXPECT_EQ(member_of(poke, "force")["unit"], "N");
  EXPECT_EQ(member_of(poke, "radius")["least"], 0);
  EXPECT_EQ(member_of(poke, "seconds")["default"], 0.08);
}

// A load that the library does not have, as one more row of the table, is all that pages need for its tool.
TEST(StudioState, ALoadIsARow) {
  std::vector<ActionKind> kinds(action_kinds().begin(), action_kinds().end());
  kinds.push_back({static_cast<Action::Kind>(77),
                   "wind",
                   &Capabilities::gravity,
                   {{.key = "point", .value = &Action::point},
                    {.key = "force", .value = &Action::force, .help = "Of the wind", .unit = units::newtons},
                    {.key = "radius",
                     .value = &Action::radius,
                     .help = "Of the gust",
                     .range = between(0.5, 4),
                     .unit = units::metres,
                     .example = "1.5"}},
                   [](const Action& a) {
                     return Load{a.point, a.force};
                   },
                   {{"blow", "Press on the flesh.", true}}});
  const PageJson loads = loads_state(kinds);
  ASSERT_EQ(loads.size(), loads_state().size() + 1);
  const PageJson& wind = loads.back();
  EXPECT_EQ(wind["name"], "wind");
  EXPECT_EQ(wind["needs"], "gravity");
  EXPECT_EQ(wind["tools"], (PageJson{{{"name", "blow"}, {"hint", "Press on the flesh."}, {"continuous", true}}}));
  ASSERT_EQ(wind["members"].size(), 3u);
  EXPECT_EQ(member_of(wind, "force")["help"], "Of the wind");
  const PageJson radius = member_of(wind, "radius");
  EXPECT_EQ(radius["kind"], "number");
  EXPECT_EQ(radius["least"], 0.5);
  EXPECT_EQ(radius["most"], 4);
  EXPECT_EQ(radius["unit"], "m");
  EXPECT_EQ(radius["default"], 1.5);
}

}  // namespace
