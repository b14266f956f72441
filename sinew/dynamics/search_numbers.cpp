#include "sinew/dynamics/search_numbers.h"

#include <algorithm>
#include <cmath>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <utility>

namespace sinew {
namespace {

constexpr unsigned at_once = 14;       // tries of one generation
constexpr double first_spread = 0.15;  // of the first tries, in scales of their numbers
constexpr double first_sigma = 0.03;   // CMA-ES's first step, as a share of the range of each number

// The numbers as pagmo's problem, in scales.
struct NumbersProblem {
  std::span<const SearchedNumber> ranges;
  const std::function<double(std::span<const double>)>* cost = nullptr;

  std::vector<double> numbers(const pagmo::vector_double& x) const {
    std::vector<double> result;
    for (std::size_t k = 0; k < x.size(); ++k)
      result.push_back(std::clamp(x[k] * ranges[k].scale, ranges[k].least, ranges[k].largest));
    return result;
  }
  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return {(*cost)(numbers(x))}; }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    pagmo::vector_double low, high;
    for (const SearchedNumber& range : ranges)
      low.push_back(range.least / range.scale), high.push_back(range.largest / range.scale);
    return {low, high};
  }
};

}  // namespace

double drawn_between(std::mt19937_64& random, double least, double most) {
  return least + (most - least) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

FoundNumbers search_numbers(std::span<const double> first, std::span<const SearchedNumber> ranges,
                            const std::function<double(std::span<const double>)>& cost, int most_tries,
                            std::uint64_t seed, const std::string& words, const Progress& progress) {
  const NumbersProblem problem{ranges, &cost};
  pagmo::population population(pagmo::problem(problem), 0u, static_cast<unsigned>(seed));
  std::mt19937_64 random(seed);
  std::normal_distribution<double> spread(0, first_spread);
  for (unsigned k = 0; k < at_once; ++k) {
    pagmo::vector_double x;
    for (std::size_t i = 0; i < first.size(); ++i)
      x.push_back(std::clamp(first[i] / ranges[i].scale + (k == 0 ? 0 : spread(random)),
                             ranges[i].least / ranges[i].scale, ranges[i].largest / ranges[i].scale));
    population.push_back(x);
  }
  const pagmo::cmaes method(1, -1, -1, -1, -1, first_sigma, 1e-10, 1e-10, true, true, static_cast<unsigned>(seed));
  pagmo::algorithm algorithm(method);
  const auto tries = [&] { return static_cast<int>(population.get_problem().get_fevals()); };
  for (int before = 0; before < tries() && tries() + static_cast<int>(at_once) <= most_tries;) {
    report_or_stop(progress, words, static_cast<double>(tries()) / most_tries);
    before = tries();
    population = algorithm.evolve(population);
  }
  return {problem.numbers(population.champion_x()), tries()};
}

}  // namespace sinew
