#include "sinew/jobs/shape_file.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

AddShapeJob on_sumo(const std::filesystem::path& rigs) {
  AddShapeJob job;
  job.input = std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb";
  job.rigs = rigs;
  job.flesh.tetrahedra = 1500;
  return job;
}

TEST(ShapeFileJob, PresetsAndTemplatesAreAddedAndListed) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob job = on_sumo(rigs);
  job.preset = "breathing";
  add_shape(job);
  job = on_sumo(rigs);
  job.name = "flex";
  job.kind = "bulge";
  job.guide = guide_from("bone:upper_arm_l");
  job.controls = {"forearm_l"};
  job.at = {{0}, {90}};
  job.amplitudes = {0, -4000};
  job.parameters = {{"radius", {0.15}}, {"slide", {0.4, 0.6}}};
  add_shape(job);
  job.amplitudes = {0, -5000};
  add_shape(job);  // in place of the one before
  const ShapeFile file = read_shapes(rigs);
  ASSERT_EQ(file.rigs.size(), 2u);
  EXPECT_EQ(file.controls[0].name, "breathe");
  EXPECT_EQ(file.rigs[1].samples[1].eta, (std::vector<double>{-5000, 0.15, 0.6, 0, 0, 0}));
  EXPECT_EQ(list_shapes(rigs).size(), 4u);
}

TEST(ShapeFileJob, WrongRequestsAreSaidAndLeaveNoFile) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob job = on_sumo(rigs);
  EXPECT_THROW(add_shape(job), Error);  // no name
  job.name = "far";
  job.kind = "bump";
  job.guide = guide_from("free");
  job.controls = {"push"};
  job.at = {{1}};
  job.amplitudes = {0.01};
  job.by_displacement = true;
  job.parameters = {{"x", {9}}};
  try {
    add_shape(job);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rig 'far': its force does not move the skin"), std::string::npos)
        << error.what();
  }
  job.parameters = {{"slide", {1}}};
  EXPECT_THROW(add_shape(job), Error);
  EXPECT_FALSE(std::filesystem::exists(rigs));
  for (const char* wrong : {"bone:", "skin:1,2", "skin:1,2,3x", "skin:nan,0,0", "chest"})
    EXPECT_THROW(guide_from(wrong), Error) << wrong;
}

}  // namespace
}  // namespace sinew
