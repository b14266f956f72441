#include "sinew/rig/lattice_deformer.h"

#include <cmath>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_deformer_vertices_per_task = 512;
constexpr int highest_degree = 16;
constexpr double rim = 1e-9;  // of the box: tolerance within which vertices on its faces are inside

double bernstein(int degree, int i, double t) {
  double value = 1;
  for (int k = 1; k <= i; ++k) value *= t * (degree - k + 1) / k;
  for (int k = i; k < degree; ++k) value *= 1 - t;
  return value;
}

Mat3 edges(const LatticeBox& box) { return Mat3::from_columns(box.axes[0], box.axes[1], box.axes[2]); }

bool is_flat(const LatticeBox& box) {
  const double size = norm(box.axes[0]) * norm(box.axes[1]) * norm(box.axes[2]);
  return !(std::fabs(determinant(edges(box))) > 1e-9 * size);
}

}  // namespace

Vec3 lattice_coordinates(const LatticeBox& box, const Vec3& x) { return inverse(edges(box)) * (x - box.origin); }

Vec3 lattice_point(const LatticeBox& box, const LatticeIndex& i) {
  Vec3 x = box.origin;
  for (std::size_t axis = 0; axis < 3; ++axis) x += box.axes[axis] * (static_cast<double>(i[axis]) / box.degrees[axis]);
  return x;
}

double lattice_weight(const LatticeBox& box, const LatticeIndex& i, const Vec3& coordinates) {
  double weight = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) weight *= bernstein(box.degrees[axis], i[axis], coordinates[axis]);
  return weight;
}

Vec3 free_form_deformation(const LatticeBox& box, std::span<const Vec3> grid, const Vec3& coordinates) {
  Vec3 x;
  std::size_t at = 0;
  for (int i = 0; i <= box.degrees[0]; ++i)
    for (int j = 0; j <= box.degrees[1]; ++j)
      for (int k = 0; k <= box.degrees[2]; ++k) x += lattice_weight(box, {i, j, k}, coordinates) * grid[at++];
  return x;
}

LatticeLayer::LatticeLayer(std::string name, const LatticeBox& box, std::vector<LatticeControl> controls)
    : name_(std::move(name)), box_(box), controls_(std::move(controls)) {
  for (const int degree : box_.degrees)
    if (degree < 1 || degree > highest_degree)
      throw input_error(name_ + ": degrees must be from 1 to " + std::to_string(highest_degree) + ".");
  if (is_flat(box_)) throw input_error(name_ + ": the box is flat; give it three edges that span a volume.");
  if (controls_.empty()) throw input_error(name_ + ": the lattice has no control points; name the nodes that are.");
  std::set<LatticeIndex> points;
  std::set<int> nodes;
  for (const LatticeControl& control : controls_) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (control.point[axis] < 0 || control.point[axis] > box_.degrees[axis])
        throw input_error(name_ + ": a control point has the index " + std::to_string(control.point[axis]) +
                          " along an axis that has 0 to " + std::to_string(box_.degrees[axis]) + ".");
    if (!points.insert(control.point).second)
      throw input_error(name_ + ": two nodes stand for one control point of the lattice; give each its own.");
    if (!nodes.insert(control.node).second)
      throw input_error(name_ + ": a node stands for two control points of the lattice; name it once.");
    nodes_.push_back(control.node);
  }
}

void LatticeLayer::bind(std::span<const Vec3>, std::span<const Vec3> surface) {
  weight_.clear();
  std::vector<int> reached;
  std::vector<std::vector<int>> led_by;
  for (std::size_t v = 0; v < surface.size(); ++v) {
    const Vec3 at = lattice_coordinates(box_, surface[v]);
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) inside &= at[axis] >= -rim && at[axis] <= 1 + rim;
    if (!inside) continue;
    reached.push_back(static_cast<int>(v));
    std::vector<int>& controls = led_by.emplace_back();
    for (std::size_t c = 0; c < controls_.size(); ++c) {
      weight_.push_back(lattice_weight(box_, controls_[c].point, at));
      if (weight_.back() != 0) controls.push_back(static_cast<int>(c));
    }
  }
  if (reached.empty())
    throw input_error(name_ + ": no vertex is inside the lattice's box; move the box to the surface.");
  reach_ = LayerReach(std::move(reached), led_by, controls_.size(), surface.size());
}

void LatticeLayer::apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const {
  if (controls.reference == controls.displaced) return;
  const std::size_t count = controls_.size();
  std::vector<Vec3> displacement;
  for (std::size_t c = 0; c < count; ++c) displacement.push_back(controls.displaced[c] - controls.reference[c]);
  parallel_for(positions.size(), lattice_deformer_vertices_per_task, [&](std::size_t k) {
    const auto i = index(positions[k]);
    Vec3 sum;
    for (std::size_t c = 0; c < count; ++c) sum += weight_[i * count + c] * displacement[c];
    surface[index(reach_.vertices()[i])] += sum;
  });
}

// The displacement is linear in the control points, and independent of the current surface.
class LatticeLayer::Derivative : public LayerDerivative {
 public:
  explicit Derivative(const LatticeLayer& layer) : layer_(layer) {}

  void apply(const LayerControls& rate, std::span<const int> moving, SurfaceRates& surface) const override {
    const std::size_t count = layer_.controls_.size();
    for (const int control : moving) {
      const auto c = index(control);
      const Vec3 displacement_rate = rate.displaced[c] - rate.reference[c];
      const std::vector<int>& vertices = layer_.reach_.vertices();
      for (std::size_t i = 0; i < vertices.size(); ++i)
        if (const double weight = layer_.weight_[i * count + c]; weight != 0)
          surface.at(vertices[i]) += weight * displacement_rate;
    }
  }

 private:
  const LatticeLayer& layer_;
};

std::unique_ptr<LayerDerivative> LatticeLayer::derivative(const LayerControls&, std::span<const Vec3>) const {
  return std::make_unique<Derivative>(*this);
}

}  // namespace sinew
