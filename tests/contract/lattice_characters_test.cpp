// One command, any character, in a control lattice that is built for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "characters.h"
#include "folder.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/files/lattice_files.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

using test::has_skinned_triangles;
using test::largest_displacement;

void animate_in_lattice(const fs::path& path, const fs::path& folder) {
  const Character character = open_any_character(path).character;
  if (!has_skinned_triangles(character)) return;  // characters_test.cpp sees to these
  AnimateJob job;
  job.input = path;
  job.output = folder / "flesh.mdd";
  test::flesh(job.method).tetrahedra = 1500;
  // What --lattice auto builds, once for both.
  test::flesh(job.method).lattice.file = (folder / "lattice.json").string();
  ASSERT_NO_THROW(write_lattice(test::flesh(job.method).lattice.file,
                                build_lattice(character, simulation_surface(character), {200}).lattice));
  const double start = character.clips.empty() ? 0 : character.clips.front().start;
  if (!character.clips.empty() && character.clips.front().end - start > 0.3) {
    job.begin = start;
    job.end = start + 0.3;
  }
  std::vector<FrameReport> rig;
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    SCOPED_TRACE(reference == Reference::rig ? "rig" : "elastic");
    test::flesh(job.method).reference = reference;
    AnimateResult result;
    ASSERT_NO_THROW(result = animate_file(job));
    ASSERT_FALSE(result.report.clips.empty());
    const std::vector<FrameReport>& frames = result.report.clips[0].frames;
    if (reference == Reference::rig) rig = frames;
    ASSERT_EQ(frames.size(), rig.size());
    for (std::size_t f = 0; f < frames.size(); ++f) {
      ASSERT_TRUE(std::isfinite(frames[f].energy));
      // Rigs may scale the body, not turn it inside out, and where they scale single bones, a thousandfold to hide or
      // show what hangs there, elasticity goes along.
      EXPECT_GT(frames[f].volume_ratio, 0.05) << frames[f].time;
      EXPECT_GT(frames[f].volume_ratio, 0.5 * rig[f].volume_ratio) << frames[f].time;
    }
    // Reading a cache refuses positions that are not finite.
    const double moved = largest_displacement(path, job.output);
    EXPECT_LT(moved, 0.5);
    std::cout << path.filename().string() << (reference == Reference::rig ? " rig " : " elastic ") << moved
              << std::endl;
  }
}

TEST(LatticeCharacters, EveryOneIsAnimatedUnderBothReferences) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("lattice_characters");
  int animated = 0;
  for (const char* set : {"gltf", "vrm", "derived"})
    for (const fs::path& path : test::gltf_files_below(characters / set)) {
      SCOPED_TRACE(path.string());
      animate_in_lattice(path, folder);
      ++animated;
    }
  EXPECT_GT(animated, 35);
}

}  // namespace
}  // namespace sinew
