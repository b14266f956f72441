#include "sinew/mesh/surface/winding_number.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int exact_below = 8;  // clusters this small are summed triangle by triangle when near

// Least ratio of length to width of a sliver; layers are used if at least this fraction of all triangles are slivers.
constexpr double sliver_length = 8, many_slivers = 0.25;
constexpr std::size_t few_triangles = 64;

// The power of two below a sliver's longest side; empty for other triangles.
std::optional<int> sliver_class(const TriangleMesh& surface, const Triangle& triangle) {
  const auto at = [&](std::size_t k) { return surface.positions[static_cast<std::size_t>(triangle[k % 3])]; };
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, distance(at(k), at(k + 1)));
  if (!(longest > 0) || 2 * norm(area_vector(at(0), at(1), at(2))) * sliver_length > longest * longest)
    return std::nullopt;
  return std::ilogb(longest);
}

// Triangles that are not slivers, then slivers by length, longest first; empty if there are few slivers.
std::vector<std::vector<Triangle>> layers_of(const TriangleMesh& surface) {
  std::map<int, std::vector<Triangle>, std::greater<>> slivers;
  std::vector<std::vector<Triangle>> layers(1);
  for (const Triangle& triangle : surface.triangles) {
    if (const std::optional<int> length = sliver_class(surface, triangle))
      slivers[*length].push_back(triangle);
    else
      layers[0].push_back(triangle);
  }
  const std::size_t all = surface.triangles.size();
  if (all < few_triangles || static_cast<double>(all - layers[0].size()) < many_slivers * static_cast<double>(all))
    return {};
  for (auto& [length, triangles] : slivers) layers.push_back(std::move(triangles));
  std::erase_if(layers, [](const std::vector<Triangle>& triangles) { return triangles.empty(); });
  return layers;
}

// Moments of a cluster about its centre before they are contracted; the second ones are symmetric in the last two
// indices.
struct RawMoments {
  double area = 0;
  Vec3 center, weighted;  // `weighted`: area times centre
  Vec3 order0;
  std::array<std::array<double, 3>, 3> order1{};                 // [a][b]
  std::array<std::array<std::array<double, 3>, 3>, 3> order2{};  // [a][b][c]

  void set_center(const Box& box) { center = area > 0 ? weighted / area : (box.lower + box.upper) * 0.5; }
};

RawMoments moments_of_leaf(std::span<const std::array<Vec3, 3>> triangles, const Box& box) {
  RawMoments m;
  for (const std::array<Vec3, 3>& c : triangles) {
    const double area = norm(area_vector(c[0], c[1], c[2]));
    m.area += area;
    m.weighted += area / 3 * (c[0] + c[1] + c[2]);
  }
  m.set_center(box);
  for (const std::array<Vec3, 3>& c : triangles) {
    const Vec3 n = area_vector(c[0], c[1], c[2]);
    const std::array<Vec3, 3> x{c[0] - m.center, c[1] - m.center, c[2] - m.center};
    const Vec3 s = x[0] + x[1] + x[2];
    m.order0 += n;
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t a = 0; a < 3; ++a) {
        m.order1[a][b] += n[a] * s[b] / 3;
        for (std::size_t d = 0; d < 3; ++d)
          m.order2[a][b][d] += n[a] * (x[0][b] * x[0][d] + x[1][b] * x[1][d] + x[2][b] * x[2][d] + s[b] * s[d]) / 12;
      }
  }
  return m;
}

// Moments about a new centre, with s the vector from it to a part's centre: int n_a (x + s)_b (x + s)_d over each part.
RawMoments moments_of_both(const RawMoments& left, const RawMoments& right, const Box& box) {
  RawMoments m;
  m.area = left.area + right.area;
  m.weighted = left.weighted + right.weighted;
  m.order0 = left.order0 + right.order0;
  m.set_center(box);
  for (const RawMoments* part : {&left, &right}) {
    const Vec3 s = part->center - m.center;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        m.order1[a][b] += part->order1[a][b] + part->order0[a] * s[b];
        for (std::size_t d = 0; d < 3; ++d)
          m.order2[a][b][d] += part->order2[a][b][d] + part->order1[a][b] * s[d] + part->order1[a][d] * s[b] +
                               part->order0[a] * s[b] * s[d];
      }
  }
  return m;
}

}  // namespace

