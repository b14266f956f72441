// A bar whose skin is its boundary, for tests of fits.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/shape/shape_body.h"
#include "tests/deform/bars.h"

namespace sinew::test {

struct SkinnedBar {
  Bar bar;
  SimulationSurface surface;
  std::shared_ptr<const FleshBody> body;
  std::unique_ptr<ShapeBody> shape;  // in `pose`
  std::vector<Affine> pose;

  explicit SkinnedBar(int fine = 1)
      : bar{.along = 12 * fine, .across = 4 * fine}, pose(bar_pose(bar, moved({0.3, 0.1, -0.2}), 0.8)) {
    FleshDescription description = bar_description(bar);
    std::vector<int> number(description.mesh.positions.size(), -1);
    for (Triangle t : boundary_surface(description.mesh).triangles) {
      for (int& v : t) {
        int& known = number[static_cast<std::size_t>(v)];
        if (known < 0) {
          known = static_cast<int>(surface.rest.positions.size());
          surface.rest.positions.push_back(description.mesh.positions[static_cast<std::size_t>(v)]);
        }
        v = known;
      }
      surface.rest.triangles.push_back(t);
    }
    surface.weighted = true;
    description.embedding = embed_points(description.mesh, surface.rest.positions);
    for (const Vec3& x : surface.rest.positions)
      surface.influences.push_back(between(0, 1, smooth_step((x.x - bar.length / 2) / bar.blend + 0.5)));
    body = cook_flesh(assemble_flesh(std::move(description)), {});
    shape = tetrahedral_shape_body(body, law());
    shape->set_pose(pose);
  }
  static TissueLaw law() {
    TissueLaw law;
    law.stiffening = 0.3;
    return law;
  }
  double height() const { return standing_height(surface); }

  // World, metres.
  std::vector<Vec3> skin(std::span<const Vec3> displacements) const {
    VertexFrames body_frames, skin_frames;
    predict_frames(body->description.mesh.positions, body->description.influences, pose, body_frames);
    predict_frames(surface.rest.positions, surface.influences, pose, skin_frames);
    std::vector<Vec3> moved(surface.rest.positions.size());
    surface_displacement(*body, body_frames, displacements, moved);
    for (std::size_t s = 0; s < moved.size(); ++s) moved[s] += skin_frames.goal[s];
    return moved;
  }
};

}  // namespace sinew::test
