// The skeleton: the tree of joints that a file's clips move. Every node of the file's scene is a
// joint here, whether a skin names it or not, so that props, cameras and helpers move along.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct Joint {
  std::string name;
  int parent = -1;                    // index into Skeleton::joints, or -1
  Transform rest;                     // local, file units: the node's own TRS
  std::optional<Affine> rest_matrix;  // local, file units: replaces `rest` where the node has a matrix
  std::vector<double> rest_weights;   // morph weights that the node (or else its mesh) has by default
};

// A number of the file that clips move and that is no joint's: a custom property, a factor of a material.
struct Property {
  std::string pointer;  // its place in the file: /nodes/3/extras/breathe, /materials/0/emissiveFactor/1
  double rest = 0;      // as the file has it
};

struct Skeleton {
  std::vector<Joint> joints;       // index = index of the glTF node
  std::vector<int> parents_first;  // all joints, every parent before its children
  std::vector<Property> properties{};
};

// The state of all joints at one time. World is the file's scene: file units, not yet metres.
struct Pose {
  std::vector<Affine> world;                       // per joint, joint space to world
  std::vector<std::vector<double>> morph_weights;  // per joint, empty where its mesh has no targets
  std::vector<double> properties{};                // value of each of Skeleton::properties
};

}  // namespace sinew
