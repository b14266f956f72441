// Factors of a step's system for flesh whose stiffness and damping change with time (Environment::stiffness). A factor
// only preconditions there, so that one serves a range: factors are made at levels, which depend on the two numbers
// alone. Level 0 is the factor that was cooked.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// A factor, and the compliance that is computed from it.
struct StepFactor {
  const BlockCholesky* factor = nullptr;
  VertexCompliance* compliance = nullptr;
  std::shared_ptr<const void> owner{};  // keeps both alive; null: the body does
};

// Level for S multiplied by `stiffness` and D by `damping` in m_k M + (1 - alpha_f) (S + 3/2h D).
int factor_level(const FleshBody& body, double stiffness, double damping);

// The factor of a level, which is factorised unless it is among those that were used last. For all simulations of a
// body, on any thread.
StepFactor step_factor(const FleshBody& body, int level);

// The factors of a body that were used last.
class FactorLevels {
 public:
  // `stiffness`: that of the factors; empty: that of the body.
  explicit FactorLevels(BlockMatrix stiffness) : stiffness_(std::move(stiffness)) {}

  StepFactor find(const FleshBody& body, int level);

 private:
  struct Made {
    int level = 0;
    BlockCholesky factor;
    std::shared_ptr<VertexCompliance> compliance;
  };

  const BlockMatrix stiffness_;
  std::mutex mutex_;                         // guards the member below
  std::vector<std::shared_ptr<Made>> made_;  // the last used first
};

}  // namespace sinew
