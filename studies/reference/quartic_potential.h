// The nonlinear elastic energy of elastic/green_strain.h as a quartic polynomial in q with precomputed coefficients
// (Capell 2004, appendix A). The cost of an evaluation depends on the functions of a cell, not on the number of samples
// that the cell was integrated with.
//
// In the thesis's tensors, with physical moduli (lambda/2 for its 4 G nu / (1 - 2 nu), mu for its 4 G; see
// elastic/green_strain.h for the factor four),
//
//   U = sum_ab (q_a . A1_ab q_b + (q_a . A2_ba q_b + (q_a . q_b) B_ab) / 2)
//     + sum_abc (q_b . q_c) (q_a . C1_abc) + (q_a . q_b) (q_c . C2_abc)
//     + sum_abcd (q_a . q_b) (q_c . q_d) (D1_abcd + D2_acbd) / 4 .
//
// By symmetry only parts of the tensors need to be stored, per cell, with the Gram matrix X_ab = q_a . q_b as unknown:
//
//   U = q . K q / 2 + X : T + X : Y / 4,    T_ab = sum_c q_c . H_cab,    Y_ab = sum_cd D_abcd X_cd,
//
//   H_cab  = C1_cab + (C2_abc + C2_bac) / 2,    D_abcd = D1_abcd + (D2_acbd + D2_adbc) / 2,
//
// and K is the stiffness at rest. The printed force (A.1) and stiffness (A.3) are correct for the thesis's U (3.10),
// four times this one; the tests evaluate them as printed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/elastic/elastic_potential.h"
#include "sinew/elastic/green_strain.h"
#include "sinew/elastic/strain_samples.h"

namespace sinew {

enum class QuarticEvaluation {
  fastest,     // per group of samples, by estimated cost; tensors for up to 17 functions, because of their memory
  tensors,     // precomputed
  quadrature,  // elastic/green_strain.h
};

// Estimated time of one force and one stiffness evaluation, in nanoseconds on the machine of
// docs/nonlinear_elasticity.md; only the comparison between them matters.
double tensor_cost(int functions);
double quadrature_cost(int functions, int samples);

class QuarticPotential : public ElasticPotential {
 public:
  // The samples are only needed during construction. Throws usage_error for a sample of a function that does not exist.
  QuarticPotential(const StrainSamples& samples, int functions, QuarticEvaluation how = QuarticEvaluation::fastest);

  int functions() const override { return functions_; }
  double energy(std::span<const Vec3> q) override;
  void gradient(std::span<const Vec3> q, std::span<Vec3> gradient) override;
  BlockMatrix hessian_pattern() const override { return pattern_; }
  void hessian(std::span<const Vec3> q, BlockMatrix& hessian) override;

  int tensor_groups() const { return static_cast<int>(groups_.size()); }
  // Number of samples that are evaluated by quadrature.
  std::size_t quadrature_samples() const { return rest_samples_ ? rest_samples_->size() : 0; }

 private:
  // Pairs (a, b), a <= b, of the group's functions are numbered (0, 0), (0, 1), ... (0, k - 1), (1, 1), ...
  struct Group {
    std::vector<int> functions;
    std::vector<double> constant;  // coefficients of the constant function, normalised; zeros if it is not in the span
    std::vector<double> cubic;     // H: per pair 3 numbers per function
    std::vector<double> quartic;   // D: pairs x pairs
    // For the q prepared last, without its translation: X grows with the square of q, and so does rounding.
    std::vector<double> q, gram, third, fourth;  // 3 per function; X (off the diagonal twice), T and Y per pair
    std::vector<double> force;                   // 3 per function, of the cubic and quartic part
  };
  static Group make_group(const StrainSamples& samples, const std::vector<int>& functions,
                          const std::vector<int>& members);
  void check(std::size_t length) const;
  void prepare(std::span<const Vec3> q);
  static void add_hessian_row(const Group& group, std::size_t c, std::vector<Mat3>& row);

  int functions_;
  BlockMatrix pattern_;
  BlockMatrix stiffness_;  // K of the groups with tensors
  std::vector<Group> groups_;
  std::vector<std::vector<std::pair<int, int>>> groups_of_function_;  // group, index in the group
  std::unique_ptr<StrainSamples> rest_samples_;
  std::unique_ptr<GreenStrainEnergy> rest_;  // of the groups without tensors
  BlockMatrix rest_hessian_;
  std::vector<double> flat_, product_;
  std::vector<Vec3> rest_gradient_;
};

}  // namespace sinew
