#include "studies/shape/shape_subject.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"

namespace sinew {

std::vector<Vec3> ShapeSubject::skin(std::span<const Affine> bones, std::span<const Vec3> displacements) const {
  const FleshDescription& d = flesh.body->description;
  VertexFrames frames, rig;
  predict_frames(d.mesh.positions, d.influences, bones, frames);
  predict_frames(surface().rest.positions, surface().influences, bones, rig);
  std::vector<Vec3> positions(rig.goal.size());
  surface_displacement(*flesh.body, frames, displacements, positions);
  for (std::size_t s = 0; s < positions.size(); ++s) positions[s] += rig.goal[s];
  return positions;
}

ShapeSubject shape_subject(Character character, const std::string& name, int tetrahedra, const Progress& progress) {
  ShapeSubject subject;
  subject.character = std::move(character);
  subject.name = name;
  FleshSettings settings;
  settings.tetrahedra = tetrahedra;
  subject.flesh = prepare_flesh(subject.character, settings, progress);
  subject.law.stiffening = settings.stiffening;
  subject.body = shape_body(subject.flesh, settings);
  subject.statics = static_flesh(subject.flesh, settings);
  return subject;
}

SkinDistance distance_between(std::span<const Vec3> a, std::span<const Vec3> b, std::span<const int> vertices) {
  double sum = 0;
  SkinDistance result;
  for (const int v : vertices) {
    const double away = distance(a[index(v)], b[index(v)]);
    sum += away * away;
    result.largest = std::max(result.largest, away);
  }
  result.rms = std::sqrt(sum / static_cast<double>(vertices.size()));
  return result;
}

}  // namespace sinew
