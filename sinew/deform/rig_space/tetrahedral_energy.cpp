#include "sinew/deform/rig_space/tetrahedral_energy.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

namespace kernel = tetrahedral_kernel;

constexpr std::size_t block_grain = 8, tetrahedral_energy_vertex_grain = 64;

// Columns are the edges from corner 0.
Mat3 edges(const Tetrahedron& t, std::span<const Vec3> x) {
  const Vec3& origin = x[index(t[0])];
  return Mat3::from_columns(x[index(t[1])] - origin, x[index(t[2])] - origin, x[index(t[3])] - origin);
}

}  // namespace

TetrahedralEnergy::TetrahedralEnergy(const TetrahedralMesh& mesh, const TetrahedralMaterial& material)
    : mesh_(&mesh), material_(&material) {
  rest_inverse_edges_.reserve(mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) rest_inverse_edges_.push_back(inverse(edges(t, mesh.positions)));
}

bool TetrahedralEnergy::activate(std::span<const char> moves) {
  if (std::equal(moves.begin(), moves.end(), moves_.begin(), moves_.end())) return false;
  moves_.assign(moves.begin(), moves.end());
  tetrahedra_.clear();
  std::vector<int> coupled, start{0};  // vertices that move, of each active tetrahedron
  corner_start_.assign(moves.size() + 1, 0);
  for (std::size_t e = 0; e < mesh_->tetrahedra.size(); ++e) {
    const Tetrahedron& t = mesh_->tetrahedra[e];
    if (std::none_of(t.begin(), t.end(), [&](int v) { return moves[index(v)] != 0; })) continue;
    const double size = volume(mesh_->positions[index(t[0])], mesh_->positions[index(t[1])],
                               mesh_->positions[index(t[2])], mesh_->positions[index(t[3])]);
    tetrahedra_.push_back({t, size * material_->fill[e], {material_->shear[e], material_->lambda[e]}, e});
    for (const int v : t)
      if (moves[index(v)]) {
        coupled.push_back(v);
        ++corner_start_[index(v) + 1];
      }
    start.push_back(static_cast<int>(coupled.size()));
  }
  for (std::size_t v = 0; v < moves.size(); ++v) corner_start_[v + 1] += corner_start_[v];
  corners_.resize(coupled.size());
  std::vector<int> next(corner_start_.begin(), corner_start_.end() - 1);
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e)
    for (std::size_t c = 0; c < 4; ++c) {
      const int v = tetrahedra_[e].vertex[c];
      if (moves[index(v)]) corners_[index(next[index(v)]++)] = {static_cast<int>(e), static_cast<int>(c)};
    }
  pattern_ = block_pattern(static_cast<int>(moves.size()), coupled, start);
  place_.assign(corners_.size(), {-1, -1, -1, -1});
  for (std::size_t v = 0; v < moves.size(); ++v)
    for (auto k = index(corner_start_[v]); k < index(corner_start_[v + 1]); ++k)
      for (std::size_t c = 0; c < 4; ++c) {
        const int other = tetrahedra_[index(corners_[k].tetrahedron)].vertex[c];
        if (moves[index(other)]) place_[k][c] = find_block(pattern_, static_cast<int>(v), other);
      }
  const std::size_t count = (tetrahedra_.size() + kernel::lanes - 1) / kernel::lanes;
  blocks_.assign(count, {});
  own_inverse_edges_.assign(count, {});
  energy_.assign(count, {});
  force_.resize(count);
  stiffness_.resize(count);
  for (std::size_t slot = 0; slot < count * kernel::lanes; ++slot) {
    // The last block is padded with the last tetrahedron, with zero volume.
    const Active& t = tetrahedra_[std::min(slot, tetrahedra_.size() - 1)];
    kernel::Block& block = blocks_[slot / kernel::lanes];
    const std::size_t lane = slot % kernel::lanes;
    for (std::size_t c = 0; c < 4; ++c) block.vertex[c][lane] = t.vertex[c];
    block.volume[lane] = slot < tetrahedra_.size() ? t.volume : 0;
    block.shear[lane] = t.moduli.shear;
    block.lambda[lane] = t.moduli.lambda;
    for (std::size_t k = 0; k < 9; ++k)
      own_inverse_edges_[slot / kernel::lanes][k][lane] = block.inverse_edges[k][lane] =
          rest_inverse_edges_[t.source].m[k];
  }
  return true;
}

