// Optimised templates (Capell 2004, section 6.4.3): points of the skin are dragged, and the parameters eta of a
// template and its guide follow. In static equilibrium, A q = b + R Q(eta) (6.5), the cost
//
//   C(eta) = mean_j |p_j(q) - t_j|^2 / h^2 + keep sum_k ((eta_k - eta_0k) / s_k)^2
//
// where Q includes the forces of strain, and A a sample's stiffness, if it has these, with h the character's height and
// s_k a usual change of a parameter is minimised by L-BFGS-B within the parameters' ranges. Its gradient takes one
// adjoint solve, dC/dq A^-1, and one integration, of the work of the force density's derivatives along the adjoint; by
// stiffness, it is minus the derivative of the work of the forces of flesh along the adjoint. While points are dragged,
// each equilibrium is searched from the one before, and no more exactly than the search needs; the end is exact.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/shape/force_balance.h"
#include "sinew/shape/guide.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_rig.h"
#include "sinew/shape/template_tissue.h"

namespace sinew {

struct DraggedPoint {
  int vertex = -1;  // of the skin
  Vec3 to;          // where it is dragged, world, metres
};

// The rows that are fitted: parameters_of(rig), then those of strain and stiffness where the start has other ones than
// 1.
std::vector<ShapeParameter> fitted_parameters(const ShapeRig& rig, const ShapeSample& start);

struct TemplateFitOptions {
  std::vector<char> fixed{};  // per row of fitted_parameters(): 1 if it is kept; empty: none
  double keep =
      1e-5;  // how strongly parameters stay near the start; 0 leaves those undecided that points do not decide
  int iterations = 30;
};

struct TemplateFit {
  ShapeSample sample;
  double before = 0, after = 0;  // root mean square of |p_j - t_j|, metres
  int iterations = 0;
};

// The cost and its gradient at one eta.
struct TemplateCost {
  double value = 0;
  std::vector<double> gradient;  // per row of fitted_parameters()
  double distance = 0;           // root mean square of |p_j - t_j|, metres
};

class TemplateFitting {
 public:
  // `rig`: has a guide; amplitudes are forces. `start`: eta_0, strain and stiffness. `bones`: the pose, rest space to
  // world. Throws usage_error if a point is no vertex of the skin or not finite, or if the body knows no strain or
  // stiffness and the start has one. `points`, `surface` and `body` must outlive this.
  TemplateFitting(const ShapeRig& rig, ShapeSample start, std::span<const DraggedPoint> points,
                  std::span<const Affine> bones, const SimulationSurface& surface, ShapeBody& body,
                  const TemplateFitOptions& options = {});
  // Leaves the flesh without stiffening.
  ~TemplateFitting();
  TemplateFitting(const TemplateFitting&) = delete;
  TemplateFitting& operator=(const TemplateFitting&) = delete;

  // The values of the rows in a sample, and the start with such values.
  std::vector<double> values_of(const ShapeSample& sample) const;
  ShapeSample sample_with(std::span<const double> values) const;

  TemplateCost cost(std::span<const double> values, bool with_gradient = true, const StaticSearch& search = {});

  // `proceed`: asked after every iteration.
  TemplateFit fit(const std::function<bool()>& proceed = {});

 private:
  // Derivatives of the guide's frame by the guide's parameters.
  std::vector<Affine> frame_slopes(const ShapeSample& sample) const;
  ForceField field(const ShapeSample& sample) const;
  ForceBalance balance(const ShapeSample& sample) const;
  std::vector<PointForce> force(const ShapeSample& sample) const;
  TissueChange tissue(const ShapeSample& sample) const;
  ForceDensities derivatives(const ShapeSample& sample, const std::vector<Affine>& by_guide) const;
  std::vector<TissueChange> tissue_derivatives(const ShapeSample& sample, const std::vector<Affine>& by_guide) const;
  // Derivatives of the work of the template's force, balanced or not, along the adjoint, per row of parameters_of(rig).
  std::vector<double> work(const ShapeSample& sample, const std::vector<Affine>& by_guide,
                           std::span<const Vec3> adjoint) const;
  // Adds the derivatives of the forces' work along the adjoint, where these are the displacements.
  void add_work(const ShapeSample& sample, std::span<const Vec3> displacements, std::span<const Vec3> adjoint,
                std::span<double> gradient);
  bool is_fixed(std::size_t row) const { return !options_.fixed.empty() && options_.fixed[row]; }

  TemplateKind kind_;
  double balance_;  // as in ShapeRig
  GuideAnchor anchor_;
  std::size_t of_rig_;  // rows of parameters_of(rig)
  std::vector<ShapeParameter> rows_;
  ShapeSample first_;
  std::vector<double> start_, usual_change_;  // per row
  std::span<const DraggedPoint> points_;
  std::vector<Vec3> goal_;  // per dragged point: where the rig alone puts it, world
  ShapeBody& body_;
  TemplateFitOptions options_;
  double height_ = 0;
};

}  // namespace sinew
