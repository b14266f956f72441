#include "studies/capell/paint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/display/display_limit.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/linalg/rotation.h"
#include "studies/capell/turned_pose.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr int painted_steps_per_frame = 4;

int find_bone(std::span<const Bone> bones, const std::string& name, const std::string& character) {
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (bones[b].name == name) return static_cast<int>(b);
  throw input_error(character + ": it has no bone '" + name + "' to shake.");
}

// Oscillation that grows from zero within the first half period and ends where it began.
double angle_at(const PaintOptions& options, double seconds) {
  if (seconds >= options.seconds) return 0;
  const double phase = 2 * std::numbers::pi * options.swings * seconds;
  const double grown = std::min(1.0, seconds / (0.5 / options.swings)),
               left = std::min(1.0, (options.seconds - seconds) / (0.25 / options.swings));
  const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
  return options.degrees * std::numbers::pi / 180 * smooth(grown) * smooth(left) * std::sin(phase);
}

int part_at(const std::vector<PaintedPart>& parts, const Vec3& place, double height) {
  int nearest = -1;
  double least = 1;
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (const Vec3& centre : parts[k].places) {
      const double away = distance(place, height * centre) / (height * parts[k].radius);
      if (away < least) least = away, nearest = static_cast<int>(k);
    }
  return nearest;
}

PaintRun shake(const std::shared_ptr<const LatticeBody>& body, const std::vector<std::vector<Affine>>& poses,
               const PaintOptions& options, PaintExperiment& experiment, const std::string& material) {
  PaintRun run;
  run.material = material;
  const auto carrier = surface_carrier(body);
  PosedLattice posed(body);
  posed.rest_at(poses.front());
  const std::size_t parts = options.parts.size();
  std::vector<std::vector<double>> motion(parts);  // largest of each frame
  std::vector<double> squares(parts, 0.0), counts(parts, 0.0);
  for (std::size_t step = 1; step < poses.size(); ++step) {
    posed.step_to(poses[step]);
    if (step % painted_steps_per_frame != 0) continue;
    const std::size_t frame = step / painted_steps_per_frame - 1;
    const std::span<const Vec3> answered = posed.deformer().local_displacements();
    std::vector<Vec3> local(answered.begin(), answered.end()), displacement(carrier->surface_vertices());
    carrier->displace(poses[step], local, displacement);
    limit_displacements(body->description.surface_limit, 0, displacement);
    for (std::size_t k = 0; k < parts; ++k) motion[k].push_back(0);
    run.frames.push_back(experiment.rig[frame]);
    for (std::size_t v = 0; v < displacement.size(); ++v) {
      run.frames.back()[v] += displacement[v];
      if (experiment.part_of_vertex[v] < 0) continue;
      const auto k = static_cast<std::size_t>(experiment.part_of_vertex[v]);
      const double d = norm(displacement[v]) / experiment.height;
      motion[k].back() = std::max(motion[k].back(), d);
      squares[k] += d * d;
      counts[k] += 1;
    }
  }
  for (std::size_t k = 0; k < parts; ++k) {
    run.largest.push_back(*std::max_element(motion[k].begin(), motion[k].end()));
    run.rms.push_back(counts[k] > 0 ? std::sqrt(squares[k] / counts[k]) : 0);
    double last = options.seconds;
    for (std::size_t f = 0; f < motion[k].size(); ++f)
      if (motion[k][f] > 0.1 * run.largest[k]) last = std::max(last, experiment.times[f]);
    run.settled.push_back(last - options.seconds);
  }
  return run;
}

}  // namespace

PaintOptions paint_of(const std::string& character) {
  PaintOptions options;
  if (character != "Cow") return options;
  options.shaken = "Neck3";  // what the skin of the ears hangs on
  options.parts = {{"ears", {{0.225, 0.897, 0.837}, {-0.225, 0.897, 0.837}}, 0.085, 0.01, 0.7},
                   {"horns", {{0.229, 0.945, 0.960}, {-0.229, 0.945, 0.960}}, 0.085, 10, 1}};
  return options;
}

PaintExperiment paint_experiment(const Character& character, const std::string& name, const PaintOptions& options,
                                 const Progress& progress) {
  FleshSettings settings;
  settings.lattice.file = auto_lattice;
  settings.lattice.levels = options.levels;
  settings.limit = options.limit;
  const CookedFlesh scene = prepare_flesh(character, settings, part_of(progress, 0, 0.2));
  const std::vector<Bone>& bones = scene.surface.bones;
  const int shaken = find_bone(bones, options.shaken, name);
  PaintExperiment result;
  result.character = name;
  result.height = scene.height;
  result.parts = options.parts;
  result.rest = scene.surface.rest;
  for (std::size_t v = 0; v < result.rest.positions.size(); ++v) {
    result.part_of_vertex.push_back(part_at(options.parts, result.rest.positions[v], scene.height));
    const Influences& influences = scene.surface.influences[v];
    if (influences.count > 0 && is_below(bones, influences.joint[0], shaken))
      result.shaken.push_back(static_cast<int>(v));
  }
  const int steps = static_cast<int>(std::lround(2 * options.seconds / settings.step.value_or(usual_step)));
  std::vector<std::vector<Affine>> poses;
  VertexFrames frames;
  for (int step = 0; step <= steps; ++step) {
    poses.push_back(turned_pose(bones, shaken, angle_at(options, step * settings.step.value_or(usual_step))));
    if (step == 0 || step % painted_steps_per_frame != 0) continue;
    predict_frames(scene.surface.rest.positions, scene.surface.influences, poses.back(), frames);
    result.rig.push_back(frames.goal);
    result.times.push_back(step * settings.step.value_or(usual_step));
  }

  ControlLattice lattice =
      build_lattice(character, scene.surface, {options.cells}, part_of(progress, 0.2, 0.4)).lattice;
  report_or_stop(progress, "shaking a head", 0.4);
  result.runs.push_back(shake(prepare_lattice(scene, lattice, settings), poses, options, result, "uniform"));
  report_or_stop(progress, "shaking a painted head", 0.7);
  lattice.stiffness.assign(lattice.positions.size(), 1.0);
  lattice.damping = lattice.stiffness;
  result.painted.assign(options.parts.size(), 0);
  for (std::size_t v = 0; v < lattice.positions.size(); ++v) {
    const int part = part_at(options.parts, lattice.positions[v], scene.height);
    if (part < 0) continue;
    const auto k = static_cast<std::size_t>(part);
    lattice.stiffness[v] = options.parts[k].stiffness;
    lattice.damping[v] = options.parts[k].damping;
    ++result.painted[k];
  }
  result.runs.push_back(shake(prepare_lattice(scene, lattice, settings), poses, options, result, "painted"));
  return result;
}

}  // namespace sinew
