#include "sinew/deform/surface/vertex_terms.h"

#include <algorithm>
#include <cmath>

#include "runtime/parts/model_numbers.h"
#include "sinew/deform/surface/build_surface_model.h"

namespace sinew {
namespace {

// A rotation's derivative has poles where another rotation is as near; they are cut off at this share of the pull.
constexpr double pole_of_pull = 1e-6;

// d_s and whether the vertex is beyond an end of the segment.
struct SpokeVector {
  Vec3 from_bone;
  Vec3 along;  // unit; zero for a segment without length
  bool clamped = false;
};

SpokeVector spoke_vector(const SurfaceSegment& segment, const Vec3& point) {
  SpokeVector spoke;
  const Vec3 axis = segment.tail - segment.head;
  const double squared = squared_norm(axis);
  const double s = squared > 0 ? dot(point - segment.head, axis) / squared : 0;
  spoke.clamped = !(s > 0 && s < 1);
  spoke.along = squared > 0 ? axis / std::sqrt(squared) : Vec3{};
  spoke.from_bone = point - segment.head - axis * std::clamp(s, 0.0, 1.0);
  return spoke;
}

struct SpokeRange {
  std::size_t begin, end;
};

SpokeRange spokes_of(const SurfaceModel& model, std::size_t vertex) {
  return {static_cast<std::size_t>(model.first_spoke[vertex]), static_cast<std::size_t>(model.first_spoke[vertex + 1])};
}

// What pushes a vertex away from the bones that it has spokes to: Shi et al. 2008, equation 8.
Vec3 spoke_term(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex) {
  Vec3 sum;
  const SpokeRange range = spokes_of(model, vertex);
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Spoke& spoke = model.spokes[k];
    const SurfaceSegment& segment = moment.segments[static_cast<std::size_t>(spoke.segment)];
    const Vec3 d = spoke_vector(segment, moment.position[vertex]).from_bone;
    const double length = moment.spoke_length[k];
    sum += spoke.weight * (length / std::max(norm(d), shortest_spoke(model)) * d - d);
  }
  return sum;
}

}  // namespace

std::array<double, surface_parameters> to_array(const VertexParameters& p) {
  return {p.alpha, p.beta, p.gamma, p.lambda, p.delta};
}

VertexParameters to_parameters(const std::array<double, surface_parameters>& v) {
  return {v[0], v[1], v[2], v[3], v[4]};
}

TermArray vertex_terms(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i, Quat& guess,
                       NeighbourhoodRotation* kept) {
  TermArray terms;
  const Vec3 x = moment.position[i];
  terms[0] = moment.goal[i] - x;  // (4)
  if (!model.shape.empty()) {
    const Mat3 q = restoration_frame(model, moment, i);
    terms[0] = q * (to_matrix(model.shape[i]) * transpose_times(q, terms[0]));
  }
  terms[2] = spoke_term(model, moment, i);  // (8)
  terms[4] = moment.next_goal[i] - moment.goal[i] - moment.change[i];

  const auto begin = static_cast<std::size_t>(model.first_neighbour[i]);
  const auto end = static_cast<std::size_t>(model.first_neighbour[i + 1]);
  if (begin == end) return terms;
  const double share = 1 / static_cast<double>(end - begin);
  Mat3 a = Mat3::zero();
  Vec3 mean_offset, mean_edge, mean_change;
  for (std::size_t k = begin; k < end; ++k) {
    const auto j = static_cast<std::size_t>(model.neighbours[k]);
    const Vec3 offset = moment.position[j] - x, edge = moment.shape[j] - moment.shape[i];
    a += outer(offset, edge);  // (5)
    mean_offset += offset * share;
    mean_edge += edge * share;
    mean_change += moment.change[j] * share;
  }
  const double pull = frame_pull(model, i);
  a += neighbourhood_frame(model, moment, i) * pull;
  if (!moment.rotations_known) guess = closest_rotation(a, guess);
  const Mat3 rotation = to_matrix(guess);
  // (6), (7): the place from which the neighbours are seen where they were seen in the shape. The paper prints the
  // edges in (6) with the other sign, with which a surface at rest would not be.
  terms[1] = mean_offset - rotation * mean_edge;
  terms[3] = mean_change - moment.change[i];  // (9), the bracket closed around both
  if (kept) *kept = {rotation, rotation_derivative(a, rotation, pole_of_pull * pull).inverse, mean_edge};
  return terms;
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

Mat3 spoke_derivative(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i) {
  // d = P (x - head), P = I - t t^T while the foot slides along the bone (t) and I where it is clamped, so that
  // d(l d / |d| - d) = (l / |d| (I - u u^T) - I) P dx with u = d / |d|, which is orthogonal to t.
  Mat3 sum = Mat3::zero();
  const double shortest = shortest_spoke(model);
  const SpokeRange range = spokes_of(model, i);
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Spoke& spoke = model.spokes[k];
    const SurfaceSegment& segment = moment.segments[static_cast<std::size_t>(spoke.segment)];
    const SpokeVector vector = spoke_vector(segment, moment.position[i]);
    const double length = norm(vector.from_bone), kept = moment.spoke_length[k];
    Mat3 p = Mat3::identity();
    if (!vector.clamped) p -= outer(vector.along, vector.along);
    Mat3 across = p;
    if (length > shortest) across -= outer(vector.from_bone, vector.from_bone) * (1 / (length * length));
    sum += spoke.weight * (across * (kept / std::max(length, shortest)) - p);
  }
  return sum;
}

}  // namespace sinew
