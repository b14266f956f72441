// Damping is a property of the material, not of the step: the tube rings down alike at half the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sinew/jobs/open_character.h"
#include "tests/bake/bake_cooked.h"

namespace sinew {
namespace {

// When the clip's last motion ends: from then on its pose stays.
double motion_ends(const Character& character, const Clip& clip) {
  const Pose last = sample(character.skeleton, &clip, clip.end);
  for (double t = clip.end; t > clip.start; t -= 1.0 / 240)
    if (sample(character.skeleton, &clip, t).world != last.world) return t;
  return clip.start;
}

// Seconds from the end of the clip's motion until no vertex is displaced by more than a tenth of the largest
// displacement until then.
double ring_down(const Character& character, int clip, FleshSettings settings, double step) {
  settings.step = step;
  BakeOptions options;
  options.clip = clip;
  options.frames_per_second = 240;
  const double end = motion_ends(character, character.clips[static_cast<std::size_t>(clip)]);
  options.end = end + 6;  // the last pose holds
  const BakeResult result = test::bake_flesh(character, prepare_flesh(character, settings), settings, options);
  const PartRecording& part = result.recording.parts.at(0);
  const auto width = 3 * static_cast<std::size_t>(part.vertices);
  double largest = 0, last_above = 0;
  for (std::size_t frame = 0; frame < result.recording.times.size(); ++frame) {
    double most = 0;
    for (std::size_t k = 0; k < width; k += 3)
      most = std::max(most, static_cast<double>(std::hypot(part.displacement[frame * width + k],
                                                           part.displacement[frame * width + k + 1],
                                                           part.displacement[frame * width + k + 2])));
    if (result.recording.times[frame] <= end) largest = std::max(largest, most);
    if (most > 0.1 * largest) last_above = result.recording.times[frame];
  }
  EXPECT_LT(last_above, *options.end - 0.1) << "still ringing at the end";

  return last_above - end;
}

TEST(AnimateRingDown, OfTheTubeDoesNotDependOnTheStep) {
  const Character character =
      open_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "tube.glb").character;
  int clip = -1;
  for (std::size_t c = 0; c < character.clips.size(); ++c)
    if (character.clips[c].name == "shake") clip = static_cast<int>(c);
  ASSERT_GE(clip, 0);
  for (Reference reference : {Reference::rig, Reference::elastic}) {
    FleshSettings settings;
    settings.tetrahedra = 1000;
    settings.reference = reference;
    settings.damping = 0.08;  // rings for several periods
    const double coarse = ring_down(character, clip, settings, 1.0 / 240),
                 fine = ring_down(character, clip, settings, 1.0 / 480);
    std::cout << "ring-down " << coarse << " s at 1/240, " << fine << " s at 1/480\n";
    EXPECT_GT(fine, 0.5);
    EXPECT_NEAR(coarse, fine, 0.05 * fine);
  }
}

}  // namespace
}  // namespace sinew
