#include "studies/shape/lattice_rigs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_forces.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

// Force fields of presets, with the amplitudes that move the skin as far as they say in tetrahedra.
std::vector<ForceField> preset_fields(const std::vector<std::string>& presets, const CookedFlesh& flesh,
                                      const FleshSettings& settings) {
  const std::unique_ptr<ShapeBody> body = shape_body(flesh, settings);
  std::vector<ForceField> fields;
  for (const std::string& preset : presets)
    for (const ShapeRig& rig : preset_rigs(shape_preset(preset), preset, {}, {}, flesh.surface)) {
      ShapeSample sample = rig.samples.back();
      sample.eta[amplitude_parameter] = amplitude_for_displacement(rig, sample, flesh.surface, *body);
      fields.push_back(rig_field(rig, sample.eta, flesh.surface));
    }
  return fields;
}

// One thread while it lives, so that times do not depend on what else runs.
struct OneThread {
  OneThread() { set_thread_count(1); }
  ~OneThread() { set_thread_count(0); }
};

int solved_functions(const LatticeBody& body, std::span<const Vec3> local) {
  int count = 0;
  for (std::size_t f = 0; f < local.size(); ++f)
    count += body.description.role[f] == FunctionRole::free && local[f] != Vec3{};
  return count;
}

LatticeRigsRow settled(CookedFlesh& flesh, const ControlLattice& lattice, const FleshSettings& settings,
                       std::span<const ForceField> fields, double seconds) {
  flesh.lattice = prepare_lattice(flesh, lattice, settings);
  const std::unique_ptr<ShapeBody> body = shape_body(flesh, settings, &lattice);
  std::vector<Vec3> sum(body->points());
  for (const ForceField& field : fields) add_forces(body->integrate(field), 1, sum);
  const std::vector<PointForce> forces = nonzero_forces(sum);
  const auto motion = lattice_flesh(flesh.lattice);
  const auto carrier = surface_carrier(flesh.lattice);
  const std::vector<Affine> bones(flesh.surface.bones.size());
  LatticeRigsRow row;
  std::vector<Vec3> moved(carrier->surface_vertices());
  std::vector<double> milliseconds;
  const double h = motion->step();
  motion->reset({0, bones}, {h, bones});
  const OneThread one;
  for (int step = 1; step * h <= seconds; ++step) {
    // Forces grow during the first half. Steps are timed there, since those of flesh at rest cost next to nothing.
    const double share = std::min(1.0, 2 * step * h / seconds);
    std::vector<PointForce> now = forces;
    for (PointForce& each : now) each.force *= 0.5 - 0.5 * std::cos(std::numbers::pi * share);
    Stopwatch watch;
    motion->advance({step * h, bones, {}, nullptr, now});
    carrier->displace(bones, motion->local_displacements(), moved);
    if (share < 1) milliseconds.push_back(1e3 * watch.seconds());
    row.functions = std::max(row.functions, solved_functions(*flesh.lattice, motion->local_displacements()));
  }
  row.milliseconds = median(milliseconds);
  row.skin = flesh.surface.rest.positions;
  for (std::size_t s = 0; s < row.skin.size(); ++s) row.skin[s] += moved[s];
  return row;
}

}  // namespace

LatticeRigs lattice_rigs_experiment(const Character& character, const std::string& name,
                                    const LatticeRigsOptions& options, const Progress& progress) {
  FleshSettings settings;
  const CookedFlesh tetrahedra = prepare_flesh(character, settings, part_of(progress, 0, 0.1));
  const std::vector<ForceField> fields = preset_fields(options.presets, tetrahedra, settings);
  settings.lattice.file = auto_lattice;
  settings.young = tetrahedra.material.young;  // the same in all lattices
  CookedFlesh flesh = prepare_flesh(character, settings, part_of(progress, 0.1, 0.2));
  const ControlLattice lattice =
      build_lattice(character, flesh.surface, {options.cells}, part_of(progress, 0.2, 0.4)).lattice;
  LatticeRigs result;
  result.character = name;
  result.height = flesh.height;
  result.cells = lattice.cells();
  result.rest = flesh.surface.rest;
  const auto add = [&](const std::string& row, double done) {
    report_or_stop(progress, row, done);
    result.rows.push_back(settled(flesh, lattice, settings, fields, options.seconds));
    result.rows.back().name = row;
    const std::vector<Vec3>&fine = result.rows.front().skin, &skin = result.rows.back().skin;
    result.rows.back().rms = rms_distance(skin, fine);
    for (std::size_t s = 0; s < skin.size(); ++s)
      result.rows.back().largest = std::max(result.rows.back().largest, distance(skin[s], fine[s]));
  };
  settings.lattice.levels = options.levels;
  add("uniform, " + std::to_string(options.levels) + " levels", 0.4);
  for (std::size_t s = 0; s < result.rest.positions.size(); ++s)
    result.moved = std::max(result.moved, distance(result.rows[0].skin[s], result.rest.positions[s]));
  for (const double threshold : options.thresholds) {
    settings.lattice.adapt = threshold;
    char row[48];
    std::snprintf(row, sizeof row, "adaptive, strain %g", threshold);
    add(row, 0.7);
  }
  settings.lattice.adapt.reset();
  for (int levels = options.levels - 1; levels >= 1; --levels) {
    settings.lattice.levels = levels;
    add("uniform, " + std::to_string(levels) + (levels == 1 ? " level" : " levels"), 0.9);
  }
  return result;
}

}  // namespace sinew
