// A bird of boxes: a body of 0.8 m and two wings of two bones, flat plates of 0.9 by 0.3 m.
#pragma once

#include "sinew/dynamics/flight/flyer.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {

struct BoxBird {
  Character character;
  CharacterLinks links;
};

// `raised`: angle by which the wings are up in the bind pose, radians.
inline BoxBird box_bird(double raised = 0) {
  Skeleton skeleton;
  const auto add_joint = [&](const char* name, int parent, const Vec3& place, const Quat& turn = {}) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = place;
    joint.rest.rotation = turn;
    skeleton.joints.push_back(joint);
    skeleton.parents_first.push_back(static_cast<int>(skeleton.joints.size()) - 1);
    return skeleton.parents_first.back();
  };
  const int body = add_joint("body", -1, {0, 1, 0});
  Part part;
  part.name = "bird";
  add_box(part, {-0.07, 0.92, -0.4}, {0.07, 1.08, 0.4}, body);
  for (const double side : {1.0, -1.0}) {
    const Quat turn = axis_angle({0, 0, 1}, side * raised);
    const int inner = add_joint(side > 0 ? "wing.L" : "wing.R", body, {side * 0.08, 0.05, 0.1}, turn);
    const int outer = add_joint(side > 0 ? "tip.L" : "tip.R", inner, {side * 0.45, 0, 0});
    const Vec3 shoulder{side * 0.08, 1.05, 0.1};
    for (const auto& [joint, from, to] : {std::tuple{inner, 0.001, 0.449}, {outer, 0.451, 0.9}}) {
      const std::size_t first = part.surface.positions.size();
      add_box(part, {std::min(side * from, side * to), -0.01, -0.2}, {std::max(side * from, side * to), 0.01, 0.1},
              joint);
      for (std::size_t v = first; v < part.surface.positions.size(); ++v)
        part.surface.positions[v] = shoulder + rotate(turn, part.surface.positions[v]);
    }
  }
  BoxBird bird{skinned_to(skeleton, std::move(part)), {}};
  bird.links = character_links(bird.character, simulation_surface(bird.character), BodyBones{},
                               sample(bird.character.skeleton, nullptr, 0), 1000);
  return bird;
}

inline Flyer box_flyer(double speed = 8) {
  BoxBird bird = box_bird();
  return make_flyer(bird.character, simulation_surface(bird.character), std::move(bird.links), speed, 0);
}

}  // namespace sinew::test
