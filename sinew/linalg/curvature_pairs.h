// Limited-memory BFGS (Nocedal 1980): corrects an approximate inverse of a Hessian by the last few observed changes of
// the gradient.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace sinew {

class CurvaturePairs {
 public:
  // `most`: number of pairs that are kept, the newest.
  CurvaturePairs(std::size_t numbers, std::size_t most);

  void clear() { count_ = 0; }
  // Forgets all but the newest.
  void keep(std::size_t newest) { count_ = std::min(count_, newest); }
  std::size_t size() const { return count_; }

  // Adds a change of position and the change of the gradient along it. Ignores pairs without positive curvature.
  void add(std::span<const double> step, std::span<const double> gradient_change);

  // Computes x = H b by the two-loop recursion; `inverse` computes x = H_0 b. Without pairs it is H_0.
  void apply(const std::function<void(std::span<const double>, std::span<double>)>& inverse, std::span<const double> b,
             std::span<double> x);

 private:
  struct Pair {
    std::vector<double> step, change;
    double curvature = 0;  // step . change
  };
  Pair& pair(std::size_t age) { return pairs_[(newest_ + pairs_.size() - age) % pairs_.size()]; }

  std::vector<Pair> pairs_;  // a ring
  std::size_t newest_ = 0, count_ = 0;
  std::vector<double> work_, share_;
};

}  // namespace sinew
