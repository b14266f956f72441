#include "sinew/elastic/green_strain.h"

#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/elastic/st_venant_kirchhoff.h"
#include "sinew/linalg/positive_part.h"

namespace sinew {
namespace {

constexpr std::size_t green_strain_sample_grain = 64, green_strain_function_grain = 32;

std::size_t begin_of(const StrainSamples& samples, std::size_t s) { return static_cast<std::size_t>(samples.start[s]); }
std::size_t end_of(const StrainSamples& samples, std::size_t s) {
  return static_cast<std::size_t>(samples.start[s + 1]);
}
std::size_t function_of(const StrainSamples& samples, std::size_t entry) {
  return static_cast<std::size_t>(samples.vertex[entry]);
}

}  // namespace

GreenStrainEnergy::GreenStrainEnergy(const StrainSamples& samples, int functions)
    : samples_(&samples), functions_(functions), entries_(entries_of_functions(samples, functions)) {}

void GreenStrainEnergy::check(std::size_t length) const {
  if (length != static_cast<std::size_t>(functions_))
    throw usage_error("the elastic energy of " + std::to_string(functions_) + " functions needs as many vectors, not " +
                      std::to_string(length) + ".");
}

double GreenStrainEnergy::energy(std::span<const Vec3> q) {
  check(q.size());
  return ordered_sum(samples_->size(), green_strain_sample_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t s = begin; s < end; ++s)
      sum += samples_->volume[s] * st_venant_kirchhoff_density(green_strain(displacement_gradient(s, q)), moduli(s));
    return sum;
  });
}

void GreenStrainEnergy::gradient(std::span<const Vec3> q, std::span<Vec3> gradient) {
  check(q.size());
  check(gradient.size());
  stress_.resize(samples_->size());
  parallel_for(samples_->size(), green_strain_sample_grain, [&](std::size_t s) {
    const Mat3 d = displacement_gradient(s, q);
    stress_[s] = (Mat3::identity() + d) * st_venant_kirchhoff_stress(green_strain(d), moduli(s)) * samples_->volume[s];
  });
  gather(entries_, *samples_, stress_, gradient);
}

void GreenStrainEnergy::linearize(std::span<const Vec3> q, GreenHessian form) {
  check(q.size());
  state_.resize(samples_->size());
  parallel_for(samples_->size(), green_strain_sample_grain, [&](std::size_t s) {
    const Mat3 d = displacement_gradient(s, q);
    const Mat3 stress = st_venant_kirchhoff_stress(green_strain(d), moduli(s));
    state_[s] = {Mat3::identity() + d, form == GreenHessian::definite ? positive_part(stress) : stress};
  });
}

// A change dF of F changes the stress F S by dF S + F dS, dS of sym(F^T dF).
void GreenStrainEnergy::multiply(std::span<const double> x, std::span<double> y) {
  const auto n = static_cast<std::size_t>(functions_);
  if (x.size() != 3 * n || y.size() != 3 * n)
    throw usage_error("the Hessian of " + std::to_string(functions_) + " functions multiplies vectors of " +
                      std::to_string(3 * n) + " numbers, not " + std::to_string(x.size()) + ".");
  if (state_.size() != samples_->size()) throw usage_error("linearize the elastic energy before multiplying.");
  from_.resize(n);
  to_.resize(n);
  for (std::size_t i = 0; i < n; ++i) from_[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  stress_.resize(samples_->size());
  parallel_for(samples_->size(), green_strain_sample_grain, [&](std::size_t s) {
    const Mat3 change = displacement_gradient(s, from_), half = transpose(state_[s].f) * change;
    const Mat3 strain_change = (half + transpose(half)) * 0.5;
    stress_[s] = (change * state_[s].stress + state_[s].f * st_venant_kirchhoff_stress(strain_change, moduli(s))) *
                 samples_->volume[s];
  });
  gather(entries_, *samples_, stress_, to_);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < 3; ++c) y[3 * i + c] = to_[i][c];
}

BlockMatrix GreenStrainEnergy::hessian_pattern() const {
  return block_pattern(functions_, samples_->vertex, samples_->start);
}

// With a_i = F g_i the block of functions i and j is
//   V ((g_i . S g_j) I + lambda a_i a_j^T + mu a_j a_i^T + mu (g_i . g_j) F F^T);
// at rest that of rest_stiffness().
void GreenStrainEnergy::hessian(std::span<const Vec3> q, GreenHessian form, BlockMatrix& hessian) {
  if (hessian.rows != functions_)
    throw usage_error("the Hessian has " + std::to_string(hessian.rows) + " block rows for " +
                      std::to_string(functions_) + " functions; take the energy's own pattern.");
  linearize(q, form);
  deformed_.resize(samples_->vertex.size());
  traction_.resize(samples_->vertex.size());
  stress_.resize(samples_->size());  // F F^T here
  parallel_for(samples_->size(), green_strain_sample_grain, [&](std::size_t s) {
    stress_[s] = state_[s].f * transpose(state_[s].f);
    for (std::size_t k = begin_of(*samples_, s); k < end_of(*samples_, s); ++k) {
      deformed_[k] = state_[s].f * samples_->gradient[k];
      traction_[k] = state_[s].stress * samples_->gradient[k];
    }
  });
  parallel_chunks(
      static_cast<std::size_t>(functions_), green_strain_function_grain, [&](std::size_t first, std::size_t last) {
        std::vector<std::size_t> place(
            static_cast<std::size_t>(functions_));  // of a column among the blocks of the row
        for (std::size_t i = first; i < last; ++i) {
          for (auto k = static_cast<std::size_t>(hessian.row_start[i]);
               k < static_cast<std::size_t>(hessian.row_start[i + 1]); ++k) {
            place[static_cast<std::size_t>(hessian.column[k])] = k;
            hessian.block[k] = Mat3::zero();
          }
          for (int e = entries_.start[i]; e < entries_.start[i + 1]; ++e) {
            const auto s = static_cast<std::size_t>(entries_.sample[static_cast<std::size_t>(e)]);
            const auto own = static_cast<std::size_t>(entries_.entry[static_cast<std::size_t>(e)]);
            const double volume = samples_->volume[s], shear = volume * samples_->shear[s];
            const Vec3 own_gradient = samples_->gradient[own];
            const Vec3 by_lambda = deformed_[own] * (volume * samples_->lambda[s]), by_shear = deformed_[own] * shear;
            for (std::size_t k = begin_of(*samples_, s); k < end_of(*samples_, s); ++k) {
              Mat3& block = hessian.block[place[function_of(*samples_, k)]];
              block += outer(by_lambda, deformed_[k]);
              block += outer(deformed_[k], by_shear);
              block += stress_[s] * (shear * dot(own_gradient, samples_->gradient[k]));
              const double isotropic = volume * dot(own_gradient, traction_[k]);
              for (std::size_t c = 0; c < 3; ++c) block(c, c) += isotropic;
            }
          }
        }
      });
}

}  // namespace sinew