Mat3 TetrahedralEnergy::inverse_edges(std::size_t e) const {
  Mat3 result;
  for (std::size_t k = 0; k < 9; ++k) result.m[k] = blocks_[e / kernel::lanes].inverse_edges[k][e % kernel::lanes];
  return result;
}

void TetrahedralEnergy::set_inverse_edges(std::size_t e, const Mat3& inverse) {
  for (std::size_t k = 0; k < 9; ++k) blocks_[e / kernel::lanes].inverse_edges[k][e % kernel::lanes] = inverse.m[k];
}

Mat3 TetrahedralEnergy::displacement_gradient(std::size_t e, std::span<const Vec3> x) const {
  return edges(tetrahedra_[e].vertex, x) * inverse_edges(e) - Mat3::identity();
}

void TetrahedralEnergy::rest_at(std::span<const Vec3> x, double least_stretch) {
  std::vector<kernel::Lanes> flat(blocks_.size());
  parallel_chunks(blocks_.size(), block_grain, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    kernel::rest_at(std::span(blocks_).subspan(begin, count), std::span(own_inverse_edges_).subspan(begin, count),
                    x.data(), least_stretch, std::span(flat).subspan(begin, count));
    // The smallest singular value of F is at least |det F| / (|F|^2 / 2): few shapes need a decomposition.
    for (std::size_t e = begin * kernel::lanes; e < std::min(end * kernel::lanes, tetrahedra_.size()); ++e) {
      if (flat[e / kernel::lanes][e % kernel::lanes] == 0) continue;
      const Mat3& own = rest_inverse_edges_[tetrahedra_[e].source];
      SignedSvd svd = signed_svd(edges(tetrahedra_[e].vertex, x) * own);
      for (std::size_t k = 0; k < 3; ++k)
        svd.sigma[k] = std::copysign(std::max(std::abs(svd.sigma[k]), least_stretch), svd.sigma[k]);
      set_inverse_edges(e, inverse(svd.u * Mat3::diagonal(svd.sigma) * transpose(svd.v) * inverse(own)));
    }
  });
}

// Laws without a kernel of their own, tetrahedron by tetrahedron.
void TetrahedralEnergy::energies_of_others(std::span<const Vec3> x, bool with_forces) const {
  parallel_for(tetrahedra_.size(), block_grain * kernel::lanes, [&](std::size_t e) {
    const Active& t = tetrahedra_[e];
    const std::size_t block = e / kernel::lanes, lane = e % kernel::lanes;
    const Mat3 d = displacement_gradient(e, x);
    energy_[block][lane] = t.volume * density(material_->law, d, t.moduli);
    if (!with_forces) return;
    const Mat3 force = stress(material_->law, d, t.moduli) * transpose(inverse_edges(e)) * t.volume;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) force_[block].value[3 * k + axis][lane] = force(axis, k);
  });
}

double TetrahedralEnergy::sum_of_energies() const {
  double sum = 0;
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) sum += energy_[e / kernel::lanes][e % kernel::lanes];
  return sum;
}

double TetrahedralEnergy::energy(std::span<const Vec3> x) const {
  if (material_->law != HyperelasticLaw::modified_st_venant_kirchhoff)
    energies_of_others(x, false);
  else
    parallel_chunks(blocks_.size(), block_grain, [&](std::size_t begin, std::size_t end) {
      kernel::energy(std::span(blocks_).subspan(begin, end - begin), x.data(),
                     std::span(energy_).subspan(begin, end - begin), nullptr);
    });
  return sum_of_energies();
}

