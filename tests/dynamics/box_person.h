// A person of boxes on the skeleton of tests/kinematics/human.h: about 70 kg, 1.75 m, arms to the sides.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/dynamics/react.h"
#include "tests/kinematics/human.h"

namespace sinew::test {

// A closed box whose vertices follow one joint.
inline void add_box(Part& part, const Vec3& lower, const Vec3& upper, int joint) {
  const int first = static_cast<int>(part.surface.positions.size());
  for (int corner = 0; corner < 8; ++corner) {
    part.surface.positions.push_back(
        {corner & 1 ? upper.x : lower.x, corner & 2 ? upper.y : lower.y, corner & 4 ? upper.z : lower.z});
    Influences influences;
    influences.count = 1;
    influences.joint[0] = joint;
    influences.weight[0] = 1;
    part.influences.push_back(influences);
  }
  for (const Triangle& t : {Triangle{0, 2, 3},
                            {0, 3, 1},
                            {4, 5, 7},
                            {4, 7, 6},
                            {0, 1, 5},
                            {0, 5, 4},
                            {2, 6, 7},
                            {2, 7, 3},
                            {0, 4, 6},
                            {0, 6, 2},
                            {1, 3, 7},
                            {1, 7, 5}})
    part.surface.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

// A character whose only part is skinned to all joints of a skeleton in its rest pose.
inline Character skinned_to(const Skeleton& skeleton, Part part) {
  Character character;
  character.file = "boxes.glb";
  character.skeleton = skeleton;
  Skin skin;
  const Pose rest = sample(skeleton, nullptr, 0);
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    skin.joints.push_back(static_cast<int>(j));
    skin.inverse_bind.push_back(inverse(rest.world[j]));
  }
  character.skins.push_back(skin);
  part.skin = part.node_skin = 0;
  part.joint = 0;
  character.parts.push_back(std::move(part));
  return character;
}

struct BoxPerson {
  Character character;
  BodyBones bones;
  ReferencePose reference;
};

inline BoxPerson box_person() {
  const Human human = make_human();
  Part part;
  part.name = "boxes";
  const auto box = [&](const char* name, const Vec3& lower, const Vec3& upper) {
    // Half a millimetre between neighbours: every point inside is nearest to its own box.
    const Vec3 gap{5e-4, 5e-4, 5e-4};
    add_box(part, lower + gap, upper - gap, human.joint.at(name));
  };
  box("hips", {-0.16, 0.92, -0.1}, {0.16, 1.1, 0.1});
  box("spine", {-0.14, 1.1, -0.1}, {0.14, 1.24, 0.1});
  box("spine1", {-0.15, 1.24, -0.1}, {0.15, 1.37, 0.1});
  box("spine2", {-0.17, 1.37, -0.1}, {0.17, 1.52, 0.1});
  box("neck", {-0.05, 1.52, -0.05}, {0.05, 1.6, 0.06});
  box("head", {-0.08, 1.6, -0.1}, {0.08, 1.8, 0.1});
  for (const double s : {1.0, -1.0}) {
    const std::string side = s > 0 ? "L" : "R";
    const auto mirrored = [&](const std::string& name, const Vec3& a, const Vec3& b) {
      const double low = std::min(s * a.x, s * b.x), high = std::max(s * a.x, s * b.x);
      box((name + side).c_str(), {low, a.y, a.z}, {high, b.y, b.z});
    };
    mirrored("upperArm", {0.18, 1.4, -0.045}, {0.46, 1.5, 0.045});
    mirrored("lowerArm", {0.46, 1.41, -0.04}, {0.72, 1.49, 0.04});
    mirrored("hand", {0.72, 1.42, -0.04}, {0.88, 1.47, 0.04});
    mirrored("thigh", {0.03, 0.52, -0.07}, {0.17, 0.92, 0.08});
    mirrored("shin", {0.06, 0.09, -0.06}, {0.16, 0.52, 0.06});
    mirrored("foot", {0.06, 0, -0.07}, {0.16, 0.09, 0.12});
    mirrored("toes", {0.06, 0, 0.12}, {0.16, 0.04, 0.2});
  }
  BoxPerson person{skinned_to(human.skeleton, std::move(part)), {}, {}};
  person.reference = human.body().reference;
  person.bones = human.body().bones;
  return person;
}

struct PersonLinks {
  BoxPerson person;
  Clip stand{"stand", {}, 0, 0, {}};
  CharacterLinks links;
};

inline PersonLinks person_links() {
  PersonLinks made{box_person(), {"stand", {}, 0, 0, {}}, {}};
  const Character& character = made.person.character;
  made.links = character_links(character, simulation_surface(character), made.person.bones,
                               sample(character.skeleton, nullptr, 0), 1000);
  set_limits(character, made.person.bones, made.person.reference, made.links.body);
  return made;
}

inline Reaction react_standing(const PersonLinks& made, const ReactOptions& options) {
  const ReferenceMotion motion(made.person.character, made.stand, false, made.links);
  return react(made.links, motion, options);
}

inline int link_of(const CharacterLinks& links, const std::string& name) {
  for (std::size_t k = 0; k < links.body.size(); ++k)
    if (links.body.name[k] == name) return static_cast<int>(k);
  return -1;
}

}  // namespace sinew::test
