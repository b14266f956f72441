#include "sinew/jobs/shape/transfer_fit.h"

#include <cstdio>

#include "sinew/anatomy/bone_regions.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/jobs/feature_points.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

// A bone is named where more than this share of its skin is not fitted.
constexpr double most_not_fitted = 0.5;
// Skin of bones with a counterpart, as a share of all of it, below which the fit may make no sense.
constexpr double fewest_pairs = 0.4;

// The share of the source's skin that follows bones with a counterpart.
double share_of_pairs(const FittedTransfer& fitted) {
  const BoneRegions regions = bone_regions(fitted.source.surface());
  double paired = 0;
  for (const BonePair& pair : fitted.matched.bones) paired += regions.bones[index(pair.source)].area;
  return paired / regions.area;
}

std::vector<std::string> bones_not_fitted(const FittedTransfer& fitted, const RetargetFit& fit) {
  const SimulationSurface& surface = fitted.source.surface();
  const std::vector<double> area = vertex_areas(surface.rest);
  std::vector<double> all(surface.bones.size()), off(surface.bones.size());
  for (std::size_t v = 0; v < area.size(); ++v) {
    if (surface.influences[v].count == 0) continue;
    const std::size_t bone = index(surface.influences[v].joint[0]);
    all[bone] += area[v];
    if (fit.distance[v] > not_fitted * fitted.target.flesh.height) off[bone] += area[v];
  }
  std::vector<std::string> names;
  for (std::size_t b = 0; b < all.size(); ++b)
    if (all[b] > 0 && off[b] > most_not_fitted * all[b]) names.push_back(surface.bones[b].name);
  return names;
}

}  // namespace

RetargetRequest FittedTransfer::request() const {
  RetargetRequest request;
  request.lattice = &lattice;
  request.source = &source.surface().rest;
  request.target = &target.surface().rest;
  request.source_limb = source_limbs.of_vertex;
  request.target_limbs = target_limbs.triangles;
  request.skeleton = matched.points;
  request.sides = matched.skin;
  request.features = features;
  request.height = target.flesh.height;
  return request;
}

FittedTransfer fit_transfer(const TransferFitJob& job, const Progress& progress) {
  if (!job.flesh.lattice.file.empty())
    throw usage_error("--lattice: rigs are carried over in tetrahedra, and act in lattices too; leave it out.");
  FittedTransfer fitted;
  fitted.source = open_work(job.source, {}, job.source_size, job.flesh, part_of(progress, 0, 0.25));
  fitted.target = open_work(job.target, {}, job.target_size, job.flesh, part_of(progress, 0.25, 0.5));
  report_or_stop(progress, "matching the skeletons", 0.5);
  const SimulationSurface &source = fitted.source.surface(), &target = fitted.target.surface();
  fitted.matched = matching_bones(source, target);
  if (!fitted.matched.bones.empty()) {
    fitted.source_limbs = skin_limbs(source, fitted.matched.source_limb);
    fitted.target_limbs = skin_limbs(target, fitted.matched.target_limb);
  }
  if (!job.features.empty()) fitted.features = read_feature_points(job.features, source, target);
  fitted.features.insert(fitted.features.end(), job.pairs.begin(), job.pairs.end());
  if (fitted.matched.points.empty() && fitted.features.empty())
    throw input_error("no bone of " + fitted.source.name() + " corresponds to one of " + fitted.target.name() +
                      ", by its name or its place; give pairs of points by --features FILE.");
  fitted.lattice =
      build_lattice(fitted.source.character(), source, LatticeSettings{job.cells}, part_of(progress, 0.5, 0.75)).mesh;
  fitted.fit = fit_lattice(fitted.request(), part_of(progress, 0.75, 1));
  return fitted;
}

RetargetFit fit_with_moves(const FittedTransfer& fitted, std::span<const PointPair> moves, const Progress& progress) {
  std::vector<MovedControlPoint> moved;
  for (const PointPair& each : moves) {
    if (!is_finite(each.source)) throw input_error("the place of a control point is not a finite number.");
    moved.push_back({nearest_control_point(fitted.fit.lattice, each.source), each.target});
  }
  return move_control_points(fitted.request(), fitted.fit, moved, progress);
}

FitNotes describe_fit(const FittedTransfer& fitted, const RetargetFit& fit) {
  FitNotes notes;
  const ShapeWork &source = fitted.source, &target = fitted.target;
  notes.lines.push_back(std::to_string(fitted.matched.bones.size()) + " of " +
                        std::to_string(source.surface().bones.size()) + " bones correspond; a lattice of " +
                        std::to_string(fit.lattice.source.tetrahedra.size()) + " cells, errors in % of height:");
  for (const RetargetStage& stage : fit.stages) {
    std::string line = std::string("  ") + stage.name + ": ";
    if (!fitted.matched.points.empty()) line += "skeleton " + short_percent(stage.skeleton) + ", ";
    if (stage.features > 0) line += "features " + short_percent(stage.features) + ", ";
    notes.lines.push_back(line + "surface " + short_percent(stage.surface));
  }
  if (!fitted.matched.bones.empty() && share_of_pairs(fitted) < fewest_pairs)
    notes.warnings.push_back("few bones of " + source.name() + " correspond to those of " + target.name() +
                             "; look at --preview, and give points that correspond by --features.");
  const std::vector<std::string> bones = bones_not_fitted(fitted, fit);
  if (!bones.empty())
    notes.warnings.push_back("the lattice could not be fitted at " + listed(bones) + ": half of the skin there is " +
                             short_percent(not_fitted) + " of the height or more from " + target.name() +
                             "; rigs there come out elsewhere, unless --features says what corresponds.");
  return notes;
}

std::string lattice_obj(const TetrahedralMesh& lattice) {
  std::string text = "# control points and edges of the fitted lattice, metres, at rest\n";
  char line[128];
  for (const Vec3& p : lattice.positions) {
    std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", p.x, p.y, p.z);
    text += line;
  }
  for (const auto& [a, b] : lattice_edges(lattice)) {
    std::snprintf(line, sizeof line, "l %d %d\n", a + 1, b + 1);
    text += line;
  }
  return text;
}

}  // namespace sinew
