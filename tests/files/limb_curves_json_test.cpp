// Files of curves along limbs: they read back as written, and sentences say what is wrong.
#include "sinew/files/limb_curves_json.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

TEST(LimbCurvesFile, ReadsBackAsWritten) {
  const std::string text =
      R"({"curves":[{"field":"stiffness","from":"hip","to":"foot","keys":[[0.0,0.5],[0.4,1.25,2.0],[1.0,3.0,0.0,-1.0]]},{"field":"alpha_factor","from":"hip","to":"hip","keys":[[0.5,2.0]]}]})";
  const std::vector<LimbCurve> curves = limb_curves_from_json(text, "along.json");
  EXPECT_EQ(limb_curves_json(curves), text);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].keys[1].out, 2);
  EXPECT_EQ(curves[0].keys[2].out, -1);
  EXPECT_EQ(curves[0].keys[0].in, std::nullopt);
  EXPECT_EQ(limb_curves_json({}), "");
  EXPECT_TRUE(limb_curves_of_setting("").empty());
  EXPECT_EQ(limb_curves_of_setting(text), curves);
  EXPECT_EQ(limb_curves_file(text), "along");
  EXPECT_EQ(limb_curves_file("legs.json"), "legs.json");
}

TEST(LimbCurvesFile, WhatIsWrongIsASentence) {
  const auto complaint = [](const std::string& curve) {
    return test::refusal(ErrorKind::input,
                         [&] { limb_curves_from_json(R"({"curves": [)" + curve + "]}", "along.json"); });
  };
  const auto with_keys = [](const std::string& keys) {
    return R"({"field": "stiffness", "from": "a", "to": "b", "keys": )" + keys + "}";
  };
  const std::string where = "along.json: curves[0]: ";
  EXPECT_EQ(complaint(R"({"field": "alpha", "from": "a", "to": "b", "keys": [[0, 1]]})"),
            where +
                "'field' must be one of stiffness, damping, rigid, density, poisson, give, region_1, region_2, "
                "region_3, region_4, "
                "alpha_factor, beta_factor, gamma_factor, lambda_factor and delta_factor.");
  EXPECT_EQ(complaint(with_keys("[[0.5, 1], [0.5, 2]]")),
            where + "'keys' key 2 at 0.5 does not come after the one before it; sort the keys by their distances.");
  EXPECT_EQ(complaint(with_keys("[[0, 1], [1.5, 2]]")),
            where + "'keys' key 2 is at 1.5, but the distance is from 0, the chain's root, to 1, its tip.");
  EXPECT_EQ(complaint(with_keys("[[0, 0]]")),
            where + "'keys' key 1 has the value 0, but stiffness is from 0.01 to 100.");
  EXPECT_EQ(complaint(with_keys("[[0]]")),
            where +
                "'keys' key 1 must be [distance, value], [distance, value, slope] or [distance, value, slope before, "
                "slope after].");
  EXPECT_EQ(complaint(R"({"field": "stiffness", "to": "b", "keys": [[0, 1]]})"),
            where + "'from' must name the first bone of the chain.");
  EXPECT_EQ(complaint(R"({"field": "stiffness", "from": "a", "to": "", "keys": [[0, 1]]})"),
            where + "'to' must name the last bone of the chain.");
  for (const char* bad :
       {"[]", "3", "[[0, \"1\"]]", "[[0, 1e999]]", "[[0, 1, 1e7]]", "[[0, 1, 0, 0, 0]]", "[[null, 1]]"})
    EXPECT_NE(complaint(with_keys(bad)), "") << bad;
  EXPECT_NE(complaint(R"({"field": "stiffness", "from": "a", "to": "b", "keys": [[0, 1]], "more": 1})"), "");
  EXPECT_NE(complaint(R"({"field": 3, "from": "a", "to": "b", "keys": [[0, 1]]})"), "");
  EXPECT_NE(complaint("3"), "");
  for (const char* bad : {"{}", "[]", R"({"curves": 3})", R"({"curves": [], "more": 1})", "{"})
    EXPECT_NE(test::refusal(ErrorKind::input, [&] { limb_curves_from_json(bad, "along.json"); }), "") << bad;
}

}  // namespace
}  // namespace sinew
