// Bodies with the sizes in Song et al. (2024), made of round limbs filled with cubes of six tetrahedra: a flour sack, a
// human and a turtle, with one bone per limb.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "studies/reference/cell_lattice.h"

namespace sinew::bench {

// A cone with rounded ends, and a bone from head to tail.
struct RoundLimb {
  Vec3 head, tail;
  double head_radius, tail_radius;
  int parent;
};

struct ModelShape {
  const char* name;
  std::vector<RoundLimb> limbs;
  double cells_per_metre;
  double thickness;  // multiplies all radii
  // Counts of the paper's mesh; 0 if there is none.
  int vertices, tetrahedra;
};

inline ModelShape flour_sack(double cells_per_metre = 18.25) {
  ModelShape shape{"flour_sack", {{{0, -0.35, 0}, {0, 0.35, 0}, 0.45, 0.36, -1}}, cells_per_metre, 0.68, 2733, 11193};
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      shape.limbs.push_back({{x * 0.2, y * 0.45, 0}, {x * 0.55, y * 0.8, 0}, 0.17, 0.10, 0});
  return shape;
}

inline ModelShape human() {
  ModelShape shape{"human", {{{0, 0.95, 0}, {0, 1.42, 0}, 0.16, 0.19, -1}, {{0, 1.5, 0}, {0, 1.72, 0}, 0.10, 0.12, 0}},
                   50.25,   0.48,
                   5922,    21155};
  for (const double x : {-1.0, 1.0}) {
    const int thigh = static_cast<int>(shape.limbs.size());
    shape.limbs.push_back({{x * 0.1, 0.95, 0}, {x * 0.13, 0.5, 0}, 0.10, 0.075, 0});
    shape.limbs.push_back({{x * 0.13, 0.5, 0}, {x * 0.14, 0.06, 0}, 0.075, 0.055, thigh});
    shape.limbs.push_back({{x * 0.14, 0.05, 0}, {x * 0.15, 0.05, 0.18}, 0.055, 0.05, thigh + 1});
    shape.limbs.push_back({{x * 0.16, 1.42, 0}, {x * 0.45, 1.42, 0}, 0.07, 0.06, 0});
    shape.limbs.push_back({{x * 0.45, 1.42, 0}, {x * 0.72, 1.42, 0}, 0.06, 0.05, thigh + 3});
    shape.limbs.push_back({{x * 0.72, 1.42, 0}, {x * 0.86, 1.42, 0}, 0.06, 0.045, thigh + 4});
  }
  return shape;
}

inline ModelShape turtle() {
  ModelShape shape{"turtle",
                   {{{0, 0.05, -0.4}, {0, 0.05, 0.4}, 0.33, 0.33, -1},
                    {{-0.3, 0, -0.35}, {-0.3, 0, 0.35}, 0.3, 0.3, 0},
                    {{0.3, 0, -0.35}, {0.3, 0, 0.35}, 0.3, 0.3, 0},
                    {{0, 0.05, 0.6}, {0, 0.15, 1.0}, 0.14, 0.17, 0},
                    {{0, 0, -0.6}, {0, -0.05, -1.1}, 0.10, 0.05, 0}},
                   22.3,
                   0.49,
                   4371,
                   16728};
  for (const double x : {-1.0, 1.0})
    for (const double z : {-1.0, 1.0})
      shape.limbs.push_back({{x * 0.45, -0.1, z * 0.4}, {x * 0.85, -0.3, z * 0.75}, 0.15, 0.11, 0});
  return shape;
}

inline double distance_to(const RoundLimb& limb, const Vec3& p, double thickness) {
  const Vec3 along = limb.tail - limb.head;
  const double t = std::clamp(dot(p - limb.head, along) / squared_norm(along), 0.0, 1.0);
  return distance(p, limb.head + along * t) -
         thickness * (limb.head_radius + (limb.tail_radius - limb.head_radius) * t);
}

inline TetrahedralMesh mesh_of(const ModelShape& shape) {
  Vec3 lower{1e9, 1e9, 1e9}, upper{-1e9, -1e9, -1e9};
  for (const RoundLimb& limb : shape.limbs) {
    const double r = shape.thickness * std::max(limb.head_radius, limb.tail_radius);
    lower = min(lower, min(limb.head, limb.tail) - Vec3{r, r, r});
    upper = max(upper, max(limb.head, limb.tail) + Vec3{r, r, r});
  }
  const double size = 1 / shape.cells_per_metre;
  const Vec3 extent = (upper - lower) / size;
  const auto count = [](double cells) { return static_cast<int>(std::ceil(cells)); };
  TetrahedralMesh mesh = cell_lattice(
                             {count(extent.x), count(extent.y), count(extent.z)}, {size, size, size},
                             [&](int i, int j, int k) {
                               const Vec3 centre = lower + size * Vec3{i + 0.5, j + 0.5, k + 0.5};
                               return std::any_of(shape.limbs.begin(), shape.limbs.end(), [&](const RoundLimb& limb) {
                                 return distance_to(limb, centre, shape.thickness) < 0;
                               });
                             },
                             CellDivision::six)
                             .mesh;
  for (Vec3& p : mesh.positions) p += lower;
  return mesh;
}

inline std::vector<Bone> bones_of(const ModelShape& shape) {
  std::vector<Bone> bones;
  for (const RoundLimb& limb : shape.limbs) {
    Bone bone;
    bone.name = "limb " + std::to_string(bones.size());
    bone.parent = limb.parent;
    bone.segments = {{limb.head, limb.tail}};
    bones.push_back(bone);
  }
  return bones;
}

// A pseudo-random pose: every bone but the first rotated about its head by up to `most` radians, children with their
// parents.
inline std::vector<Affine> pose_of(const std::vector<Bone>& bones, int number, double most = 0.8) {
  std::uint64_t state = 88172645463325252ull + static_cast<std::uint64_t>(number) * 7919;
  const auto noise = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
  };
  std::vector<Affine> maps;
  for (const Bone& bone : bones) {
    const Vec3 axis = normalized(Vec3{noise(), noise(), noise()});
    const Mat3 turn = bone.parent < 0 ? Mat3::identity() : to_matrix(axis_angle(axis, most * noise()));
    const Vec3 head = bone.segments[0].head;
    const Affine map{turn, head - turn * head};
    maps.push_back(bone.parent < 0 ? map : maps[static_cast<std::size_t>(bone.parent)] * map);
  }
  return maps;
}

}  // namespace sinew::bench
