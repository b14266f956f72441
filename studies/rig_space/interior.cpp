#include "studies/rig_space/interior.h"

#include <algorithm>
#include <limits>

#include "sinew/base/stopwatch.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/deform/rig_space/volumetric_skinning.h"

namespace sinew {
namespace {

struct Variant {
  const char* name;
  bool paper, few;
  VolumetricSkinningOptions options;
};

// Only equation 6, over the nearest candidates, as in the paper.
VolumetricSkinningOptions plain(SkinningWeights weights, int candidates) {
  VolumetricSkinningOptions options;
  options.weights = weights;
  options.candidates.count = candidates;
  options.candidates.surround = false;
  options.harmonic_weight = 0;
  options.residual_growth = 1.5;
  return options;
}

std::vector<Variant> variants() {
  const auto around = [](VolumetricSkinningOptions options) {
    options.candidates.surround = true;
    return options;
  };
  const auto dense = [](int candidates) { return plain(SkinningWeights::non_negative, candidates); };
  const VolumetricSkinningOptions sparse = plain(SkinningWeights::sparse, 20);
  return {{"NNLS, 500 nearest", true, false, dense(500)},
          {"NNLS, 20 nearest", true, false, dense(20)},
          {"NNLS, 5 nearest", true, false, dense(5)},
          {"sparse, 20 nearest", true, false, sparse},
          {"NNLS, 20 around", false, false, around(dense(20))},
          {"sparse, 20 around", false, false, around(sparse)},
          {"default", false, false, {}},
          {"NNLS, 500 nearest", true, true, dense(500)},
          {"sparse, 20 around", false, true, around(sparse)},
          {"default", false, true, {}}};
}

// The motion computed by the method itself.
struct Frames {
  std::vector<std::vector<Vec3>> in_equilibrium;  // positions of all vertices, with the boundary of the rig
  std::vector<double> corrected;                  // joules, with the body's own interior
};

Frames moved_frames(const RigSpaceCase& of, const InteriorOptions& options, TetrahedralEnergy& energy,
                    const Progress& progress) {
  const RigSpaceBody& body = *of.scene->body;
  RigSpaceDynamics dynamics = undamped_dynamics(*of.scene);
  dynamics.interior = InteriorVertices::corrected;
  RigSpaceMotion motion(of.scene->body, *of.scene->rig, of.scene->free, dynamics);
  motion.reset(keyed_parameters(of, 0), keyed_parameters(of, options.step), options.step);
  StaticInterior inside(body, energy);
  std::vector<Vec3> surface(of.scene->rig->vertices());
  Frames frames;
  for (int frame = 0; frame < options.frames; ++frame) {
    report_or_stop(progress, of.name + ", frames in equilibrium", static_cast<double>(frame) / options.frames);
    for (int k = 1; k <= options.steps_per_frame; ++k)
      motion.advance(keyed_parameters(of, (frame * options.steps_per_frame + k) * options.step), options.step);
    frames.corrected.push_back(energy.energy(motion.positions()));
    const double elapsed = (frame + 1) * options.steps_per_frame * options.step;
    of.scene->rig->evaluate(moved_parameters(of, elapsed, motion.free_values()), surface);
    std::vector<Vec3> x = body.mesh.positions;
    place_boundary(body, surface, x);
    place_interior(body, x);
    inside.solve(x);
    frames.in_equilibrium.push_back(std::move(x));
  }
  return frames;
}

}  // namespace

InteriorExperiment interior_experiment(const RigSpaceCase& of, const InteriorOptions& options,
                                       const Progress& progress) {
  RigSpaceBody body = *of.scene->body;
  TetrahedralEnergy energy(body.mesh, body.material);
  energy.activate(std::vector<char>(body.mesh.positions.size(), 1));
  InteriorExperiment result;
  result.name = of.name;
  result.boundary = body.boundary_vertices();
  result.interior = body.interior_vertices();

  const Frames moved = moved_frames(of, options, energy, part_of(progress, 0, 0.2));
  const std::vector<std::vector<Vec3>>& frames = moved.in_equilibrium;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    result.seconds.push_back(static_cast<double>(k + 1) * options.steps_per_frame * options.step);
    result.equilibrium.push_back(energy.energy(frames[k]));
  }

  Stopwatch watch;
  const SkinningExamples examples = make_examples(*of.scene, of.examples, of.settings, part_of(progress, 0.2, 0.5));
  result.poses = examples.poses;
  result.examples_seconds = watch.lap();
  const std::size_t points = body.mesh.positions.size();
  // Evenly distributed over the examples.
  std::vector<Vec3> few;
  for (int k = 0; k < options.few_poses; ++k) {
    const auto pose = static_cast<std::size_t>(k * examples.poses / options.few_poses);
    few.insert(few.end(), examples.positions.begin() + static_cast<std::ptrdiff_t>(pose * points),
               examples.positions.begin() + static_cast<std::ptrdiff_t>((pose + 1) * points));
  }

  std::vector<int> boundary, interior;
  for (std::size_t v = 0; v < points; ++v)
    (v < body.boundary_vertices() ? boundary : interior).push_back(static_cast<int>(v));
  const std::vector<Variant> all = variants();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto count = static_cast<double>(all.size());
    const Progress of_map =
        part_of(progress, 0.5 + 0.5 * static_cast<double>(k) / count, 0.5 + 0.5 * static_cast<double>(k + 1) / count);
    const VolumetricSkinning learned = learn_volumetric_skinning(
        body.mesh, boundary, interior,
        all[k].few ? std::span<const Vec3>(few) : std::span<const Vec3>(examples.positions), all[k].options, of_map);
    InteriorMap map{all[k].name,
                    all[k].paper,
                    all[k].few ? options.few_poses : examples.poses,
                    learned.report.correspondences,
                    learned.report.seconds_per_vertex,
                    {},
                    0,
                    0};
    body.interior = learned.weights;
    for (std::vector<Vec3> x : frames) {
      place_interior(body, x);
      map.energy.push_back(energy.energy(x));
    }
    result.maps.push_back(std::move(map));
  }
  const SparseRows& own = of.scene->body->interior;
  result.maps.push_back(
      {"default, corrected", false, examples.poses,
       static_cast<double>(own.value.size()) / static_cast<double>(std::max<std::size_t>(1, own.rows())),
       std::numeric_limits<double>::quiet_NaN(), moved.corrected, 0, 0});
  for (InteriorMap& map : result.maps)
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const double ratio = map.energy[f] / result.equilibrium[f];
      map.mean_ratio += ratio / static_cast<double>(frames.size());
      map.largest_ratio = std::max(map.largest_ratio, ratio);
    }
  return result;
}

}  // namespace sinew
