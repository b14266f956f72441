#include "sinew/jobs/motion/flight/fly_motion.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/output_place.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/links_clip.h"

namespace sinew {
namespace {

constexpr int least_flight_tries = 28;
constexpr double searched_seconds = 7;  // length of a flight that is tried, at most

void check_job(const FlyMotionJob& job) {
  if (job.tries > 0 && job.tries < least_flight_tries)
    throw usage_error("--tries: a search takes at least " + std::to_string(least_flight_tries) +
                      " tries; give it more, or 0 for the usual stroke.");
  for (std::size_t k = 1; k < job.goals.size(); ++k)
    if (!(job.goals[k].time > job.goals[k - 1].time))
      throw usage_error("--goals: times must ascend, as in 1:0:0,4:2:90.");
}

}  // namespace

FlyReport fly_motion(const FlyMotionJob& job, const Progress& progress) {
  check_job(job);
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  // Bones of a body do not matter: every joint with flesh is a link.
  const Pose rest = sample(character.skeleton, nullptr, 0);
  CharacterLinks links = character_links(character, surface, BodyBones{}, rest, flesh_density);
  const Flyer flyer = make_flyer(character, surface, std::move(links), job.speed, job.mass.value_or(0));

  FlightOptions options;
  options.speed = job.speed;
  constexpr double usual_seconds = 10, after_last = 3;
  options.seconds = job.seconds > 0     ? job.seconds
                    : job.goals.empty() ? usual_seconds
                                        : std::max(usual_seconds, job.goals.back().time + after_last);
  options.frames_per_second = job.frames_per_second;
  Stroke stroke = usual_stroke(flyer, job.speed);
  FlyReport report;
  if (job.tries > 0) {
    FlightOptions tried = options;
    tried.seconds = std::min(tried.seconds, searched_seconds);
    const FoundStroke found = find_stroke(flyer, stroke, tried, job.tries, 1, progress);
    stroke = found.stroke;
    report.tries = found.tries;
  }
  options.goals = job.goals;
  report_or_stop(progress, "writing " + job.output.filename().string(), 0.95);
  report.flight = fly(flyer, stroke, options);
  report.stroke = stroke;
  report.span = flyer.wings.span;
  report.area = flyer.wings.area;
  report.mass = flyer.mass;
  report.strips = static_cast<int>(flyer.strips.size());
  report.links = static_cast<int>(flyer.links.body.size());
  // Flights begin at the origin, and clips where the character stands.
  const Vec3 start = pose_of_links(flyer.links.body, rest, character.metres_per_unit).root;
  for (TreePose& pose : report.flight.poses) pose.root += start;
  Clip clip = clip_of_links(character, flyer.links.body, nullptr, false, report.flight.times, report.flight.poses,
                            unused_clip_name(character, job.name.empty() ? "fly" : job.name));
  report.clip = clip.name;
  report.seconds = clip.end;
  write_with_clip(opened, std::move(clip), job.output);
  return report;
}

}  // namespace sinew
