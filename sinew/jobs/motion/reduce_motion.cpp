#include "sinew/jobs/motion/reduce_motion.h"

#include <array>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/write/drop_lost_keys.h"
#include "sinew/gltf/write/replace_motion.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/kinematics/reduce_keys.h"

namespace sinew {
namespace {

std::vector<int> chosen_clips(const Character& character, const std::vector<std::string>& names) {
  std::vector<int> chosen(character.clips.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  if (names.empty()) return chosen;
  chosen.clear();
  for (const std::string& name : names) chosen.push_back(choose_clip(character, checked_clip(name)));
  return chosen;
}

// A clip of the channels that lost keys; the file's own stay in place of the others.
Clip thinned_channels(const Clip& clip, const Clip& reduced) {
  Clip thinned = reduced;
  thinned.channels.clear();
  for (std::size_t c = 0; c < clip.channels.size(); ++c)
    if (reduced.channels[c].times.size() < clip.channels[c].times.size())
      thinned.channels.push_back(reduced.channels[c]);
  return thinned;
}

}  // namespace

std::vector<ReducedClip> reduce_motion(const ReduceMotionJob& job) {
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  if (character.clips.empty()) throw input_error(character.file + ": has no clip whose keys could be thinned out.");
  const double height = standing_height(simulation_surface(character)) / character.metres_per_unit;
  std::vector<ReducedClip> report;
  const GltfDocument before = copy_of(*opened.document);
  for (const int k : chosen_clips(character, job.clips)) {
    const Clip& clip = character.clips[index(k)];
    const ReducedKeys reduced = reduce_keys(character.skeleton, clip, job.within * height);
    opened.document = with_motion_of(*opened.document, k, thinned_channels(clip, reduced.clip), reduced.joints);
    report.push_back({clip.name, reduced.before, reduced.after, reduced.farthest / height});
  }
  const GltfDocument small = without_lost_keys(*opened.document, before);
  GltfEdit edit(small);
  write_gltf_files(edit, job.output);
  return report;
}

}  // namespace sinew
