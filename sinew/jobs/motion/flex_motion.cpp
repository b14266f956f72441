#include "sinew/jobs/motion/flex_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/number_text.h"
#include "sinew/base/output_place.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cook/muscles/auto_muscles.h"
#include "sinew/cook/muscles/muscle_lever.h"
#include "sinew/dynamics/joint_drives.h"
#include "sinew/dynamics/joint_efforts.h"
#include "sinew/dynamics/reference_motion.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/jobs/motion/activation_curves.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr double nerves = 0.04;          // seconds in which muscles follow what drives them
constexpr int samples_between_keys = 4;  // keys at 30 a second
constexpr double usual_share = 0.98;     // of a clip's torques, at most the one at which muscles are fully active
constexpr double ground_share = 0.02;    // height in which a sole's hold fades, of the centre of mass's height

MuscleFile muscles_of(const FlexMotionJob& job, const Character& character, const SimulationSurface& surface) {
  if (job.muscles != auto_muscles) return muscles_of_setting(job.muscles);
  MuscleFile found = find_muscles(surface);
  found.file = "muscles";
  if (found.muscles.empty())
    throw usage_error("--muscles: " + character.file +
                      " has no arms, legs or neck that names of bones would show; describe its muscles in a file.");
  return found;
}

// A muscle and what it has to do.
struct WorkingMuscle {
  std::string name;
  MuscleLever lever;
  std::size_t link = 0;        // that turns
  double holds = 0;            // torque that holds its limb out level, newton metres
  std::vector<double> torque;  // per sample, newton metres; 0 where its antagonists work
};

std::vector<WorkingMuscle> working_muscles(const MuscleFile& file, const Character& character,
                                           const SimulationSurface& surface, const CharacterLinks& links,
                                           std::vector<std::string>& notes) {
  const std::vector<double> holds = holding_torques(links.body, links.bears, links.height);
  std::vector<WorkingMuscle> working;
  std::string idle;
  const auto link_of = [&](int bone) {
    return link_of_joint(character.skeleton, links.body, surface.bones[index(bone)].joint);
  };
  for (const Muscle& muscle : file.muscles) {
    const MuscleLever lever = muscle_lever(file, muscle, surface);
    const std::size_t link = link_of(lever.lower());
    // Fingers and twist bones are parts of links, and turn by torques of their own.
    const bool is_joint = links.body.joint[link] == surface.bones[index(lever.lower())].joint;
    if (lever.turns() && link > 0 && is_joint && link != link_of(lever.upper())) {
      working.push_back({muscle.name, lever, link, holds[link], {}});
    } else {
      idle += (idle.empty() ? "'" : ", '") + muscle.name + "'";
    }
  }
  if (working.empty())
    throw input_error(file.file + ": no muscle turns a joint of the body's links; give activation by a control.");
  if (!idle.empty())
    notes.push_back("muscles that turn no joint of the body's links are left as they are: " + idle + ".");
  return working;
}

std::vector<TreePose> poses_of(const ReferenceMotion& motion) {
  std::vector<TreePose> poses;
  ReferenceState state;
  const auto count = static_cast<std::size_t>(std::lround(motion.seconds() / motion.step())) + 1;
  for (std::size_t f = 0; f < count; ++f) {
    motion.at(motion.step() * static_cast<double>(f), state);
    poses.push_back(state.pose);
  }
  return poses;
}

// Says where nothing on the ground carries the body.
void note_missing_force(std::span<const double> missing, double weight, double start, double step,
                        std::vector<std::string>& notes) {
  constexpr double little = 0.5;  // of the weight, for a moment of a jump or a landing
  std::size_t most_frames = 0, end = 0;
  for (std::size_t f = 0, run = 0; f < missing.size(); ++f) {
    run = missing[f] > little * weight ? run + 1 : 0;
    if (run > most_frames) most_frames = run, end = f;
  }
  const double seconds = step * static_cast<double>(most_frames);
  if (seconds < 0.2) return;
  notes.push_back(
      "for " + plain(std::round(10 * seconds) / 10) + " s before " +
      plain(std::round(10 * (start + step * static_cast<double>(end))) / 10) +
      " s nothing on the ground carries the body, which hangs or flies; muscles have what its own links need.");
}

