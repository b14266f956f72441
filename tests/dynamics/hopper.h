// A body with one leg of two bones: a trunk of 18 kg, and a leg of 0.9 m and 1.8 kg.
#pragma once

#include "tests/dynamics/chains.h"

namespace sinew::test {

inline ArticulatedBody hopper() {
  ArticulatedBody body;
  const auto add = [&](const char* name, const Vec3& offset, double mass, const Vec3& centre, const Vec3& size) {
    body.tree.parent.push_back(static_cast<int>(body.tree.parent.size()) - 1);
    body.tree.offset.push_back(offset);
    body.tree.mass.push_back(mass);
    body.tree.mass_centre.push_back(centre);
    const auto axis = [&](double a, double b) { return mass * (a * a + b * b) / 12; };  // of a box
    body.inertia.push_back({{axis(size.y, size.z), 0, 0, 0, axis(size.x, size.z), 0, 0, 0, axis(size.x, size.y)}});
    body.name.push_back(name);
    body.joint.push_back(-1);
    body.capsule.push_back({});
    body.skin_points.push_back({});
  };
  add("trunk", {}, 18, {0, 0.05, 0}, {0.6, 0.4, 0.6});
  add("thigh", {}, 1.2, {0, -0.18, 0}, {0.06, 0.45, 0.06});
  add("shin", {0, -0.45, 0}, 0.6, {0, -0.18, 0}, {0.05, 0.45, 0.05});
  body.skin_points[2] = {{0, -0.45, 0}};
  return body;
}

}  // namespace sinew::test
