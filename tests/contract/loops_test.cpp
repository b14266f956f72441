// What clips of real characters are taken for, and that the written flesh closes where it is to.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/bake/output/point_cache.h"
#include "sinew/jobs/animate_file.h"
#include "tests/base/scratch.h"
#include "tests/contract/folder.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

AnimateJob quick_job(const fs::path& character, const std::string& clip, const fs::path& output) {
  AnimateJob job;
  job.input = character;
  job.output = output;
  job.clip = clip;
  test::flesh(job.method).tetrahedra = 300;
  return job;
}

std::map<std::string, std::string> decisions(const fs::path& character) {
  std::map<std::string, std::string> decided;
  const AnimateResult result = animate_file(quick_job(character, "all", test::scratch_folder("loops") / "all.glb"));
  for (const ClipReport& clip : result.report.clips)
    decided[clip.name.substr(clip.name.find('|') + 1)] = clip.end.value().decided;
  return decided;
}

// Between the flesh's way from the rig in the first and in the last frame, as a share of the height; of where the rig
// ends as it begins.
double gap(const fs::path& character, const std::string& clip) {
  const fs::path folder = test::scratch_folder("gap");
  const AnimateResult result = animate_file(quick_job(character, clip, folder / "flesh.pc2"));
  AnimateJob rig = quick_job(character, clip, folder / "rig.pc2");
  rig.method.as<FleshMethod>().values.limit = 1e-9;
  rig.loop = Loop::off;
  animate_file(rig);
  const Track a = read_point_cache(folder / "flesh.pc2", 30), b = read_point_cache(folder / "rig.pc2", 30);
  const std::vector<Vec3> a0 = a.positions_at(a.start), a1 = a.positions_at(a.end);
  const std::vector<Vec3> b0 = b.positions_at(b.start), b1 = b.positions_at(b.end);
  double most = 0;
  for (std::size_t v = 0; v < a0.size(); ++v) most = std::max(most, distance(a1[v] - b1[v], a0[v] - b0[v]));
  return most / result.report.height;
}

TEST(Loops, OfTheSamplesAreFound) {
  const fs::path samples = fs::path(SINEW_SOURCE_DIR) / "samples";
  const std::map<std::string, std::string> elephant{
      {"walk", "loops"}, {"trunk_swing", "comes to rest"}, {"jump", "comes to rest"}};
  EXPECT_EQ(decisions(samples / "elephant.glb"), elephant);
  const std::map<std::string, std::string> tube{
      {"bend_90", "ends elsewhere"}, {"bend_135", "ends elsewhere"}, {"shake", "comes to rest"}};
  EXPECT_EQ(decisions(samples / "tube.glb"), tube);
  EXPECT_LT(gap(samples / "elephant.glb", "walk"), 1e-3);
  EXPECT_LT(gap(samples / "elephant.glb", "trunk_swing"), 1e-3);
}

// Names only tell this test what to expect; nothing else looks at them.
TEST(Loops, OfACharacterThatNobodyTuned) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path wolf = characters / "more" / "animals_pack_wolf.glb";
  if (!fs::exists(wolf)) {
    std::cout << "Not tested: there is no " << wolf << ".\n";
    return;
  }
  const std::map<std::string, std::string> expected{{"Walk", "loops"},
                                                    {"Gallop", "loops"},
                                                    {"Idle_HitReact_Left", "comes to rest"},
                                                    {"Death", "ends elsewhere"},
                                                    {"Jump_ToIdle", "ends elsewhere"}};
  const fs::path cache = test::scratch_folder("loops") / "clip.pc2";
  for (const auto& [clip, decided] : expected) {
    const AnimateResult result = animate_file(quick_job(wolf, "AnimalArmature|" + clip, cache));
    EXPECT_EQ(result.report.clips.at(0).end.value().decided, decided) << clip;
  }
  EXPECT_LT(gap(wolf, "AnimalArmature|Idle_HitReact_Left"), 1e-3);
}

}  // namespace
}  // namespace sinew
