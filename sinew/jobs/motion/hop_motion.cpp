#include "sinew/jobs/motion/hop_motion.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/output_place.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/reference_motion.h"
#include "sinew/dynamics/units.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/links_clip.h"

namespace sinew {
namespace {

// Mean height that the upward velocities at the beginnings of flights lead to.
double mean_rise(const std::vector<double>& leaves_with) {
  double sum = 0;
  for (const double velocity : leaves_with) sum += velocity * velocity / (2 * standard_gravity);
  return leaves_with.empty() ? 0 : sum / static_cast<double>(leaves_with.size());
}

}  // namespace

HopReport hop_motion(const HopMotionJob& job, const Progress& progress) {
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  const CharacterBody found = character_body(character, read_humanoid(*opened.document));
  const CharacterLinks links = character_links(character, simulation_surface(character), found.bones,
                                               sample(character.skeleton, nullptr, 0), flesh_density);
  const Clip still{"stand", {}, 0, 0, {}};
  const ReferenceMotion motion(character, still, false, links);
  ReferenceState standing;
  motion.at(0, standing);
  if (const std::string why = why_it_cannot_walk(links, standing.pose); !why.empty())
    throw usage_error(character.file + " " + why);

  HoppingOptions options = job.options;
  options.ground = motion.ground();
  const Stopwatch watch;
  const Hopping hopping = hop_along(links, hopping_body(links, standing.pose), options, progress);
  HopReport report;
  report.seconds = hopping.times.back();
  report.times_real_time = report.seconds / std::max(watch.seconds(), 1e-9);
  report.mass = total_mass(links.body);
  report.hops = hopping.phases.hops;
  report.height = mean_rise(hopping.phases.leaves_with);
  report.speed = hopping.speed;
  report.aside = hopping.aside;
  report.fell = hopping.fell;
  Clip clip = clip_of_links(character, links.body, nullptr, false, hopping.times, hopping.poses,
                            unused_clip_name(character, job.name.empty() ? "hop" : job.name));
  report.clip = clip.name;
  append_clip(opened, std::move(clip));
  GltfEdit edit(*opened.document);
  write_gltf_files(edit, job.output);
  return report;
}

}  // namespace sinew
