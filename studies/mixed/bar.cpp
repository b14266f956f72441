#include "studies/mixed/bar.h"

#include <numbers>

#include "sinew/base/error.h"

namespace sinew {
namespace {

Bone bone_between(const char* name, int parent, const Vec3& head, const Vec3& tail) {
  Bone bone;
  bone.name = name;
  bone.parent = parent;
  bone.segments = {{head, tail}};
  return bone;
}

}  // namespace

Bar make_bar(const BarShape& shape) {
  if (shape.along < 2 || shape.across < 2 || shape.along % 2 != 0 || shape.across % 2 != 0 || !(shape.width > 0))
    throw usage_error("a bar needs an even number of cells along and across, and a width.");
  const double cell = shape.width / shape.across;
  Bar bar{cell_lattice({shape.along, shape.across, shape.across}, {cell, cell, cell}),
          shape.along * cell,
          shape.width,
          {},
          {},
          {}};
  const double middle = shape.width / 2;
  bar.joint = {bar.length / 2, middle, middle};
  bar.bones = {bone_between("first", -1, {0, middle, middle}, bar.joint),
               bone_between("second", 0, bar.joint, {bar.length, middle, middle})};
  for (int i = 0; i <= shape.along; ++i) bar.axis.push_back(bar.lattice.vertex(i, shape.across / 2, shape.across / 2));
  return bar;
}

std::vector<Affine> turned(const Bar& bar, const Vec3& unit_axis, double degrees) {
  const Mat3 turn = to_matrix(axis_angle(unit_axis, degrees * std::numbers::pi / 180));
  return {{}, {turn, bar.joint - turn * bar.joint}};
}

BonePins end_pins(const Bar& bar) {
  BonePins pins;
  const auto& c = bar.lattice.cells;
  for (const int bone : {0, 1})
    for (int j = 0; j <= c[1]; ++j)
      for (int k = 0; k <= c[2]; ++k) {
        pins.vertex.push_back(bar.lattice.vertex(bone == 0 ? 0 : c[0], j, k));
        pins.bone.push_back(bone);
      }
  return pins;
}

double projected_section(const Bar& bar, std::span<const Vec3> positions, int i) {
  const int n = bar.lattice.cells[1];
  std::vector<int> loop;
  for (int k = 0; k < n; ++k) loop.push_back(bar.lattice.vertex(i, k, 0));
  for (int k = 0; k < n; ++k) loop.push_back(bar.lattice.vertex(i, n, k));
  for (int k = n; k > 0; --k) loop.push_back(bar.lattice.vertex(i, k, n));
  for (int k = n; k > 0; --k) loop.push_back(bar.lattice.vertex(i, 0, k));
  double twice = 0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& p = positions[static_cast<std::size_t>(loop[k])];
    const Vec3& q = positions[static_cast<std::size_t>(loop[(k + 1) % loop.size()])];
    twice += p.y * q.z - p.z * q.y;
  }
  return twice / 2 / (bar.width * bar.width);
}

std::string_view name_of(MixedMaterial material) {
  switch (material) {
    case MixedMaterial::arap:
      return "ARAP";
    case MixedMaterial::corotated:
      return "co-rotated";
    case MixedMaterial::stable_neo_hookean:
      return "neo-Hookean";
    case MixedMaterial::st_venant_kirchhoff:
      return "St. Venant-Kirchhoff";
  }
  return "";
}

}  // namespace sinew
