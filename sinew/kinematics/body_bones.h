// The joints of a skeleton that are the bones of a body: hips, spine, neck, head, arms, legs and fingers. Motion is
// carried from body to body by these, whatever the skeletons call them (docs/motion.md).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/character/skeleton.h"

namespace sinew {

// An arm or a leg. Indices into Skeleton::joints, -1 where the skeleton has none.
struct LimbBones {
  int base = -1;   // clavicle; -1 for legs
  int upper = -1;  // upper arm, thigh
  int lower = -1;  // forearm, shin
  int end = -1;    // hand, foot
  int tip = -1;    // toes; -1 for arms
  // Joint at the end of the last bone above, e.g. an exporter's end marker: gives that bone its direction, and is not
  // moved itself.
  int marker = -1;
  // The joint at the far end of the lower bone: hand or foot, else the marker, else the lower bone's own joint.
  int end_joint() const { return end >= 0 ? end : marker >= 0 ? marker : lower; }
  bool operator==(const LimbBones&) const = default;
};

struct BodyBones {
  int root = -1;           // the joint that carries legs and head; its translation moves the body
  int pelvis = -1;         // the joint that carries both thighs: `root`, or one below it
  std::vector<int> spine;  // from below the root up to the chest, the joint that carries the arms
  std::vector<int> neck;   // between chest and head
  int head = -1;
  std::array<LimbBones, 2> arms, legs;  // left, right
  // Fingers of the left and the right hand: thumb, index, middle, ring and little finger, each from the hand outward.
  std::array<std::array<std::vector<int>, 5>, 2> fingers;
  std::vector<int> tail;  // from the body outward
  std::string found_by;   // "humanoid map", "names" or "structure", for messages

  // True if motion can be carried: there are a root and two legs with two bones each.
  bool complete() const;
};

inline constexpr std::array<std::string_view, 5> finger_names{"Thumb", "Index", "Middle", "Ring", "Little"};

// Bones by VRM's names ("hips", "leftUpperLeg"), each with the index of its joint.
using HumanoidMap = std::vector<std::pair<std::string, int>>;

// Whether VRM 0 or 1 has a humanoid bone of this name.
bool is_humanoid_bone(std::string_view name);

// The body of a humanoid map. Bones that it lacks stay -1; names that are no humanoid bone are ignored.
BodyBones bones_of_humanoid(const Skeleton& skeleton, const HumanoidMap& map);

// Sets the bones that a user names by VRM's names, on top of what was found.
void correct_bones(const Skeleton& skeleton, const HumanoidMap& map, BodyBones& bones);

// All joints that are bones of the body, each once.
std::vector<int> joints_of(const BodyBones& bones);

// Nearest common ancestor of two joints, or one of them; -1 if they are in different trees or either is -1.
int common_ancestor(const Skeleton& skeleton, int a, int b);
// Whether `below` is `above` or one of its descendants.
bool descends_from(const Skeleton& skeleton, int below, int above);
// Joints from below `above` down to `below`, inclusive; empty if it does not descend from it.
std::vector<int> path_down(const Skeleton& skeleton, int above, int below);

// Derives root, pelvis, spine and neck from the limbs and the head: spine and neck are the joints on the way from the
// root to the head.
void find_trunk(const Skeleton& skeleton, BodyBones& bones);

}  // namespace sinew
