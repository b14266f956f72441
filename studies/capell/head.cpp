#include "studies/capell/head.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/linalg/rotation.h"
#include "studies/capell/turned_pose.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

int find_bone(std::span<const Bone> bones, const std::string& pattern) {
  for (std::size_t b = 0; b < bones.size(); ++b) {
    std::string name = bones[b].name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (matches(pattern, name)) return static_cast<int>(b);
  }
  return -1;
}

double enclosed_volume(std::span<const Triangle> triangles, std::span<const Vec3> p) {
  double sum = 0;
  for (const Triangle& t : triangles)
    sum += dot(p[static_cast<std::size_t>(t[0])],
               cross(p[static_cast<std::size_t>(t[1])], p[static_cast<std::size_t>(t[2])])) /
           6;
  return sum;
}

}  // namespace

HeadExperiment head_experiment(const Character& character, const std::string& name, const HeadOptions& options,
                               const Progress& progress) {
  FleshSettings settings;
  settings.reference = Reference::elastic;
  settings.gravity_in_rest = GravityInRest::pose;
  settings.lattice.file = auto_lattice;
  settings.lattice.levels = options.levels;
  CookedFlesh scene = prepare_flesh(character, settings, part_of(progress, 0, 0.2));
  const std::vector<Bone>& bones = scene.surface.bones;
  const int head = find_bone(bones, options.head);
  if (head < 0)
    throw input_error(name + ": no joint's name matches " + options.head + "; give a character with a head.");
  const ControlLattice lattice =
      build_lattice(character, scene.surface, {options.cells}, part_of(progress, 0.2, 0.4)).lattice;
  HeadExperiment result;
  result.character = name;
  result.rest = scene.surface.rest;
  result.cells = lattice.cells();
  for (std::size_t v = 0; v < scene.surface.influences.size(); ++v)
    if (scene.surface.influences[v].count > 0 && is_below(bones, scene.surface.influences[v].joint[0], head))
      result.head.push_back(static_cast<int>(v));
  const double rest_volume = enclosed_volume(result.rest.triangles, result.rest.positions);
  const std::vector<Linearized> hows = every_linearization();
  for (std::size_t k = 0; k < hows.size(); ++k) {
    report_or_stop(progress, "turning a head", 0.4 + 0.6 * static_cast<double>(k) / static_cast<double>(hows.size()));
    settings.lattice.linearization = hows[k].linearization;
    settings.warping = hows[k].warping;
    PosedLattice posed(prepare_lattice(scene, lattice, settings));
    result.unknowns = posed.unknowns();
    HeadRun run;
    run.how = hows[k];
    posed.rest_at(turned_pose(bones, head, options.degrees * std::numbers::pi / 180));
    run.surface = posed.surface();
    run.volume_ratio = enclosed_volume(result.rest.triangles, run.surface) / rest_volume;
    const std::vector<Vec3>& reference = result.runs.empty() ? run.surface : result.runs.front().surface;
    run.rms = rms_distance(run.surface, reference) / scene.height;
    for (std::size_t v = 0; v < run.surface.size(); ++v)
      run.largest = std::max(run.largest, distance(run.surface[v], reference[v]) / scene.height);
    constexpr double seconds = 0.5;
    const int steps = static_cast<int>(std::ceil(seconds / posed.deformer().step()));
    posed.rest_at(turned_pose(bones, head, 0));
    std::vector<double> milliseconds;
    for (int step = 1; step <= steps; ++step) {
      const std::vector<Affine> pose =
          turned_pose(bones, head, options.degrees * step / steps * std::numbers::pi / 180);
      Stopwatch watch;
      posed.step_to(pose);
      milliseconds.push_back(1e3 * watch.seconds());
      run.iterations += static_cast<double>(posed.deformer().statistics().iterations) / steps;
    }
    run.milliseconds = median(milliseconds);
    result.runs.push_back(std::move(run));
  }
  return result;
}

}  // namespace sinew
