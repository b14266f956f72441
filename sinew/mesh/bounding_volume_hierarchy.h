// A tree of axis-aligned boxes over the triangles of a surface: closest points, overlaps, and the clusters of the fast
// winding number.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_geometry.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// An axis-aligned box; empty by default.
struct Box {
  Vec3 lower{HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  void include(const Vec3& p) {
    extend_down(p);
    extend_up(p);
  }
  void include(const Box& b) {
    extend_down(b.lower);
    extend_up(b.upper);
  }

 private:
  // std::fmin() and fmax() would be function calls; nan leaves the box unchanged here too.
  void extend_down(const Vec3& p) {
    lower = {p.x < lower.x ? p.x : lower.x, p.y < lower.y ? p.y : lower.y, p.z < lower.z ? p.z : lower.z};
  }
  void extend_up(const Vec3& p) {
    upper = {p.x > upper.x ? p.x : upper.x, p.y > upper.y ? p.y : upper.y, p.z > upper.z ? p.z : upper.z};
  }
};

inline bool overlap(const Box& a, const Box& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
inline double squared_distance(const Vec3& p, const Box& b) {
  // fmax() would be a function call; nan counts as inside here too.
  const auto beyond = [](double below, double above) { return below > 0 ? below : above > 0 ? above : 0; };
  const Vec3 d{beyond(b.lower.x - p.x, p.x - b.upper.x), beyond(b.lower.y - p.y, p.y - b.upper.y),
               beyond(b.lower.z - p.z, p.z - b.upper.z)};
  return dot(d, d);
}
inline Box bounds(std::span<const Vec3> positions) {
  Box box;
  for (const Vec3& p : positions) box.include(p);
  return box;
}

// A tree over any boxes; entries are the boxes' indices.
class BoxTree {
 public:
  // Children of an inner node: the node that follows it, and `right`. A leaf holds `count` entries of order() from
  // `first` on.
  struct Node {
    Box box;
    int right = -1;            // -1: leaf
    int first = 0, count = 0;  // range of all entries below, for inner nodes too
  };

  explicit BoxTree(const std::vector<Box>& boxes);
  // Takes other boxes for the same entries, in the order of those that the tree was built over. Searches take longer
  // the less neighbours in the tree have stayed neighbours.
  void refit(std::span<const Box> boxes);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const int> order() const { return order_; }
  std::span<const Box> boxes() const { return boxes_; }  // in the sequence of order()

  // Calls visit(entry) for every entry whose box overlaps `box`, in the order of the tree.
  template <class Visit>
  void for_each_overlapping(const Box& box, const Visit& visit) const;

 private:
  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Box> boxes_;
};

std::vector<Box> triangle_boxes(const TriangleMesh& surface);

class BoundingVolumeHierarchy {
 public:
  using Node = BoxTree::Node;

  // Tree over all triangles of `surface`, which must outlive it and have finite positions. Triangles may be degenerate.
  // An empty surface gives an empty tree.
  explicit BoundingVolumeHierarchy(const TriangleMesh& surface);

  const TriangleMesh& surface() const { return *surface_; }
  std::span<const Node> nodes() const { return tree_.nodes(); }
  std::span<const int> order() const { return tree_.order(); }

  // Closest point of the surface within `radius` of p; ties go to the triangle with the lower number.
  ClosestPoint closest_point(const Vec3& p, double radius = HUGE_VAL) const;

  // Calls visit(triangle) for every triangle whose box overlaps `box`, in the order of the tree.
  template <class Visit>
  void for_each_overlapping(const Box& box, const Visit& visit) const {
    tree_.for_each_overlapping(box, visit);
  }

 private:
  const TriangleMesh* surface_;
  BoxTree tree_;
};

template <class Visit>
void BoxTree::for_each_overlapping(const Box& box, const Visit& visit) const {
  if (nodes_.empty()) return;
  int stack[128], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int index = stack[--top];
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!overlap(node.box, box)) continue;
    if (node.right < 0) {
      for (int k = node.first; k < node.first + node.count; ++k)
        if (overlap(boxes_[static_cast<std::size_t>(k)], box)) visit(order_[static_cast<std::size_t>(k)]);
    } else {
      stack[top++] = node.right;
      stack[top++] = index + 1;
    }
  }
}

}  // namespace sinew
