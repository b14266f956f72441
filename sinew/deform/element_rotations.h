// Rotations of the elements of a body over the time of a clip, given by a file in place of those of bones and handles
// (the setting `rotations` of `mixed`; files/rotations_file.h). In mixed finite elements the rotation field is an input
// (Song et al. 2024, section 4).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct ElementRotations {
  std::vector<int> group;      // per element: its group; all elements of a group turn alike
  std::vector<double> time;    // per frame: seconds on the clip's time line, ascending; at least one
  std::vector<Mat3> rotation;  // [frame * groups() + group]: rest to world

  std::size_t elements() const { return group.size(); }
  std::size_t groups() const { return time.empty() ? 0 : rotation.size() / time.size(); }
  std::span<const Mat3> frame(std::size_t k) const { return std::span(rotation).subspan(k * groups(), groups()); }

  // The rotation of each element at a time: exactly that of a frame at its time, and blended between frames. Constant
  // before the first and after the last. Reuses the memory of `of_elements`.
  void at(double seconds, std::vector<Mat3>& of_elements) const;

  // Adds a frame, later than those before, with a group per element. Throws usage_error where the number of elements
  // changes or the time does not rise.
  void add(double seconds, std::span<const Mat3> of_elements);
  // Returns these rotations with as few groups as possible, numbered in the order of their first elements.
  ElementRotations grouped() const;
};

}  // namespace sinew
