// Elastic blocks whose boundary a rig carries, and rigs with known answers, for the tests of rig-space physics.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/rotation.h"
#include "sinew/rig/function_rig.h"
#include "sinew/rig/rig_differences.h"
#include "studies/reference/hyperelastic_energy.h"
#include "tests/deform/elastic_examples.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/blocks.h"
#include "tests/linalg/dense.h"

namespace sinew::test {

inline Eigen::Index row(std::size_t i) { return static_cast<Eigen::Index>(i); }

inline Eigen::VectorXd flattened(std::span<const Vec3> vectors) {
  Eigen::VectorXd numbers(row(3 * vectors.size()));
  for (std::size_t v = 0; v < vectors.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) numbers(row(3 * v + c)) = vectors[v][c];
  return numbers;
}

// Boundary vertices first, in their order, then the others.
inline TetrahedralMesh boundary_first(const TetrahedralMesh& mesh) {
  const Inside parts = inside_of(mesh);
  std::vector<int> number(mesh.positions.size());
  TetrahedralMesh result;
  for (const std::vector<int>& part : {parts.boundary, parts.interior})
    for (const int v : part) {
      number[at(v)] = static_cast<int>(result.positions.size());
      result.positions.push_back(mesh.positions[at(v)]);
    }
  for (Tetrahedron t : mesh.tetrahedra) {
    for (int& v : t) v = number[at(v)];
    result.tetrahedra.push_back(t);
  }
  return result;
}

// What a homogeneous scalar field is inside when only the boundary is held (linear elements): exact for affine ones.
inline SparseRows harmonic_interior(const TetrahedralMesh& mesh, std::size_t boundary) {
  const StrainSamples samples = strain_samples(mesh, Element::linear, {{1e4, 0.3, 1000}, {}, {}});
  const Eigen::Index all = row(mesh.positions.size()), outer = row(boundary), inner = all - outer;
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(all, all);
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (int a = samples.start[s]; a < samples.start[s + 1]; ++a)
      for (int b = samples.start[s]; b < samples.start[s + 1]; ++b)
        laplacian(samples.vertex[at(a)], samples.vertex[at(b)]) +=
            samples.volume[s] * dot(samples.gradient[at(a)], samples.gradient[at(b)]);
  const Eigen::MatrixXd weights =
      -test::solved(laplacian.bottomRightCorner(inner, inner), laplacian.bottomLeftCorner(inner, outer));
  SparseRows result;
  result.columns = static_cast<int>(boundary);
  for (Eigen::Index i = 0; i < inner; ++i) {
    for (Eigen::Index b = 0; b < outer; ++b) {
      result.column.push_back(static_cast<int>(b));
      result.value.push_back(weights(i, b));
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

struct BlockOptions {
  std::array<int, 3> cells{3, 3, 3};
  Vec3 size{0.3, 0.3, 0.3};
  HyperelasticLaw law = HyperelasticLaw::modified_st_venant_kirchhoff;
  Material material{2e4, 0.35, 1000};
};

// The block [0, size]; the rig's vertices are its boundary vertices.
inline std::shared_ptr<RigSpaceBody> rig_space_block(const BlockOptions& options = {}) {
  auto body = std::make_shared<RigSpaceBody>();
  const TetrahedralMesh mesh = lattice_block(options.cells, options.size);
  const std::size_t boundary = inside_of(mesh).boundary.size();
  body->mesh = boundary_first(mesh);
  for (std::size_t v = 0; v < boundary; ++v) {
    const int vertex = static_cast<int>(v);
    SurfaceAnchor anchor;
    anchor.vertex = {vertex, vertex, vertex};
    anchor.weight = {1, 0, 0};
    body->anchors.push_back(anchor);
  }
  body->interior = harmonic_interior(body->mesh, boundary);
  const LameModuli moduli = lame_moduli(options.material.young, options.material.poisson);
  const std::size_t count = body->mesh.tetrahedra.size();
  body->material = {options.law, std::vector<double>(count, moduli.shear), std::vector<double>(count, moduli.lambda),
                    std::vector<double>(count, 1.0)};
  body->mass = vertex_masses(body->mesh, body->material.fill, options.material.density);
  body->height = options.size.y;
  return body;
}

// The boundary at rest.
inline std::vector<Vec3> boundary_of(const RigSpaceBody& body) {
  return {body.mesh.positions.begin(),
          body.mesh.positions.begin() + static_cast<std::ptrdiff_t>(body.boundary_vertices())};
}

inline std::vector<RigParameter> numbered_parameters(std::size_t count, double range = 1) {
  std::vector<RigParameter> parameters;
  for (std::size_t i = 0; i < count; ++i) {
    RigParameter p;
    p.name = std::to_string(i);
    p.control = p.name;
    p.lower = -range;
    p.upper = range;
    parameters.push_back(p);
  }
  return parameters;
}

// Gives the body the correction of its inside for these parameters, all others at rest.
inline void correct_interior(RigSpaceBody& body, Rig& rig, const std::vector<int>& free, double negligible = 0) {
  std::vector<double> rest;
  for (const RigParameter& parameter : rig.parameters()) rest.push_back(parameter.rest);
  std::vector<Vec3> s(rig.vertices());
  rig.evaluate(rest, s);
  RigJacobian jacobian;
  RigDifferences(rig, free, rest).jacobian(rest, jacobian);
  body.correction = interior_correction(body, boundary_basis(body, s, jacobian), negligible);
}

// A map of space that depends on the parameters, on every boundary vertex.
using SpaceMap = std::function<Vec3(std::span<const double> p, const Vec3& x)>;

inline FunctionRig mapping_rig(const RigSpaceBody& body, std::vector<RigParameter> parameters, SpaceMap map) {
  const std::vector<Vec3> rest = boundary_of(body);
  return {"mapping", std::move(parameters), rest.size(), [rest, map = std::move(map)](std::span<const double> p) {
            std::vector<Vec3> s;
            for (const Vec3& x : rest) s.push_back(map(p, x));
            return s;
          }};
}

// s = rest + sum_i p_i mode_i, which knows its own derivatives.
class LinearRig : public Rig {
 public:
  LinearRig(std::vector<Vec3> rest, std::vector<std::vector<Vec3>> modes, double range = 1)
      : rest_(std::move(rest)), modes_(std::move(modes)), parameters_(numbered_parameters(modes_.size(), range)) {}

  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return rest_.size(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override {
    for (std::size_t v = 0; v < rest_.size(); ++v) {
      s[v] = rest_[v];
      for (std::size_t i = 0; i < modes_.size(); ++i) s[v] += p[i] * modes_[i][v];
    }
  }
  bool jacobian(std::span<const double>, std::span<const int> columns, RigJacobian& result) override {
    result = {};
    for (const int c : columns) {
      for (std::size_t v = 0; v < rest_.size(); ++v) {
        if (modes_[at(c)][v] == Vec3{}) continue;
        result.vertex.push_back(static_cast<int>(v));
        result.derivative.push_back(modes_[at(c)][v]);
      }
      result.start.push_back(static_cast<int>(result.vertex.size()));
    }
    return true;
  }
  const std::vector<std::vector<Vec3>>& modes() const { return modes_; }

 private:
  std::vector<Vec3> rest_;
  std::vector<std::vector<Vec3>> modes_;
  std::vector<RigParameter> parameters_;
};

inline std::vector<Vec3> mode(const RigSpaceBody& body, const std::function<Vec3(const Vec3&)>& field) {
  std::vector<Vec3> result;
  for (const Vec3& x : boundary_of(body)) result.push_back(field(x));
  return result;
}

// A body's motion in modes of its boundary as small dense matrices, put together without the code that is tested:
// G by the interior's weights, M lumped, K the Hessian at rest of studies/reference/hyperelastic_energy.h.
struct ReducedSystem {
  Eigen::MatrixXd basis, mass, stiffness;
};

inline StrainSamples samples_of(const RigSpaceBody& body) {
  StrainSamples samples = strain_samples(body.mesh, Element::linear, {{1e4, 0.3, 1000}, {}, {}});
  samples.shear = body.material.shear;
  samples.lambda = body.material.lambda;
  for (std::size_t s = 0; s < samples.size(); ++s) samples.volume[s] *= body.material.fill[s];
  return samples;
}

inline ReducedSystem reduced_system(const RigSpaceBody& body, const std::vector<std::vector<Vec3>>& modes) {
  const std::size_t boundary = body.boundary_vertices(), all = body.mesh.positions.size();
  ReducedSystem system;
  system.basis = Eigen::MatrixXd::Zero(row(3 * all), row(modes.size()));
  for (std::size_t c = 0; c < modes.size(); ++c) {
    std::vector<Vec3> whole = modes[c];
    for (std::size_t i = 0; boundary + i < all; ++i) {
      Vec3 sum;
      for (int k = body.interior.start[i]; k < body.interior.start[i + 1]; ++k)
        sum += body.interior.value[at(k)] * modes[c][at(body.interior.column[at(k)])];
      whole.push_back(sum);
    }
    system.basis.col(row(c)) = flattened(whole);
  }
  Eigen::VectorXd mass(row(3 * all));
  for (std::size_t v = 0; v < all; ++v) mass.segment<3>(row(3 * v)).setConstant(body.mass[v]);
  const StrainSamples samples = samples_of(body);
  HyperelasticEnergy energy(samples, static_cast<int>(all), body.material.law);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(std::vector<Vec3>(all), hessian);
  system.mass = system.basis.transpose() * mass.asDiagonal() * system.basis;
  system.stiffness = system.basis.transpose() * dense(hessian) * system.basis;
  return system;
}

}  // namespace sinew::test
