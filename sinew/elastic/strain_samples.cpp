#include "sinew/elastic/strain_samples.h"

#include <algorithm>
#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

ShapeGradients checked_shape(const TetrahedralMesh& mesh, std::size_t t) {
  const ShapeGradients shape = shape_gradients(mesh, t);
  if (!(shape.volume > 0))
    throw input_error("tetrahedron " + std::to_string(t) + " of the body has no positive volume; remesh the body.");
  return shape;
}

LameModuli moduli_of(const ElementFields& fields, std::size_t t) {
  return lame_moduli(fields.young.empty() ? fields.material.young : fields.young[t],
                     fields.poisson.empty() ? fields.material.poisson : fields.poisson[t]);
}
void append_sample(StrainSamples& samples, double volume, double shear, double lambda) {
  samples.start.push_back(static_cast<int>(samples.vertex.size()));
  samples.volume.push_back(volume);
  samples.shear.push_back(shear);
  samples.lambda.push_back(lambda);
}

void append_linear(StrainSamples& samples, const TetrahedralMesh& mesh, const ElementFields& fields, double share,
                   bool deviatoric) {
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const ShapeGradients shape = checked_shape(mesh, t);
    for (std::size_t k = 0; k < 4; ++k) {
      samples.vertex.push_back(mesh.tetrahedra[t][k]);
      samples.gradient.push_back(shape.gradient[k]);
    }
    const LameModuli moduli = moduli_of(fields, t);
    const double shear = share * moduli.shear;
    // lambda = -2/3 mu leaves no resistance to change of volume: the deviatoric part of the energy.
    append_sample(samples, shape.volume * fields.inside(t), shear,
                  deviatoric ? -2.0 / 3.0 * shear : share * moduli.lambda);
  }
}

// Tetrahedra on the other side of each of the four faces (face k lies opposite corner k), or -1.
std::vector<std::array<int, 4>> face_neighbours(const TetrahedralMesh& mesh) {
  struct Face {
    std::array<int, 3> corner;
    int tetrahedron, side;
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tetrahedra.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      std::array<int, 3> corner{};
      int count = 0;
      for (int j = 0; j < 4; ++j)
        if (j != k) corner[static_cast<std::size_t>(count++)] = mesh.tetrahedra[t][static_cast<std::size_t>(j)];
      std::sort(corner.begin(), corner.end());
      faces.push_back({corner, static_cast<int>(t), k});
    }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.corner != b.corner ? a.corner < b.corner : a.tetrahedron < b.tetrahedron;
  });
  std::vector<std::array<int, 4>> neighbour(mesh.tetrahedra.size(), {-1, -1, -1, -1});
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    const Face &a = faces[i], &b = faces[i + 1];
    if (a.corner != b.corner) continue;
    neighbour[static_cast<std::size_t>(a.tetrahedron)][static_cast<std::size_t>(a.side)] = b.tetrahedron;
    neighbour[static_cast<std::size_t>(b.tetrahedron)][static_cast<std::size_t>(b.side)] = a.tetrahedron;
  }
  return neighbour;
}

// One sample per patch: gradients averaged by volume, so that the sample's F is the patch's mean F.
void append_patches(StrainSamples& samples, const TetrahedralMesh& mesh, const ElementFields& fields,
                    const std::vector<int>& patch) {
  const int patches = patch.empty() ? 0 : *std::max_element(patch.begin(), patch.end()) + 1;
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(patches));
  for (std::size_t t = 0; t < patch.size(); ++t) members[static_cast<std::size_t>(patch[t])].push_back(t);

  std::vector<int> vertices;
  std::vector<Vec3> gradients;
  for (const std::vector<std::size_t>& tetrahedra : members) {
    vertices.clear();
    for (std::size_t t : tetrahedra)
      vertices.insert(vertices.end(), mesh.tetrahedra[t].begin(), mesh.tetrahedra[t].end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    gradients.assign(vertices.size(), Vec3{});
    double volume = 0, shear = 0, bulk = 0;
    for (std::size_t t : tetrahedra) {
      const ShapeGradients shape = checked_shape(mesh, t);
      const double weight = shape.volume * fields.inside(t);
      const LameModuli moduli = moduli_of(fields, t);
      volume += weight;
      shear += weight * moduli.shear;
      bulk += weight * bulk_modulus(moduli);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), mesh.tetrahedra[t][k]);
        gradients[static_cast<std::size_t>(at - vertices.begin())] += shape.gradient[k] * weight;
      }
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      samples.vertex.push_back(vertices[i]);
      samples.gradient.push_back(gradients[i] / volume);
    }
    const double mean_shear = patch_shear_share * shear / volume;
    append_sample(samples, volume, mean_shear, bulk / volume - 2.0 / 3.0 * mean_shear);
  }
}

}  // namespace

