// The flesh of a body of tetrahedra without the approximations of the default: the full nonlinear law, solved to
// rounding.
//
// The goal g of the rig is the natural shape in every pose, as for the default (docs/flesh.md). With G the deformation
// gradient of the goal on a strain sample and D = sum_v (p_v - g_v) (x) g_sv that of the displacement from it,
//
//   F = I + D G^-1,      U = sum_s V_s det(G) psi(F) + 1/2 sum_v k_v |p_v - g_v|^2,
//
// is the energy of a body that has grown into the goal (Rodriguez et al. 1994: F G is the whole deformation), with psi
// co-rotated or St. Venant-Kirchhoff; or of tissue that stiffens, psi + psi^2 / 2c. Where the rig
// inverts or flattens a sample, G's stretches are bounded. Cores, masses, springs k and damping are the body's own.
// Damping is Rayleigh's: a M times the rate of local displacements, and b times the law's own moduli times the rate of
// strain, measured in the rotated sample (Kelvin and Voigt).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/elastic/sample_entries.h"

namespace sinew {

struct NonlinearLaw {
  HyperelasticLaw law = HyperelasticLaw::corotated;  // or st_venant_kirchhoff
  // Bound of natural stretches: they lie within [1 / this, this]. 1: the natural shape is the modelled one, rotated
  // with the rig.
  double most_natural_stretch = 2;
  bool small_strain = false;  // for co-rotated samples: linear about the goal
  // For co-rotated samples: stiffening of the tissue (deform/flesh/goal_elasticity.h); its stretch bound is not used.
  TissueLaw tissue{};
};

// Elastic and viscous forces of a body in one pose.
class NonlinearForces {
 public:
  // `body` must outlive this.
  NonlinearForces(const FleshBody& body, const NonlinearLaw& law);

  // Goals, world, metres: one per vertex of the body.
  void set_goal(std::span<const Vec3> goal);

  // Elastic energy, joules, for displacements p - g (per vertex, world, metres), without springs.
  double energy(std::span<const Vec3> displacement) const;
  // Gradient of that energy, newtons per vertex, for strain + damping * (rate of strain); `rate`: of the displacements,
  // m/s.
  void gradient(std::span<const Vec3> displacement, std::span<const Vec3> rate, double damping,
                std::span<Vec3> gradient);

  // Second derivative of that energy, positive semi-definite: terms of rotations, or of compressive stress, are left
  // out. The matrix has the pattern of the body's stiffness (free x free vertices), is in the vertices' own frames
  // `rotation`, and is overwritten.
  void hessian(std::span<const Vec3> displacement, std::span<const Mat3> rotation, BlockMatrix& hessian) const;

  // Fraction of the samples whose natural stretch is bounded in this pose.
  double held() const;

 private:
  struct Natural {
    Mat3 inverse;       // of the bounded G
    double volume = 0;  // V det G
    bool held = false;
  };

  // psi / c of a sample that stiffens.
  double growth(std::size_t s, const Mat3& strain) const;
  bool stiffens() const { return law_.tissue.stiffening > 0; }

  const FleshBody& body_;
  NonlinearLaw law_;
  SampleEntries entries_;
  std::vector<Natural> natural_;        // per sample
  std::vector<Quat> turn_, goal_turn_;  // per sample: guesses of closest rotations
  std::vector<Mat3> stress_;
};

// Newton's method, until a correction moves no point by more than `tolerance` times the body's extent. The system of an
// earlier step is reused as long as corrections shrink fast. Throws simulation_error where they do not shrink at all.
std::unique_ptr<FleshReference> nonlinear_reference(std::shared_ptr<const FleshBody> body, const NonlinearLaw& law,
                                                    double tolerance = 1e-9);

// `body` cooked for another step, without obstacles to the flesh or limits of the output.
std::shared_ptr<const FleshBody> unlimited_body(const FleshBody& body, double step);

}  // namespace sinew
