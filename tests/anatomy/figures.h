// Surfaces made by hand, of pieces and chains of bones, whose anatomy one can see.
#pragma once

#include <functional>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "tests/character/influences.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {

// Starts as nothing. Bones have no names that mean anything.
struct Figure {
  SimulationSurface surface;

  int bone(int parent, const Vec3& joint) {
    Bone bone;
    bone.name = "bone " + std::to_string(surface.bones.size());
    bone.joint = static_cast<int>(surface.bones.size());
    bone.parent = parent;
    bone.rest_to_joint = Affine{Mat3::identity(), -1.0 * joint};
    bone.segments.push_back({joint, joint});
    surface.bones.push_back(bone);
    return bone.joint;
  }

  // A piece of its own, each vertex on the bones that `weights` says for its place. Returns its first vertex.
  int piece(const TriangleMesh& mesh, const std::function<Influences(const Vec3&)>& weights) {
    const auto first = static_cast<int>(surface.rest.positions.size());
    append(surface.rest, mesh);
    for (const Vec3& x : mesh.positions) surface.influences.push_back(weights(x));
    surface.weighted = true;
    return first;
  }
  int piece(const TriangleMesh& mesh, int bone) {
    return piece(mesh, [bone](const Vec3&) { return on(bone); });
  }
};

// Up along y: a body of three links, an arm of two links with a ball for a hand to each side, and a ball for a head.
// One closed piece for each ball and capsule, but weights blend over the borders, as in a skin.
struct Person {
  Figure figure;
  int hips, spine, chest, head;
  int arm[2], forearm[2], hand[2];
};
inline Person person() {
  Person p;
  Figure& f = p.figure;
  p.hips = f.bone(-1, {0, 0, 0});
  p.spine = f.bone(p.hips, {0, 0.4, 0});
  p.chest = f.bone(p.spine, {0, 0.8, 0});
  p.head = f.bone(p.chest, {0, 1.25, 0});
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1 : -1;
    p.arm[side] = f.bone(p.chest, {0.25 * s, 1.1, 0});
    p.forearm[side] = f.bone(p.arm[side], {0.75 * s, 1.1, 0});
    p.hand[side] = f.bone(p.forearm[side], {1.2 * s, 1.1, 0});
  }
  f.piece(capsule({0, 0, 0}, {0, 1.1, 0}, 0.22), [p](const Vec3& x) {
    if (x.y < 0.4) return between(p.hips, p.spine, (x.y - 0.2) / 0.4);
    if (x.y < 0.8) return between(p.spine, p.chest, (x.y - 0.6) / 0.4);
    return between(p.chest, p.head, (x.y - 1.2) / 0.3);
  });
  f.piece(sphere({0, 1.45, 0}, 0.2), [p](const Vec3& x) { return between(p.chest, p.head, (x.y - 1.15) / 0.2); });
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1 : -1;
    f.piece(capsule({0.25 * s, 1.1, 0}, {1.15 * s, 1.1, 0}, 0.08), [p, s, side](const Vec3& x) {
      const double out = s * x.x;
      return out < 0.75 ? between(p.arm[side], p.forearm[side], (out - 0.65) / 0.2)
                        : between(p.forearm[side], p.hand[side], (out - 1.15) / 0.1);
    });
    f.piece(sphere({1.28 * s, 1.1, 0}, 0.1),
            [p, s, side](const Vec3& x) { return between(p.forearm[side], p.hand[side], (s * x.x - 1.15) / 0.1); });
  }
  return p;
}

}  // namespace sinew::test