std::vector<int> cluster_tetrahedra(const TetrahedralMesh& mesh, int size) {
  const std::vector<std::array<int, 4>> neighbour = face_neighbours(mesh);
  std::vector<int> patch(mesh.tetrahedra.size(), -1);
  std::vector<int> members, vertices;
  const auto new_vertices = [&](int t) {
    int count = 0;
    for (int v : mesh.tetrahedra[static_cast<std::size_t>(t)])
      count += std::find(vertices.begin(), vertices.end(), v) == vertices.end();
    return count;
  };
  const auto shared_faces = [&](int t) {
    int count = 0;
    for (int other : neighbour[static_cast<std::size_t>(t)])
      count += other >= 0 && std::find(members.begin(), members.end(), other) != members.end();
    return count;
  };
  const auto add = [&](int t, int label) {
    patch[static_cast<std::size_t>(t)] = label;
    members.push_back(t);
    for (int v : mesh.tetrahedra[static_cast<std::size_t>(t)])
      if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) vertices.push_back(v);
  };

  int label = 0;
  for (std::size_t seed = 0; seed < patch.size(); ++seed) {
    if (patch[seed] >= 0) continue;
    members.clear();
    vertices.clear();
    add(static_cast<int>(seed), label);
    while (static_cast<int>(members.size()) < size) {
      int best = -1, best_score = -1;
      for (int member : members)
        for (int candidate : neighbour[static_cast<std::size_t>(member)]) {
          if (candidate < 0 || patch[static_cast<std::size_t>(candidate)] >= 0) continue;
          // A tetrahedron that closes around an edge adds no vertex; next best shares most faces.
          const int score = 8 * (4 - new_vertices(candidate)) + shared_faces(candidate);
          if (score > best_score || (score == best_score && candidate < best)) best = candidate, best_score = score;
        }
      if (best < 0) break;
      add(best, label);
    }
    ++label;
  }
  return patch;
}

StrainSamples strain_samples(const TetrahedralMesh& mesh, Element element, const ElementFields& fields) {
  StrainSamples samples;
  if (element == Element::linear) {
    append_linear(samples, mesh, fields, 1.0, false);
  } else {
    append_linear(samples, mesh, fields, 1.0 - patch_shear_share, true);
    append_patches(samples, mesh, fields, cluster_tetrahedra(mesh, patch_size));
  }
  return samples;
}

Mat3 deformation_gradient(const StrainSamples& samples, std::size_t s, std::span<const Vec3> positions) {
  Mat3 f = Mat3::zero();
  for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
    const auto entry = static_cast<std::size_t>(k);
    f += outer(positions[static_cast<std::size_t>(samples.vertex[entry])], samples.gradient[entry]);
  }
  return f;
}

std::vector<double> lumped_mass(const TetrahedralMesh& mesh, const ElementFields& fields) {
  std::vector<double> mass(mesh.positions.size(), 0.0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const double quarter = checked_shape(mesh, t).volume * fields.inside(t) * fields.mass_density(t) / 4;
    for (int v : mesh.tetrahedra[t]) mass[static_cast<std::size_t>(v)] += quarter;
  }
  return mass;
}

}  // namespace sinew
