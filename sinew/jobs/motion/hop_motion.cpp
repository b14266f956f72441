#include "sinew/jobs/motion/hop_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/output_place.h"
#include "sinew/base/stopwatch.h"
#include "sinew/dynamics/units.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/links_clip.h"
#include "sinew/jobs/motion/standing_links.h"

namespace sinew {
namespace {

// Mean height that the upward velocities at the beginnings of flights lead to.
double mean_rise(const std::vector<double>& leaves_with) {
  double sum = 0;
  for (const double velocity : leaves_with) sum += std::pow(std::max(velocity, 0.0), 2) / (2 * standard_gravity);
  return leaves_with.empty() ? 0 : sum / static_cast<double>(leaves_with.size());
}

}  // namespace

HopReport hop_motion(const HopMotionJob& job, const Progress& progress) {
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  const StandingLinks standing = standing_links(opened);
  const CharacterLinks& links = standing.links;
  HoppingOptions options = job.options;
  options.ground = standing.ground;
  const HoppingBody body = hopping_body(links, standing.pose);
  const Hop hop = find_hop(body, options, job.tries, progress);
  const Stopwatch watch;
  const Hopping hopping = hop_along(links, body, hop, options, progress);
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
  write_with_clip(opened, std::move(clip), job.output);
  return report;
}

}  // namespace sinew
