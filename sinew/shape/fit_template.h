// Optimised templates (Capell 2004, section 6.4.3): points of the skin are dragged, and the parameters eta of a
// template and its guide follow. In static equilibrium, A q = b + R Q(eta) (6.5), the cost
//
//   C(eta) = mean_j |p_j(q) - t_j|^2 / h^2 + keep sum_k ((eta_k - eta_0k) / s_k)^2
//
// with h the character's height and s_k a usual change of a parameter is minimised by L-BFGS-B within the parameters'
// ranges. Its gradient takes one adjoint solve, dC/dq A^-1, and one integration, of the work of the force density's
// derivatives along the adjoint. While points are dragged, each equilibrium is searched from the one before, and no
// more exactly than the search needs; the end is exact.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/shape/guide.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

struct DraggedPoint {
  int vertex = -1;  // of the skin
  Vec3 to;          // where it is dragged, world, metres
};

struct TemplateFitOptions {
  std::vector<char> fixed{};  // per row of parameters_of(): 1 if it is kept; empty: none
  double keep =
      1e-5;  // how strongly parameters stay near the start; 0 leaves those undecided that points do not decide
  int iterations = 30;
};

struct TemplateFit {
  std::vector<double> eta;
  double before = 0, after = 0;  // root mean square of |p_j - t_j|, metres
  int iterations = 0;
};

// The cost and its gradient at one eta.
struct TemplateCost {
  double value = 0;
  std::vector<double> gradient;  // by eta, per row
  double distance = 0;           // root mean square of |p_j - t_j|, metres
};

class TemplateFitting {
 public:
  // `rig`: has a guide; amplitudes are forces. `start`: eta_0. `bones`: the pose, rest space to world. Throws
  // usage_error if a point is no vertex of the skin or not finite. `points`, `surface` and `body` must outlive this.
  TemplateFitting(const ShapeRig& rig, std::vector<double> start, std::span<const DraggedPoint> points,
                  std::span<const Affine> bones, const SimulationSurface& surface, ShapeBody& body,
                  const TemplateFitOptions& options = {});

  TemplateCost cost(std::span<const double> eta, bool with_gradient = true, const StaticSearch& search = {});

  // `proceed`: asked after every iteration, with the parameters so far.
  TemplateFit fit(const std::function<bool(std::span<const double> eta)>& proceed = {});

 private:
  std::vector<PointForce> force(std::span<const double> eta) const;
  ForceDensities derivatives(std::span<const double> eta) const;
  bool is_fixed(std::size_t row) const { return !options_.fixed.empty() && options_.fixed[row]; }

  TemplateKind kind_;
  GuideAnchor anchor_;
  std::vector<ShapeParameter> rows_;
  std::vector<double> start_, usual_change_;
  std::span<const DraggedPoint> points_;
  std::vector<Vec3> goal_;  // per dragged point: where the rig alone puts it, world
  ShapeBody& body_;
  TemplateFitOptions options_;
  double height_ = 0;
};

}  // namespace sinew
