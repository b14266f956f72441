#include "sinew/deform/tetrahedra/factor_levels.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double between_levels = 1.5;
constexpr std::size_t most_kept = 6;  // stiffness that swings between 1 and 4 passes through fewer

}  // namespace

// Damping of stiffness adds 3/2h b to the share of S in the system. Damping of mass is small beside m_k.
int factor_level(const FleshBody& body, double stiffness, double damping) {
  const double viscous = body.method.velocity_factor() * body.description.stiffness_damping;
  const double scale = (stiffness + viscous * damping) / (1 + viscous);
  return static_cast<int>(std::lround(std::log(scale) / std::log(between_levels)));
}

StepFactor step_factor(const FleshBody& body, int level) {
  if (level == 0) return {&body.factor, body.compliance.get()};
  return body.factor_levels->find(body, level);
}

StepFactor FactorLevels::find(const FleshBody& body, int level) {
  const std::lock_guard lock(mutex_);
  auto found = std::find_if(made_.begin(), made_.end(), [&](const auto& made) { return made->level == level; });
  if (found == made_.end()) {
    const auto made = std::make_shared<Made>(Made{level, body.factor.of_same_pattern(), surface_compliance(body)});
    factor_step(body, stiffness_.block.empty() ? body.stiffness : stiffness_, std::pow(between_levels, level),
                made->factor);
    if (made_.size() == most_kept) made_.pop_back();
    found = made_.insert(made_.end(), made);
  }
  std::rotate(made_.begin(), found, found + 1);
  return {&made_.front()->factor, made_.front()->compliance.get(), made_.front()};
}

}  // namespace sinew
