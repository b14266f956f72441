// A damped bar of tetrahedra under every reference, for tests of hands and obstacles.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"

namespace sinew::test {

using Reference = std::function<std::unique_ptr<BodyMotion>(std::shared_ptr<const FleshBody>)>;
inline QuasiNewton converged(NaturalShape shape) {
  QuasiNewton how;
  how.shape = shape;
  how.tolerance = 1e-8;
  how.most_iterations = 200;
  how.precision = TissuePrecision::doubles;
  return how;
}
inline const Reference references[] = {
    [](std::shared_ptr<const FleshBody> body) { return rig_reference_flesh(body); },
    [](std::shared_ptr<const FleshBody> body) { return elastic_reference_flesh(body); },
    [](std::shared_ptr<const FleshBody> body) { return elastic_reference_flesh(body, Warping::vertex); },
    [](std::shared_ptr<const FleshBody> body) { return quasi_newton_flesh(body, converged(NaturalShape::goal)); },
    [](std::shared_ptr<const FleshBody> body) { return quasi_newton_flesh(body, converged(NaturalShape::rest)); }};

inline Bar damped_tetrahedra_bar() {
  Bar bar;
  bar.along = 8;
  bar.length = 0.4;
  bar.width = 0.12;
  bar.mass_damping = 8;
  bar.stiffness_damping = 0.002;
  return bar;
}

inline std::vector<Vec3> places(const FleshBody& body, const BodyMotion& flesh, const std::vector<Affine>& pose) {
  VertexFrames frames;
  predict_frames(body.description.mesh.positions, body.description.influences, pose, frames);
  std::vector<Vec3> result(frames.goal.size());
  for (std::size_t v = 0; v < result.size(); ++v)
    result[v] = frames.goal[v] + frames.rotation[v] * flesh.local_displacements()[v];
  return result;
}

inline double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

inline int vertex_near(const FleshBody& body, const Vec3& place) {
  std::size_t best = 0;
  const std::vector<Vec3>& rest = body.description.mesh.positions;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (distance(rest[v], place) < distance(rest[best], place)) best = v;
  return static_cast<int>(best);
}

// How deep the deepest free vertex is inside a collider, metres; negative where none is inside.
inline double deepest(const FleshBody& body, const BodyMotion& flesh, const std::vector<Affine>& pose,
                      const Colliders& colliders) {
  double most = -HUGE_VAL;
  const std::vector<Vec3> now = places(body, flesh, pose);
  for (std::size_t v = 0; v < now.size(); ++v)
    for (std::size_t c = 0; c < colliders.size() && body.free_index[v] >= 0; ++c)
      most = std::max(most, -gap_to(colliders, c, now[v]).distance);
  return most;
}

}  // namespace sinew::test
