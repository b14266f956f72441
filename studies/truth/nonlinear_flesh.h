// The flesh of a body of tetrahedra without what its default leaves out: the full, nonlinear law, solved to rounding.
//
// The goal g of the rig is the natural shape of every pose, as it is for the default (docs/flesh.md). With G the
// deformation gradient of the goal on a strain sample and D = sum_v (p_v - g_v) (x) g_sv that of what is added,
//
//   F = I + D G^-1,      U = sum_s V_s det(G) psi(F) + 1/2 sum_v k_v |p_v - g_v|^2,
//
// the energy of a body that has grown into the goal (Rodriguez et al. 1994: F G is the whole deformation), with psi
// co-rotated or St. Venant-Kirchhoff; or tissue that stiffens (Fung 1967), c (e^(psi / c) - 1). Where the rig turns a
// sample inside out or flat, G's stretches are held within a bound. Cores, masses, springs k and damping are the body's
// own. Damping is Rayleigh's: a M on the rate of local displacements, and b times the law's own moduli on the rate of
// strain, measured where the sample is turned to (Kelvin and Voigt).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/elastic/sample_entries.h"

namespace sinew {

struct NonlinearLaw {
  HyperelasticLaw law = HyperelasticLaw::corotated;  // or st_venant_kirchhoff
  // Natural stretches lie within [1 / this, this]; 1: samples are naturally as they were modelled, turned with the rig.
  double most_natural_stretch = 2;
  bool small_strain = false;  // of co-rotated samples: linear about the goal
  // Of co-rotated samples: the shear at which stress is e times what it is without stiffening; 0: they do not stiffen.
  double stiffening = 0;
};

// The elastic and viscous forces of a body at one pose.
class NonlinearForces {
 public:
  // `body` must outlive this.
  NonlinearForces(const FleshBody& body, const NonlinearLaw& law);

  // Goals, world, metres: one per vertex of the body.
  void set_goal(std::span<const Vec3> goal);

  // Joules of the elastic energy at displacements p - g (per vertex, world, metres), springs left out.
  double energy(std::span<const Vec3> displacement) const;
  // Its gradient, newtons per vertex, at strain + damping * (rate of strain); `rate`: of the displacements, m/s.
  void gradient(std::span<const Vec3> displacement, std::span<const Vec3> rate, double damping,
                std::span<Vec3> gradient);

  // Its second derivative there, positive semi-definite: rotations, or compressive stress, left out. Free x free
  // vertices of the body, whose matrix of stiffness has the pattern; in the vertices' own frames `rotation`;
  // overwritten.
  void hessian(std::span<const Vec3> displacement, std::span<const Mat3> rotation, BlockMatrix& hessian) const;

  // Share of the samples whose natural stretch is held by the bound at this pose.
  double held() const;

 private:
  struct Natural {
    Mat3 inverse;       // of the bounded G
    double volume = 0;  // V det G
    bool held = false;
  };

  double growth(std::size_t s, const Mat3& strain) const;

  const FleshBody& body_;
  NonlinearLaw law_;
  SampleEntries entries_;
  std::vector<Natural> natural_;        // per sample
  std::vector<Quat> turn_, goal_turn_;  // per sample: guesses of closest rotations
  std::vector<Mat3> stress_;
};

// Newton's method, until a correction moves no point by more than `tolerance` times the body's extent. The system of an
// earlier step serves as long as corrections with it shrink fast. Throws simulation_error where they do not at all.
std::unique_ptr<FleshReference> nonlinear_reference(std::shared_ptr<const FleshBody> body, const NonlinearLaw& law,
                                                    double tolerance = 1e-9);

// The same body cooked for other steps, with nothing that stops flesh or limits how far it is shown.
std::shared_ptr<const FleshBody> unlimited_body(const FleshBody& body, double step);

}  // namespace sinew