double TetrahedralEnergy::energy(std::span<const Vec3> x, std::span<Vec3> gradient) {
  if (material_->law != HyperelasticLaw::modified_st_venant_kirchhoff)
    energies_of_others(x, true);
  else
    parallel_chunks(blocks_.size(), block_grain, [&](std::size_t begin, std::size_t end) {
      kernel::energy(std::span(blocks_).subspan(begin, end - begin), x.data(),
                     std::span(energy_).subspan(begin, end - begin), force_.data() + begin);
    });
  parallel_for(gradient.size(), tetrahedral_energy_vertex_grain, [&](std::size_t v) {
    Vec3 sum;
    for (auto k = index(corner_start_[v]); k < index(corner_start_[v + 1]); ++k) {
      const auto e = index(corners_[k].tetrahedron);
      const auto& f = force_[e / kernel::lanes].value;
      const std::size_t lane = e % kernel::lanes;
      if (corners_[k].corner > 0) {
        const std::size_t first = 3 * index(corners_[k].corner - 1);
        sum += Vec3{f[first][lane], f[first + 1][lane], f[first + 2][lane]};
      } else {
        sum -= Vec3{f[0][lane] + f[3][lane] + f[6][lane], f[1][lane] + f[4][lane] + f[7][lane],
                    f[2][lane] + f[5][lane] + f[8][lane]};
      }
    }
    gradient[v] = sum;
  });
  return sum_of_energies();
}

void TetrahedralEnergy::stiffness_of_others(std::span<const Vec3> x, HyperelasticTangent form) {
  parallel_for(tetrahedra_.size(), block_grain * kernel::lanes, [&](std::size_t e) {
    const Active& t = tetrahedra_[e];
    const Mat3 inverse = inverse_edges(e);
    const HyperelasticStiffness at(material_->law, form, displacement_gradient(e, x), t.moduli);
    // Moving corner 0 is equivalent to moving all others back.
    const Vec3 gradient[4] = {-(inverse.row(0) + inverse.row(1) + inverse.row(2)), inverse.row(0), inverse.row(1),
                              inverse.row(2)};
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a; b < 4; ++b) {
        const Mat3 block = at.block(gradient[a], gradient[b]) * t.volume;
        for (std::size_t k = 0; k < 9; ++k)
          stiffness_[e / kernel::lanes].value[9 * kernel::pair_of[a][b] + k][e % kernel::lanes] = block.m[k];
      }
  });
}

void TetrahedralEnergy::hessian(std::span<const Vec3> x, HyperelasticTangent form, BlockMatrix& hessian) {
  if (material_->law != HyperelasticLaw::modified_st_venant_kirchhoff || form != HyperelasticTangent::exact)
    stiffness_of_others(x, form);
  else
    parallel_chunks(blocks_.size(), block_grain, [&](std::size_t begin, std::size_t end) {
      kernel::stiffness(std::span(blocks_).subspan(begin, end - begin), x.data(), stiffness_.data() + begin);
    });
  parallel_for(static_cast<std::size_t>(hessian.rows), tetrahedral_energy_vertex_grain, [&](std::size_t v) {
    for (auto k = index(hessian.row_start[v]); k < index(hessian.row_start[v + 1]); ++k)
      hessian.block[k] = Mat3::zero();
    for (auto k = index(corner_start_[v]); k < index(corner_start_[v + 1]); ++k) {
      const auto e = index(corners_[k].tetrahedron), own = index(corners_[k].corner);
      const auto& value = stiffness_[e / kernel::lanes].value;
      const std::size_t lane = e % kernel::lanes;
      for (std::size_t c = 0; c < 4; ++c) {
        if (place_[k][c] < 0) continue;
        const std::size_t pair = 9 * kernel::pair_of[own][c];
        Mat3& block = hessian.block[index(place_[k][c])];
        if (own <= c)
          for (std::size_t at = 0; at < 9; ++at) block.m[at] += value[pair + at][lane];
        else
          for (std::size_t at = 0; at < 9; ++at) block.m[at] += value[pair + 3 * (at % 3) + at / 3][lane];
      }
    }
  });
}

double TetrahedralEnergy::smallest_volume_ratio(std::span<const Vec3> x) const {
  double smallest = HUGE_VAL;
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e)
    smallest = std::min(smallest, 1 + volume_change(displacement_gradient(e, x)));
  return smallest;
}

}  // namespace sinew
