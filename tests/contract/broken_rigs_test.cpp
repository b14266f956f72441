// Rigs that are broken in ways that a reader can see but not repair: refused with the sentence that `check`
// has for them, or worked with, without a number going astray.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "folder.h"
#include "glb.h"
#include "sinew/base/error.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class BrokenRigs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::scratch_folder(testing::UnitTest::GetInstance()->current_test_info()->name());
  }

  // The tube with every number of one joint's inverse bind matrix multiplied by `factor`, but for the last column.
  fs::path tube_with_bind(std::size_t joint, float factor) const {
    const GltfDocument document = read_gltf_document(tube_);
    std::vector<std::byte> binary = document.buffers[0];
    const nlohmann::json& json = *document.json;
    const nlohmann::json& accessor = json["accessors"][json["skins"][0]["inverseBindMatrices"].get<std::size_t>()];
    const nlohmann::json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t offset =
        view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0}) + 64 * joint;
    for (std::size_t k = 0; k < 12; ++k) {
      float number = 0;
      std::memcpy(&number, binary.data() + offset + 4 * k, 4);
      number *= factor;
      std::memcpy(binary.data() + offset + 4 * k, &number, 4);
    }
    const fs::path path = folder_ / "tube.glb";
    test::write_glb(path, json, std::move(binary));
    return path;
  }

  fs::path tube_with_scale(std::size_t joint, double x, double y, double z) const {
    const GltfDocument document = read_gltf_document(tube_);
    nlohmann::json json = *document.json;
    json["nodes"][json["skins"][0]["joints"][joint].get<std::size_t>()]["scale"] = {x, y, z};
    const fs::path path = folder_ / "tube.glb";
    test::write_glb(path, json, document.buffers[0]);
    return path;
  }

  // By both methods, under both references, and in both forms of output, all that comes out is finite and near the rig;
  // by mixed elements, which do not start from the rig's surface, only where that is whole.
  void expect_animated(const fs::path& input, bool rig_is_whole) const {
    AnimateJob job;
    job.input = input;
    job.clip = "shake";
    test::flesh(job.method).tetrahedra = 200;
    for (const Reference reference : {Reference::rig, Reference::elastic}) {
      test::flesh(job.method).reference = reference;
      expect_near_rig(job, 0.6);
    }
    job.method = MixedMethod();
    test::mixed(job.method).tetrahedra = 200;
    for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated}) {
      test::mixed(job.method).material = material;
      expect_near_rig(job, rig_is_whole ? 0.6 : HUGE_VAL);
    }
  }

  // `most`: as a share of the height.
  void expect_near_rig(AnimateJob job, double most) const {
    for (const char* name : {"flesh.mdd", "flesh.glb"}) {
      SCOPED_TRACE(std::string(job.method->name()) + " " + name);
      job.output = folder_ / name;
      ASSERT_NO_THROW(animate_file(job));
      TrackOptions shake;
      shake.clip = "shake";
      const Track rig = read_track(job.input, shake), flesh = read_track(job.output, shake);
      const TrackDifference difference = compare(rig, flesh, common_times(rig, flesh, 30));
      ASSERT_TRUE(std::isfinite(difference.rms));
      EXPECT_LT(difference.max, most * difference.height);
    }
  }

  const fs::path tube_ = fs::path(SINEW_SOURCE_DIR) / "samples/tube.glb";
  fs::path folder_;
};

TEST_F(BrokenRigs, BindsThatAreNoNumbersAreRefusedAsByCheck) {
  const fs::path path = tube_with_bind(1, std::numeric_limits<float>::quiet_NaN());
  std::string expected;
  try {
    refuse_fatal(path.string(), find_defects(read_character(path)));
  } catch (const Error& error) {
    expected = error.what();
  }
  AnimateJob job;
  job.input = path;
  job.output = folder_ / "flesh.glb";
  try {
    animate_file(job);
    FAIL() << "a bind that is not a number was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.what(), expected);
    EXPECT_TRUE(std::string(error.what()).starts_with(path.string())) << error.what();
  }
  EXPECT_FALSE(fs::exists(job.output));
}

TEST_F(BrokenRigs, SingularBindsGetNoBone) {
  for (const std::size_t joint : {0u, 1u}) {
    SCOPED_TRACE(joint);
    expect_animated(tube_with_bind(joint, 0.0f), false);
  }
}

TEST_F(BrokenRigs, FlatAndMirroredJoints) {
  {
    SCOPED_TRACE("mirrored");
    expect_animated(tube_with_scale(1, -1, 1, 1), true);
  }
  {
    SCOPED_TRACE("flat");
    expect_animated(tube_with_scale(1, 1, 1, 0), true);
  }
  {
    SCOPED_TRACE("a point");
    expect_animated(tube_with_scale(1, 0, 0, 0), true);
  }
}

}  // namespace
}  // namespace sinew