struct WindingNumber::Layer {
  TriangleMesh surface;
  BoundingVolumeHierarchy tree{surface};
  WindingNumber winding;

  Layer(std::vector<Vec3> positions, std::vector<Triangle> triangles, double accuracy)
      : surface{std::move(positions), std::move(triangles)}, winding(tree, accuracy, nullptr) {}
};

WindingNumber::WindingNumber(const BoundingVolumeHierarchy& tree, double accuracy) : tree_(&tree) {
  std::vector<std::vector<Triangle>> layers = layers_of(tree.surface());
  if (layers.size() < 2) {
    find_moments(accuracy);
    return;
  }
  for (std::vector<Triangle>& triangles : layers)
    layers_.push_back(std::make_unique<const Layer>(tree.surface().positions, std::move(triangles), accuracy));
}

WindingNumber::WindingNumber(const BoundingVolumeHierarchy& tree, double accuracy, std::nullptr_t) : tree_(&tree) {
  find_moments(accuracy);
}

WindingNumber::~WindingNumber() = default;
WindingNumber::WindingNumber(WindingNumber&&) noexcept = default;

void WindingNumber::find_moments(double accuracy) {
  const BoundingVolumeHierarchy& tree = *tree_;
  const TriangleMesh& surface = tree.surface();
  corners_.reserve(tree.order().size());
  for (int t : tree.order()) {
    const Triangle& v = surface.triangles[static_cast<std::size_t>(t)];
    corners_.push_back({surface.positions[static_cast<std::size_t>(v[0])],
                        surface.positions[static_cast<std::size_t>(v[1])],
                        surface.positions[static_cast<std::size_t>(v[2])]});
  }
  moments_.resize(tree.nodes().size());
  // Parents precede their children, and the left child follows at once: going from the last node to the first, a node
  // finds the moments of its left child on top of the stack and those of its right child below. Each triangle is thus
  // integrated once.
  std::vector<RawMoments> below;
  for (std::size_t index = moments_.size(); index-- > 0;) {
    const BoundingVolumeHierarchy::Node& node = tree.nodes()[index];
    const std::span<const std::array<Vec3, 3>> corners(corners_.data() + node.first,
                                                       static_cast<std::size_t>(node.count));
    RawMoments raw;
    if (node.right < 0) {
      raw = moments_of_leaf(corners, node.box);
    } else {
      const RawMoments left = below.back();
      below.pop_back();
      raw = moments_of_both(left, below.back(), node.box);
      below.pop_back();
    }
    Moments& m = moments_[index];
    const auto& m1 = raw.order1;
    const auto& m2 = raw.order2;
    m.center = raw.center;
    m.order0 = raw.order0;
    m.order1 = {m1[0][0], m1[1][1], m1[2][2], m1[0][1] + m1[1][0], m1[0][2] + m1[2][0], m1[1][2] + m1[2][1]};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t a = 0; a < 3; ++a) m.order2_linear[c] += 2 * m2[a][a][c] + m2[c][a][a];
    // Coefficient of a monomial: sum over all orders of its indices.
    const auto pair = [&](std::size_t a, std::size_t b) { return m2[a][a][b] + m2[a][b][a] + m2[b][a][a]; };
    m.order2 = {m2[0][0][0], m2[1][1][1],
                m2[2][2][2], pair(0, 1),
                pair(0, 2),  pair(1, 0),
                pair(1, 2),  pair(2, 0),
                pair(2, 1),  m2[0][1][2] + m2[0][2][1] + m2[1][0][2] + m2[1][2][0] + m2[2][0][1] + m2[2][1][0]};
    below.push_back(raw);
  }
  parallel_for(moments_.size(), 64, [&](std::size_t index) {
    const BoundingVolumeHierarchy::Node& node = tree.nodes()[index];
    Moments& m = moments_[index];
    double squared_radius = 0;
    for (int k = node.first; k < node.first + node.count; ++k)
      for (const Vec3& corner : corners_[static_cast<std::size_t>(k)])
        squared_radius = std::max(squared_radius, squared_norm(corner - m.center));
    m.far = accuracy * accuracy * squared_radius;
  });
}

