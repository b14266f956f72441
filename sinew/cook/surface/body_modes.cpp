#include "sinew/cook/surface/body_modes.h"

#include <algorithm>
#include <numbers>

#include "sinew/elastic/vibration_modes.h"

namespace sinew {
namespace {

// G_b = sum_i m_i w_ib phi(i) (x_i, 1)^T over the body's vertices, one map per bone.
std::vector<Affine> drives(const FleshBody& body, const std::vector<Vec3>& shape, std::size_t bones) {
  std::vector<Affine> drive(bones, Affine{Mat3::zero(), {}});
  for (std::size_t f = 0; f < shape.size(); ++f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Influences& influences = body.description.influences[v];
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
      const Vec3 force = (body.mass[v] * influences.weight[k]) * shape[f];
      Affine& of_bone = drive[static_cast<std::size_t>(influences.joint[k])];
      of_bone.linear += outer(force, body.description.mesh.positions[v]);
      of_bone.translation += force;
    }
  }
  return drive;
}

std::vector<Vec3> on_surface(const FleshBody& body, const std::vector<Vec3>& shape) {
  std::vector<Vec3> shown;
  for (const EmbeddedPoint& point : body.description.embedding.points) {
    Vec3 sum;
    for (std::size_t k = 0; k < 4 && point.tetrahedron >= 0; ++k) {
      const int v = body.description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k];
      const int f = body.free_index[static_cast<std::size_t>(v)];
      if (f >= 0) sum += point.weights[k] * shape[static_cast<std::size_t>(f)];
    }
    shown.push_back(sum);
  }
  return shown;
}

}  // namespace

std::vector<SurfaceMode> body_modes(const CookedFlesh& flesh, int count, double most_frequency) {
  const FleshBody& body = *flesh.body;
  std::vector<double> mass;
  for (const int v : body.free_vertex) mass.push_back(body.mass[static_cast<std::size_t>(v)]);
  std::vector<SurfaceMode> modes;
  if (mass.empty() || count < 1) return modes;
  // Block iteration needs extra vectors; all of them together must fit into the number of unknowns.
  const int most = std::max(1, static_cast<int>(3 * mass.size()) / 4);
  const VibrationModes found = vibration_modes(body.stiffness, lumped_mass_matrix(mass), {}, std::min(count, most));
  for (std::size_t k = 0; k < found.shape.size(); ++k) {
    if (found.frequency[k] > most_frequency) break;
    SurfaceMode mode;
    mode.frequency = found.frequency[k];
    const double w = 2 * std::numbers::pi * mode.frequency;
    mode.damping_ratio =
        std::clamp((body.description.mass_damping / w + body.description.stiffness_damping * w) / 2, 0.0, 1.0);
    mode.shape = on_surface(body, found.shape[k]);
    double longest = 0;
    for (const Vec3& d : mode.shape) longest = std::max(longest, norm(d));
    if (!(longest > 0)) continue;  // no part of it is visible
    for (Vec3& d : mode.shape) d = d * (1 / longest);
    // Shapes have modal mass 1, and so does the coordinate q / longest, whose force becomes that of q.
    mode.drive = drives(body, found.shape[k], flesh.surface.bones.size());
    for (Affine& bone : mode.drive) {
      bone.linear = bone.linear * longest;
      bone.translation = bone.translation * longest;
    }
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace sinew
