#include "studies/reference/hyperelastic_energy.h"

#include <cstddef>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t hyperelastic_energy_sample_grain = 64, hyperelastic_energy_function_grain = 32;

}  // namespace

HyperelasticEnergy::HyperelasticEnergy(const StrainSamples& samples, int functions, HyperelasticLaw law)
    : samples_(&samples), functions_(functions), law_(law), entries_(entries_of_functions(samples, functions)) {}

double HyperelasticEnergy::energy(std::span<const Vec3> q) {
  return ordered_sum(samples_->size(), hyperelastic_energy_sample_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t s = begin; s < end; ++s)
      sum += samples_->volume[s] * density(law_, displacement_gradient(s, q), moduli(s));
    return sum;
  });
}

void HyperelasticEnergy::gradient(std::span<const Vec3> q, std::span<Vec3> gradient) {
  stress_.resize(samples_->size());
  parallel_for(samples_->size(), hyperelastic_energy_sample_grain, [&](std::size_t s) {
    stress_[s] = stress(law_, displacement_gradient(s, q), moduli(s)) * samples_->volume[s];
  });
  gather(entries_, *samples_, stress_, gradient);
}

BlockMatrix HyperelasticEnergy::hessian_pattern() const {
  return block_pattern(functions_, samples_->vertex, samples_->start);
}

void HyperelasticEnergy::hessian(std::span<const Vec3> q, BlockMatrix& hessian) {
  stiffness_.resize(samples_->size(), {law_, form_, Mat3::zero(), {}});
  parallel_for(samples_->size(), hyperelastic_energy_sample_grain, [&](std::size_t s) {
    stiffness_[s] = {law_, form_, displacement_gradient(s, q), moduli(s)};
  });
  parallel_chunks(static_cast<std::size_t>(functions_), hyperelastic_energy_function_grain,
                  [&](std::size_t first, std::size_t last) {
                    std::vector<std::size_t> place(
                        static_cast<std::size_t>(functions_));  // of a column among the blocks of the row
                    for (std::size_t i = first; i < last; ++i) {
                      const auto begin = static_cast<std::size_t>(hessian.row_start[i]),
                                 end = static_cast<std::size_t>(hessian.row_start[i + 1]);
                      for (std::size_t k = begin; k < end; ++k) {
                        hessian.block[k] = Mat3::zero();
                        place[static_cast<std::size_t>(hessian.column[k])] = k;
                      }
                      for (int e = entries_.start[i]; e < entries_.start[i + 1]; ++e) {
                        const auto s = static_cast<std::size_t>(entries_.sample[static_cast<std::size_t>(e)]);
                        const Vec3 own =
                            samples_->gradient[static_cast<std::size_t>(entries_.entry[static_cast<std::size_t>(e)])] *
                            samples_->volume[s];
                        for (auto k = static_cast<std::size_t>(samples_->start[s]);
                             k < static_cast<std::size_t>(samples_->start[s + 1]); ++k)
                          hessian.block[place[static_cast<std::size_t>(samples_->vertex[k])]] +=
                              stiffness_[s].block(own, samples_->gradient[k]);
                      }
                    }
                  });
}

}  // namespace sinew
