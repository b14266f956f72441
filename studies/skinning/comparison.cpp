#include "studies/skinning/comparison.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/cook/cook.h"

namespace sinew {
namespace {

void play_family(SkinningFamily family, const Character& character, const SkinningComparison& comparison,
                 const FamilyOptions& options, const Progress& progress, SkinningRun& run) {
  run.family = family.name;
  try {
    family.method->suit(comparison.surface);
    const Scene scene = cook(*family.method, {character}, part_of(progress, 0, 0.3));
    if (scene.surface->rest.positions.size() != comparison.surface.rest.positions.size())
      throw simulation_error("this method moves another surface.");
    for (BentSkin& posed :
         play_bends(character, scene, comparison.surface.bones, comparison.bends, options, part_of(progress, 0.3, 1)))
      run.results.push_back({std::move(posed), {}, NAN});
  } catch (const Error& error) {
    run.failure = error.what();
    run.results.clear();
  }
}

double rms_over(std::span<const int> vertices, std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (const int v : vertices) sum += squared_norm(a[index(v)] - b[index(v)]);
  return std::sqrt(sum / static_cast<double>(vertices.size()));
}

void measure_runs(const Skeleton& skeleton, SkinningComparison& comparison) {
  const SkinMeasurement measurement(comparison.surface);
  for (std::size_t b = 0; b < comparison.bends.size(); ++b) {
    const Bend& bend = comparison.bends[b];
    const std::vector<int> vertices = measurement.around(bend);
    const std::vector<Bone>& bones = comparison.surface.bones;
    const std::vector<Affine> bent = bent_bones(skeleton, bones, bones, bend, 1);
    for (SkinningRun& run : comparison.runs) {
      if (run.results.empty()) continue;
      SkinningResult& result = run.results[b];
      result.measures = measurement.measure(bend, bent, result.posed.positions);
      if (const std::span<const Vec3> reference = comparison.reference(b); !reference.empty() && !vertices.empty())
        result.distance = rms_over(vertices, result.posed.positions, reference) / comparison.height;
    }
  }
}

}  // namespace

std::span<const Vec3> SkinningComparison::reference(std::size_t bend) const {
  for (const SkinningRun& run : runs)
    if (run.family == nonlinear_family && !run.results.empty()) return run.results[bend].posed.positions;
  return {};
}

SkinningComparison compare_skinning(const Character& character, const std::string& name, const std::string& joints,
                                    const FamilyOptions& options, const Progress& progress) {
  Character posed = character;
  posed.clips.clear();  // what its clips do decides nothing here
  SkinningComparison comparison;
  comparison.character = name;
  comparison.surface = simulation_surface(posed);
  if (!comparison.surface.weighted)
    throw input_error(character.file + ": this character has no skin weights; give one that is bound to its skeleton.");
  comparison.height = standing_height(comparison.surface);
  const std::vector<Bone>& bones = comparison.surface.bones;
  comparison.bends = joints.empty() ? usual_bends(bones) : bends_of_joint(bones, joints);
  const std::vector<SkinningFamily> families = skinning_families(options);
  const auto share = [&](std::size_t k) { return 0.9 * static_cast<double>(k) / static_cast<double>(families.size()); };
  for (std::size_t k = 0; k < families.size(); ++k)
    play_family(families[k], posed, comparison, options, part_of(progress, share(k), share(k + 1)),
                comparison.runs.emplace_back());
  report_or_stop(progress, "measuring " + name, 0.9);
  measure_runs(posed.skeleton, comparison);
  return comparison;
}

}  // namespace sinew
