#include "sinew/deform/surface/vertex_terms.h"

#include <algorithm>
#include <cmath>

#include "runtime/parts/model_numbers.h"
#include "sinew/deform/surface/step_equations.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

namespace equations = step_equations::HWY_NAMESPACE;  // of numbers, whatever the instruction set
using Vector = equations::Vector3<double>;
using Matrix = equations::Matrix3<double>;

Vector of(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 of(const Vector& v) { return {v.x, v.y, v.z}; }
Matrix of(const Mat3& a) {
  Matrix b;
  std::copy_n(a.m, 9, b.m);
  return b;
}
Mat3 of(const Matrix& a) {
  Mat3 b;
  std::copy_n(a.m, 9, b.m);
  return b;
}

equations::Neighbourhood<double> sum_neighbours(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  equations::Neighbourhood<double> sum =
      equations::without_neighbours(of(neighbourhood_frame(model, moment, i) * frame_pull(model, i)));
  for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k) {
    const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
    add_neighbour(of(moment.position[j] - moment.position[i]), of(moment.shape[j] - moment.shape[i]),
                  of(moment.change[j] - moment.change[i]), sum);
  }
  return sum;
}

Vector sum_spokes(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  Vector sum{0, 0, 0};
  const double shortest = shortest_spoke(model);
  for (int k = model.first_spoke[i]; k < model.first_spoke[i + 1]; ++k) {
    const auto s = static_cast<std::size_t>(k);
    const SurfaceSegment& posed = moment.segments[static_cast<std::size_t>(model.spokes[s].segment)];
    const Vec3 axis = posed.tail - posed.head;
    const double squared = squared_norm(axis);
    const equations::PosedSegment<double> segment{of(posed.head), of(axis), squared > 0 ? 1 / squared : 0};
    sum = sum + spoke_term(equations::posed_spoke(segment, of(moment.position[i]), shortest, moment.spoke_length[s],
                                                  model.spokes[s].weight));
  }
  return sum;
}

// Q S Q^T (g - x) (4)
Vec3 restoration_term(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  const Vec3 pull = moment.goal[i] - moment.position[i];
  if (model.shape.empty()) return pull;
  const Mat3 q = restoration_frame(model, moment, i);
  const RestorationShape& s = model.shape[i];
  return of(equations::restored(of(q), {{s.xx, s.xy, s.yy, s.xz, s.yz, s.zz}}, of(transpose_times(q, pull))));
}

}  // namespace

std::array<double, surface_parameters> to_array(const VertexParameters& p) {
  return {p.alpha, p.beta, p.gamma, p.lambda, p.delta};
}

VertexParameters to_parameters(const std::array<double, surface_parameters>& v) {
  return {v[0], v[1], v[2], v[3], v[4]};
}

TermArray vertex_terms(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i, Quat& guess) {
  const equations::Neighbourhood<double> around = sum_neighbours(model, moment, i);
  const int neighbours = model.first_neighbour[i + 1] - model.first_neighbour[i];
  if (neighbours > 0) guess = closest_rotation(of(around.edges), guess);
  const equations::Terms<double> terms =
      terms_of(around, neighbours > 0 ? 1.0 / neighbours : 0.0, of(to_matrix(guess)), sum_spokes(model, moment, i),
               of(moment.change[i]), of(moment.goal[i]), of(moment.next_goal[i]));
  return {restoration_term(model, moment, i), of(terms.shape), of(terms.spokes), of(terms.drag), of(terms.damping)};
}

VertexMotion vertex_step(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i,
                         const TermArray& terms) {
  const VertexParameters& p = model.parameters[i];
  const equations::Motion<double> motion = equations::within_reach(
      model.reach, of(moment.goal[i]), of(moment.next_goal[i]),
      equations::stepped(of(moment.position[i]), of(moment.change[i]), of(p.alpha * terms[0]),
                         {of(terms[1]), of(terms[2]), of(terms[3]), of(terms[4])}, p.beta, p.gamma, p.lambda, p.delta));
  return {of(motion.position), of(motion.change)};
}

Vec3 shown_offset(const Vec3& offset, double inverse_squared_range) {
  return of(equations::shown(of(offset), inverse_squared_range));
}

Vec3 shown_offset_derivative(const Vec3& offset, double inverse_squared_range, const Vec3& f) {
  return of(equations::shown_derivative(of(offset), inverse_squared_range, of(f)));
}

Vec3 offset_behind(const Vec3& shown, double inverse_squared_range) {
  constexpr double least = 0.04;  // where five times as much is behind it
  return shown / std::sqrt(std::max(1 - squared_norm(shown) * inverse_squared_range, least));
}

double frame_pull(const SurfaceModel& model, std::size_t i) {
  double spread = 0;
  for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k) {
    const int j = model.neighbours[static_cast<std::size_t>(k)];
    spread += squared_norm(model.rest[static_cast<std::size_t>(j)] - model.rest[i]);
  }
  // Neighbours that lie upon the vertex leave it to the frame.
  return SINEW_FRAME_SHARE * std::max(spread, SINEW_LEAST_SPREAD * model.height * model.height);
}

Mat3 neighbourhood_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  return model.reference == ShapeReference::rest ? restoration_frame(model, moment, i) : Mat3::identity();
}

Mat3 restoration_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  const Influences& influences = model.influences[i];
  return influences.count > 0 ? moment.bone_rotation[static_cast<std::size_t>(influences.joint[0])] : Mat3::identity();
}

}  // namespace sinew
