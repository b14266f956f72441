// Bends of a character's joints for the comparison of skinning: elbow, knee, shoulder and fingers as its anatomy names
// them, or joints that are given.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "studies/mixed/limb_joints.h"

namespace sinew {

// Joints that turn together from the modelled rest pose.
struct Bend {
  std::string name;             // for tables: "elbow 90"
  std::vector<LimbTurn> turns;  // at their full angles; bones are those of the surface
  bool twist = false;           // about the limb's own axis
};

// Bend of one joint. The axis is at right angles to the plane of the limb's own bend, so that it bends further; a
// straight limb bends towards `towards`, a direction in rest space. Throws input_error where the bone has no length.
LimbTurn further_bend(std::span<const Bone> bones, int bone, const Vec3& towards);

// Bends by 45, 90 and 135 degrees and a twist by 180 of every joint that `pattern` (with * and ?) matches. Throws
// input_error where none does.
std::vector<Bend> bends_of_joint(std::span<const Bone> bones, const std::string& pattern);

// Bends of what is there of a left elbow and knee (45, 90, 135 degrees), a twist of the forearm by 180, an arm raised
// by 90, and a finger of which each joint is curled by 90; where a name says no side, of the first. Throws input_error
// where there is none of them.
std::vector<Bend> usual_bends(std::span<const Bone> bones);

// Folds by 150 degrees of what is there of a left elbow, knee, hip and first joint of a finger, and of the neck. Throws
// input_error where there is none of them.
std::vector<Bend> usual_folds(std::span<const Bone> bones);

// A fold by 150 degrees of every joint that `pattern` (with * and ?) matches. Throws input_error where none does.
std::vector<Bend> folds_of_joint(std::span<const Bone> bones, const std::string& pattern);

// Rest to world map of each of `bones`, with `share` of the bend, 0 to 1. `bones` may be another list of the same
// character than `bent`, the one that the bend was made of.
std::vector<Affine> bent_bones(const Skeleton& skeleton, std::span<const Bone> bones, std::span<const Bone> bent,
                               const Bend& bend, double share);

}  // namespace sinew
