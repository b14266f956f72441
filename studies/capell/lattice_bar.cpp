#include "studies/capell/lattice_bar.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

ControlLattice bar_lattice(const LatticeBarShape& shape) {
  ControlLattice lattice;
  const int n = shape.across + 1;
  const auto at = [n](int i, int j, int k) { return (i * n + j) * n + k; };
  const auto across = [&](int j) { return shape.width * (static_cast<double>(j) / shape.across - 0.5); };
  for (int i = 0; i <= shape.along; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) lattice.positions.push_back({shape.length * i / shape.along, across(j), across(k)});
  for (int i = 0; i < shape.along; ++i)
    for (int j = 0; j < shape.across; ++j)
      for (int k = 0; k < shape.across; ++k)
        add_hexahedron(lattice, {at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1),
                                 at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)});
  lattice.bones = {{"near", {}}, {"far", {}}};
  const int middle = shape.across / 2;
  for (int i = 0; i <= shape.along; ++i) {
    if (2 * i <= shape.along) lattice.bones[0].vertices.push_back(at(i, middle, middle));
    if (2 * i >= shape.along) lattice.bones[1].vertices.push_back(at(i, middle, middle));
  }
  return lattice;
}

Influences bar_influences(const LatticeBarShape& shape, const Vec3& place) {
  const double t = std::clamp((place.x - 0.5 * shape.length) / shape.blend + 0.5, 0.0, 1.0);
  Influences influences;
  std::pair<int, double> bones[] = {{0, 1 - t}, {1, t}};
  if (t > 0.5) std::swap(bones[0], bones[1]);
  for (const auto& [bone, weight] : bones) {
    if (!(weight > 0)) continue;
    const auto slot = static_cast<std::size_t>(influences.count++);
    influences.joint[slot] = bone;
    influences.weight[slot] = weight;
  }
  return influences;
}

std::vector<Influences> influences_of(const LatticeBarShape& shape, std::span<const Vec3> places) {
  std::vector<Influences> result;
  for (const Vec3& place : places) result.push_back(bar_influences(shape, place));
  return result;
}

std::vector<Vec3> middles(const TetrahedralMesh& mesh) {
  std::vector<Vec3> result;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Vec3 sum;
    for (const int v : t) sum += mesh.positions[static_cast<std::size_t>(v)];
    result.push_back(0.25 * sum);
  }
  return result;
}

}  // namespace

LatticeBar make_lattice_bar(const LatticeBarShape& shape) {
  if (shape.along < 2 || shape.across < 2 || shape.along % 2 != 0 || shape.across % 2 != 0)
    throw usage_error("a bar needs an even number of cells along and across.");
  LatticeBar bar{shape, bar_lattice(shape), {}, {0.5 * shape.length, 0, 0}};
  bar.grid = lattice_grid(bar.lattice, SubdivisionScheme::trilinear, shape.levels);
  return bar;
}

std::shared_ptr<const LatticeBody> cook_bar(const LatticeBar& bar, const Linearized& how) {
  const LatticeBarShape& shape = bar.shape;
  const TetrahedralMesh& mesh = bar.grid.tetrahedra.mesh;
  const std::vector<Vec3> middle = middles(mesh);
  const Material material{shape.young, shape.poisson, 1000};
  LatticeFields fields;
  fields.fill.assign(middle.size(), 1.0);
  fields.young.assign(middle.size(), material.young);
  fields.density.assign(middle.size(), material.density);
  for (const Vec3& m : middle) {
    const bool in_core = std::hypot(m.y, m.z) < shape.core * shape.width / 2;
    fields.bone_stiffness.push_back(in_core ? shape.bone_stiffness : 0.0);
  }
  fields.influences = influences_of(shape, middle);
  LatticeStrain strain;
  strain.material = material;
  strain.share_volume = shape.share_volume;
  strain.keep_samples = how.linearization == Linearization::none;
  LatticeDescription description =
      describe_lattice(bar.lattice, bar.grid, fields, {{0, 1}, 2, influences_of(shape, bar.grid.places())}, strain);
  carry_whole_body(bar.grid, influences_of(shape, mesh.positions), description);
  LatticeRun run;
  run.linearization = how.linearization;
  run.warping = how.warping;
  return cook_lattice(std::move(description), LatticeReference::elastic, run, {});
}

std::vector<Affine> bent(const LatticeBar& bar, double degrees) {
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, degrees * std::numbers::pi / 180));
  return {{}, {turn, bar.joint - turn * bar.joint}};
}

double section_area(const LatticeBar& bar, std::span<const Vec3> positions, double x) {
  const double half = 0.5 * bar.shape.width, near = 1e-6 * bar.shape.width;
  std::vector<std::pair<double, std::size_t>> loop;
  const std::vector<Vec3>& rest = bar.grid.tetrahedra.mesh.positions;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const Vec3& r = rest[v];
    if (std::abs(r.x - x) > near || std::max(std::abs(r.y), std::abs(r.z)) < half - near) continue;
    loop.emplace_back(std::atan2(r.z, r.y), v);
  }
  std::sort(loop.begin(), loop.end());
  Vec3 twice;
  for (std::size_t k = 0; k < loop.size(); ++k)
    twice += cross(positions[loop[k].second], positions[loop[(k + 1) % loop.size()].second]);
  return 0.5 * norm(twice) / (bar.shape.width * bar.shape.width);
}

double joint_thickness(const LatticeBar& bar, std::span<const Vec3> positions) {
  const double half = 0.5 * bar.shape.width, near = 1e-6 * bar.shape.width;
  const std::vector<Vec3>& rest = bar.grid.tetrahedra.mesh.positions;
  Vec3 inner, outer;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    if (std::abs(rest[v].x - bar.joint.x) > near || std::abs(rest[v].z) > near) continue;
    if (std::abs(rest[v].y - half) < near) inner = positions[v];
    if (std::abs(rest[v].y + half) < near) outer = positions[v];
  }
  return distance(inner, outer) / bar.shape.width;
}

}  // namespace sinew