double WindingNumber::expansion(const Moments& m, const Vec3& r) {
  // Taylor expansion of the kernel x / (4 pi |x|^3) about r = c - p, times 4 pi (section 3.2).
  const double rr = dot(r, r), inverse2 = 1 / rr, inverse3 = inverse2 / std::sqrt(rr);
  const double x = r.x, y = r.y, z = r.z;
  const auto& q = m.order1;
  const auto& c = m.order2;
  const double trace1 = q[0] + q[1] + q[2];
  const double quadratic = q[0] * x * x + q[1] * y * y + q[2] * z * z + q[3] * x * y + q[4] * x * z + q[5] * y * z;
  const double cubic = x * x * (c[0] * x + c[3] * y + c[4] * z) + y * y * (c[5] * x + c[1] * y + c[6] * z) +
                       z * z * (c[7] * x + c[8] * y + c[2] * z) + c[9] * x * y * z;
  return inverse3 * (dot(m.order0, r) + trace1 - 3 * inverse2 * quadratic +
                     0.5 * inverse2 * (15 * inverse2 * cubic - 3 * dot(m.order2_linear, r)));
}

// Adds half solid angles as arguments of a product of complex numbers, so that one arc tangent suffices for all of
// them.
void WindingNumber::add_exact(int first, int count, const Vec3& p, HalfAngleSum& sum) const {
  for (int k = first; k < first + count; ++k) {
    const auto& corner = corners_[static_cast<std::size_t>(k)];
    const Vec3 a = corner[0] - p, b = corner[1] - p, c = corner[2] - p;
    const double numerator = dot(a, cross(b, c));
    if (numerator == 0) continue;  // in the triangle's plane
    const double la = norm(a), lb = norm(b), lc = norm(c), inverse = 1 / (la * lb * lc);
    const double real = 1 + inverse * (dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    const double imaginary = inverse * numerator;
    const double next_real = sum.real * real - sum.imaginary * imaginary;
    const double next_imaginary = sum.real * imaginary + sum.imaginary * real;
    // Both angles are in [0, pi] but their sum exceeds pi, or mirrored: a full turn was lost.
    if (sum.imaginary >= 0 && imaginary >= 0 && next_imaginary < 0) ++sum.turns;
    if (sum.imaginary < 0 && imaginary < 0 && next_imaginary >= 0) --sum.turns;
    sum.real = next_real;
    sum.imaginary = next_imaginary;
    const double size = std::fabs(next_real) + std::fabs(next_imaginary);
    if (size < 1e-100 || size > 1e100) {
      if (size == 0)
        sum.real = 1;  // the point is on an edge, where any angle is valid
      else
        sum.real /= size, sum.imaginary /= size;
    }
  }
}

double WindingNumber::operator()(const Vec3& p) const {
  if (layers_.empty()) return in_tree(p);
  double sum = 0;
  for (const auto& layer : layers_) sum += layer->winding.in_tree(p);
  return sum;
}

double WindingNumber::in_tree(const Vec3& p) const {
  if (moments_.empty()) return 0;
  double sum = 0;
  HalfAngleSum half_angles;
  int stack[128], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int index = stack[--top];
    const Moments& m = moments_[static_cast<std::size_t>(index)];
    const BoundingVolumeHierarchy::Node& node = tree_->nodes()[static_cast<std::size_t>(index)];
    const Vec3 r = m.center - p;
    if (dot(r, r) > m.far) {
      sum += expansion(m, r);
    } else if (node.right < 0 || node.count <= exact_below) {
      add_exact(node.first, node.count, p, half_angles);
    } else {
      stack[top++] = node.right;
      stack[top++] = index + 1;
    }
  }
  return sum / (4 * pi) + std::atan2(half_angles.imaginary, half_angles.real) / (2 * pi) + half_angles.turns;
}

}  // namespace sinew
