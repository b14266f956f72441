#include "sinew/mesh/bounding_volume_hierarchy.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int leaf_size = 4;

// An entry with the data needed to sort it, so that sorting millions of them reads memory sequentially.
struct BoxEntry {
  Vec3 center;
  int index;
};

struct Builder {
  std::vector<BoxTree::Node>& nodes;
  std::vector<BoxEntry>& entries;
  const std::vector<Box>& boxes;  // per entry as given

  // Splits at the median along the longest side of the centres' box: the depth is log2 of the count for any boxes, so
  // that stacks of fixed size suffice. Returns the node's number.
  std::size_t build(int first, int count) {
    const std::size_t node = nodes.size();
    nodes.emplace_back();
    nodes[node].first = first;
    nodes[node].count = count;
    const auto begin = entries.begin() + first, end = begin + count;
    if (count <= leaf_size) {
      Box box;
      for (auto entry = begin; entry != end; ++entry) box.include(boxes[static_cast<std::size_t>(entry->index)]);
      nodes[node].box = box;
      return node;
    }
    Box center_box;
    for (auto entry = begin; entry != end; ++entry) center_box.include(entry->center);
    const Vec3 extent = center_box.upper - center_box.lower;
    const std::size_t axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    const int half = count / 2;
    std::nth_element(begin, begin + half, end, [axis](const BoxEntry& a, const BoxEntry& b) {
      return a.center[axis] < b.center[axis] || (a.center[axis] == b.center[axis] && a.index < b.index);
    });
    const std::size_t left = build(first, half), right = build(first + half, count - half);
    nodes[node].right = static_cast<int>(right);
    nodes[node].box = nodes[left].box;
    nodes[node].box.include(nodes[right].box);
    return node;
  }
};

}  // namespace

std::vector<Box> triangle_boxes(const TriangleMesh& surface) {
  std::vector<Box> boxes(surface.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (int v : surface.triangles[t]) boxes[t].include(surface.positions[static_cast<std::size_t>(v)]);
  return boxes;
}

BoxTree::BoxTree(const std::vector<Box>& boxes) {
  const std::size_t count = boxes.size();
  if (count == 0) return;
  std::vector<BoxEntry> entries(count);
  for (std::size_t i = 0; i < count; ++i) entries[i] = {(boxes[i].lower + boxes[i].upper) * 0.5, static_cast<int>(i)};
  nodes_.reserve(count);
  Builder{nodes_, entries, boxes}.build(0, static_cast<int>(count));
  order_.reserve(count);
  for (const BoxEntry& entry : entries) order_.push_back(entry.index);
  boxes_.reserve(count);
  for (int i : order_) boxes_.push_back(boxes[static_cast<std::size_t>(i)]);
}

void BoxTree::refit(std::span<const Box> boxes) {
  for (std::size_t k = 0; k < order_.size(); ++k) boxes_[k] = boxes[static_cast<std::size_t>(order_[k])];
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children follow their parents
    Node& node = nodes_[n];
    node.box = {};
    if (node.right >= 0) {
      node.box.include(nodes_[n + 1].box);
      node.box.include(nodes_[static_cast<std::size_t>(node.right)].box);
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) node.box.include(boxes_[static_cast<std::size_t>(k)]);
  }
}

BoundingVolumeHierarchy::BoundingVolumeHierarchy(const TriangleMesh& surface)
    : surface_(&surface), tree_(triangle_boxes(surface)) {}

ClosestPoint BoundingVolumeHierarchy::closest_point(const Vec3& p, double radius) const {
  ClosestPoint best;
  best.squared_distance = radius * radius;
  const std::span<const Node> tree = nodes();
  if (tree.empty()) return best;
  struct Entry {
    int node;
    double squared_distance;
  };
  Entry stack[128];
  int top = 0;
  stack[top++] = {0, squared_distance(p, tree[0].box)};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.squared_distance > best.squared_distance) continue;
    const Node& node = tree[static_cast<std::size_t>(entry.node)];
    if (node.right < 0) {
      for (int k = node.first; k < node.first + node.count; ++k) {
        if (squared_distance(p, tree_.boxes()[static_cast<std::size_t>(k)]) > best.squared_distance) continue;
        const int t = order()[static_cast<std::size_t>(k)];
        const Triangle& corners = surface_->triangles[static_cast<std::size_t>(t)];
        const auto corner = [&](std::size_t i) { return surface_->positions[static_cast<std::size_t>(corners[i])]; };
        ClosestPoint candidate = closest_point_on_triangle(p, corner(0), corner(1), corner(2));
        candidate.triangle = t;
        if (candidate.squared_distance < best.squared_distance ||
            (candidate.squared_distance == best.squared_distance && (best.triangle < 0 || t < best.triangle)))
          best = candidate;
      }
      continue;
    }
    const int left = entry.node + 1, right = node.right;
    const double to_left = squared_distance(p, tree[static_cast<std::size_t>(left)].box);
    const double to_right = squared_distance(p, tree[static_cast<std::size_t>(right)].box);
    if (to_left <= to_right) {
      stack[top++] = {right, to_right};
      stack[top++] = {left, to_left};
    } else {
      stack[top++] = {left, to_left};
      stack[top++] = {right, to_right};
    }
  }
  return best;
}

}  // namespace sinew