// The value that a share of a curve's values is not above.
double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The share of each torque that a muscle could give: about the axis by which it turns its joint, on the insertion's
// bone.
void find_torques(const Character& character, const SimulationSurface& surface, const Clip& clip, double step,
                  std::span<const std::vector<Vec3>> efforts, std::vector<WorkingMuscle>& muscles) {
  for (std::size_t f = 0; f < efforts.size(); ++f) {
    const double time = std::min(clip.start + step * static_cast<double>(f), clip.end);
    const std::vector<Affine> bones = bone_transforms(character, surface, sample(character.skeleton, &clip, time));
    for (WorkingMuscle& muscle : muscles) {
      const Vec3 axis = closest_rotation(bones[index(muscle.lever.upper())].linear) * muscle.lever.axis;
      const double torque = dot(efforts[f][muscle.link], axis);
      muscle.torque.push_back(std::max(0.0, muscle.lever.origin_is_lower ? -torque : torque));
    }
  }
}

}  // namespace

FlexMotionReport flex_motion(const FlexMotionJob& job) {
  if (job.output.extension() != ".json")
    throw usage_error(job.output.string() + ": the name of a file of activation must end in .json.");
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  const Character& character = opened.character;
  if (character.clips.empty()) throw input_error(character.file + ": has no clip whose torques muscles could give.");
  const SimulationSurface surface = simulation_surface(character);
  const CharacterBody found = character_body(character, read_humanoid(*opened.document));
  const Clip& clip = character.clips[index(choose_clip(character, job.clip))];
  const CharacterLinks links =
      character_links(character, surface, found.bones, sample(character.skeleton, &clip, clip.start), flesh_density);
  const ReferenceMotion motion(character, clip, false, links);

  FlexMotionReport report;
  report.clip = clip.name;
  std::vector<WorkingMuscle> muscles =
      working_muscles(muscles_of(job, character, surface), character, surface, links, report.notes);
  EffortOptions options;
  options.step = motion.step();
  options.ground = motion.ground();
  options.near_ground = ground_share * links.height;
  MotionEfforts efforts = joint_efforts(links.body, poses_of(motion), options);
  note_missing_force(efforts.missing, total_mass(links.body) * norm(options.gravity), clip.start, options.step,
                     report.notes);
  smooth_efforts(nerves, options.step, efforts.torque);
  find_torques(character, surface, clip, options.step, efforts.torque, muscles);

  // A kink in the keys, of a few samples, must not set the scale.
  report.effort = 1;
  for (const WorkingMuscle& muscle : muscles)
    report.effort = std::max(report.effort, quantile(muscle.torque, usual_share) / muscle.holds);
  if (job.effort) report.effort = *job.effort;
  ActivationFile file{job.output.string(), {}, {}, clip.name};
  for (const WorkingMuscle& muscle : muscles) {
    std::vector<ActivationKey> curve;
    const std::size_t last = muscle.torque.size() - 1;
    for (std::size_t f = 0; f <= last; f = f == last ? last + 1 : std::min(f + samples_between_keys, last))
      curve.push_back({rounded_activation(clip.start + motion.step() * static_cast<double>(f)),
                       rounded_activation(std::min(1.0, muscle.torque[f] / (report.effort * muscle.holds)))});
    add_activation_curve(muscle.name, curve, file);
    const auto most = std::max_element(muscle.torque.begin(), muscle.torque.end());
    report.muscles.push_back({muscle.name, *most, std::min(1.0, *most / (report.effort * muscle.holds)),
                              clip.start + motion.step() * static_cast<double>(most - muscle.torque.begin())});
  }
  write_text_file(job.output, activation_json(file));
  return report;
}

}  // namespace sinew
