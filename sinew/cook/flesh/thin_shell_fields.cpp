#include "sinew/cook/flesh/thin_shell_fields.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/mesh/corner_means.h"

namespace sinew {
namespace {

// Stiffness of a shell relative to flesh. At this stiffness it does not visibly stretch under loads that make it swing.
constexpr double shell_stiffness = 10;
// Share of its length from which on it is all shell, and strength that holds its end relative to its root.
constexpr double all_sheet = 0.3, held_at_end = 0.1;
// Share of a shell below which a vertex does not belong to it, and above which it has no core.
constexpr double least_share = 0.05, without_core = 0.25;

// Falls fast near the root, so that most of the shell bends.
double held_at(double out) { return held_at_end + (1 - held_at_end) * (1 - out) * (1 - out); }

}  // namespace

ThinShellFields thin_shell_fields(const TetrahedralMesh& mesh, const Embedding& embedding,
                                  const std::vector<ThinShell>& shells) {
  ThinShellFields fields;
  if (shells.empty()) return fields;
  constexpr std::size_t columns = 3;
  std::vector<double> values(columns * embedding.points.size(), 0.0);
  for (const ThinShell& shell : shells)
    for (std::size_t k = 0; k < shell.vertices.size(); ++k) {
      double* const value = values.data() + columns * index(shell.vertices[k]);
      value[0] = smooth_step(shell.out[k] / all_sheet);
      value[1] = shell.out[k];
      value[2] = shell.out[k] * shell.length;
    }
  const std::vector<double> extended = extend_into_volume(mesh, embedding, values, columns);
  const std::size_t count = mesh.positions.size();
  for (std::vector<double>* field : {&fields.share, &fields.out, &fields.distance}) field->resize(count);
  for (std::size_t v = 0; v < count; ++v) {
    const double share = std::clamp(extended[columns * v], 0.0, 1.0);
    fields.share[v] = share < least_share ? 0 : share;
    fields.out[v] = std::clamp(extended[columns * v + 1], 0.0, 1.0);
    fields.distance[v] = std::max(0.0, extended[columns * v + 2]);
  }
  return fields;
}

void clear_thin_shells(const ThinShellFields& fields, const std::vector<ThinShell>& shells, FleshMap& map) {
  for (std::size_t v = 0; v < fields.share.size(); ++v) {
    const double share = fields.share[v];
    if (share == 0) continue;
    if (share > without_core) map.core[v] = 0;
    map.bone_proximity[v] *= 1 - share;
    map.bone_distance[v] = map.bone_distance[v] < HUGE_VAL
                               ? map.bone_distance[v] + share * (fields.distance[v] - map.bone_distance[v])
                               : fields.distance[v];
  }
  for (const ThinShell& shell : shells)
    for (const int v : shell.vertices)
      if (shell.thickness > 0) map.depth[index(v)] = std::min(map.depth[index(v)], shell.thickness);
}

void stiffen_thin_shells(const ThinShellFields& fields, const std::vector<double>& factor,
                         std::vector<double>& stiffness) {
  for (std::size_t v = 0; v < fields.share.size(); ++v)
    stiffness[v] += fields.share[v] * (shell_stiffness * factor[v] - stiffness[v]);
}

std::vector<double> thin_shell_stiffening(const TetrahedralMesh& mesh, const ThinShellFields& fields) {
  if (fields.none()) return std::vector<double>(mesh.tetrahedra.size(), 1.0);
  return corner_means(mesh, [&](std::size_t v) { return 1 + fields.share[v] * (shell_stiffness - 1); });
}

std::vector<double> held_parts(const TetrahedralMesh& mesh, const ThinShellFields& fields,
                               const std::vector<double>& thin) {
  if (fields.none()) return thin;
  std::vector<double> held =
      corner_means(mesh, [&](std::size_t v) { return fields.share[v] * held_at(fields.out[v]); });
  const std::vector<double> share = corner_means(mesh, [&](std::size_t v) { return fields.share[v]; });
  for (std::size_t t = 0; t < held.size(); ++t) held[t] += (1 - share[t]) * thin[t];
  return held;
}

std::vector<double> with_thin_shells(const TetrahedralMesh& mesh, const ThinShellFields& fields,
                                     std::vector<double> thin) {
  if (fields.none()) return thin;
  const std::vector<double> share = corner_means(mesh, [&](std::size_t v) { return fields.share[v]; });
  for (std::size_t t = 0; t < thin.size(); ++t) thin[t] += share[t] * (1 - thin[t]);
  return thin;
}

}  // namespace sinew
