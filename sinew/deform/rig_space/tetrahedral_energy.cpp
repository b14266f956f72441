#include "sinew/deform/rig_space/tetrahedral_energy.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr std::size_t tetrahedron_grain = 128, vertex_grain = 64;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Columns are the edges from corner 0.
Mat3 edges(const Tetrahedron& t, std::span<const Vec3> x) {
  const Vec3& origin = x[index(t[0])];
  return Mat3::from_columns(x[index(t[1])] - origin, x[index(t[2])] - origin, x[index(t[3])] - origin);
}

constexpr std::size_t pair_of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

// Block of corners a and b of a tetrahedron from those of corners 1 to 3: moving corner 0 is moving all others back.
Mat3 corner_block(const std::array<Mat3, 6>& pairs, std::size_t a, std::size_t b) {
  const auto inner = [&](std::size_t i, std::size_t j) {
    return i <= j ? pairs[pair_of[i][j]] : transpose(pairs[pair_of[i][j]]);
  };
  if (a > 0 && b > 0) return inner(a - 1, b - 1);
  Mat3 sum = Mat3::zero();
  if (a > 0)
    for (std::size_t j = 0; j < 3; ++j) sum -= inner(a - 1, j);
  else if (b > 0)
    for (std::size_t i = 0; i < 3; ++i) sum -= inner(i, b - 1);
  else
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) sum += inner(i, j);
  return sum;
}

}  // namespace

TetrahedralEnergy::TetrahedralEnergy(const TetrahedralMesh& mesh, const TetrahedralMaterial& material)
    : mesh_(&mesh), material_(&material) {
  rest_inverse_edges_.reserve(mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) rest_inverse_edges_.push_back(inverse(edges(t, mesh.positions)));
}

void TetrahedralEnergy::activate(std::span<const char> moves) {
  if (std::equal(moves.begin(), moves.end(), moves_.begin(), moves_.end())) return;
  moves_.assign(moves.begin(), moves.end());
  tetrahedra_.clear();
  std::vector<int> coupled, start{0};  // vertices that move, of each active tetrahedron
  corner_start_.assign(moves.size() + 1, 0);
  for (std::size_t e = 0; e < mesh_->tetrahedra.size(); ++e) {
    const Tetrahedron& t = mesh_->tetrahedra[e];
    if (std::none_of(t.begin(), t.end(), [&](int v) { return moves[index(v)] != 0; })) continue;
    const double size = volume(mesh_->positions[index(t[0])], mesh_->positions[index(t[1])], mesh_->positions[index(t[2])],
                               mesh_->positions[index(t[3])]);
    tetrahedra_.push_back({t, rest_inverse_edges_[e], size * material_->fill[e], {material_->shear[e], material_->lambda[e]}, e});
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
  force_.resize(tetrahedra_.size());
  stiffness_.resize(tetrahedra_.size());
}

void TetrahedralEnergy::rest_at(std::span<const Vec3> x, double least_stretch) {
  parallel_for(tetrahedra_.size(), tetrahedron_grain, [&](std::size_t e) {
    Active& t = tetrahedra_[e];
    const Mat3& own = rest_inverse_edges_[t.source];
    Mat3 shape = edges(t.vertex, x);
    const Mat3 f = shape * own;
    // The smallest singular value is at least |det F| / (|F|^2 / 2): most shapes need no decomposition.
    const double squared = frobenius_norm(f) * frobenius_norm(f);
    if (!(std::abs(determinant(f)) > 0.5 * least_stretch * squared)) {
      SignedSvd svd = signed_svd(f);
      for (std::size_t k = 0; k < 3; ++k)
        svd.sigma[k] = std::copysign(std::max(std::abs(svd.sigma[k]), least_stretch), svd.sigma[k]);
      shape = svd.u * Mat3::diagonal(svd.sigma) * transpose(svd.v) * inverse(own);
    }
    t.inverse_edges = inverse(shape);
  });
}

Mat3 TetrahedralEnergy::displacement_gradient(const Active& t, std::span<const Vec3> x) const {
  return edges(t.vertex, x) * t.inverse_edges - Mat3::identity();
}

double TetrahedralEnergy::energy(std::span<const Vec3> x) const {
  return ordered_sum(tetrahedra_.size(), tetrahedron_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e)
      sum += tetrahedra_[e].volume * density(material_->law, displacement_gradient(tetrahedra_[e], x), tetrahedra_[e].moduli);
    return sum;
  });
}

double TetrahedralEnergy::energy(std::span<const Vec3> x, std::span<Vec3> gradient) {
  const double total = ordered_sum(tetrahedra_.size(), tetrahedron_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) {
      const Active& t = tetrahedra_[e];
      const Mat3 d = displacement_gradient(t, x);
      sum += t.volume * density(material_->law, d, t.moduli);
      const Mat3 p = stress(material_->law, d, t.moduli) * t.volume;
      for (std::size_t k = 0; k < 3; ++k) force_[e][k] = p * t.inverse_edges.row(k);
    }
    return sum;
  });
  parallel_for(gradient.size(), vertex_grain, [&](std::size_t v) {
    Vec3 sum;
    for (auto k = index(corner_start_[v]); k < index(corner_start_[v + 1]); ++k) {
      const std::array<Vec3, 3>& f = force_[index(corners_[k].tetrahedron)];
      if (corners_[k].corner > 0)
        sum += f[index(corners_[k].corner - 1)];
      else
        sum -= f[0] + f[1] + f[2];
    }
    gradient[v] = sum;
  });
  return total;
}

void TetrahedralEnergy::hessian(std::span<const Vec3> x, HyperelasticTangent form, BlockMatrix& hessian) {
  parallel_for(tetrahedra_.size(), tetrahedron_grain, [&](std::size_t e) {
    const Active& t = tetrahedra_[e];
    const HyperelasticStiffness at(material_->law, form, displacement_gradient(t, x), t.moduli);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a; b < 3; ++b)
        stiffness_[e][pair_of[a][b]] = at.block(t.inverse_edges.row(a), t.inverse_edges.row(b)) * t.volume;
  });
  parallel_for(static_cast<std::size_t>(hessian.rows), vertex_grain, [&](std::size_t v) {
    for (auto k = index(hessian.row_start[v]); k < index(hessian.row_start[v + 1]); ++k) hessian.block[k] = Mat3::zero();
    for (auto k = index(corner_start_[v]); k < index(corner_start_[v + 1]); ++k)
      for (std::size_t c = 0; c < 4; ++c)
        if (place_[k][c] >= 0)
          hessian.block[index(place_[k][c])] +=
              corner_block(stiffness_[index(corners_[k].tetrahedron)], index(corners_[k].corner), c);
  });
}

double TetrahedralEnergy::smallest_volume_ratio(std::span<const Vec3> x) const {
  double smallest = HUGE_VAL;
  for (const Active& t : tetrahedra_) smallest = std::min(smallest, 1 + volume_change(displacement_gradient(t, x)));
  return smallest;
}

}  // namespace sinew
