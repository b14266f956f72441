// The numbers for which a run of a body costs least: CMA-ES (Hansen 2006, in pagmo).
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"

namespace sinew {

struct SearchedNumber {
  double scale = 1;  // its usual size
  double least = 0, largest = 1;
};

struct FoundNumbers {
  std::vector<double> numbers;
  int tries = 0;
};

// `first`: numbers to begin with. `cost`: is called by one thread at a time. `words`: of the progress. The search stops
// by itself where all tries of a generation of 14 are as good, or nearly one.
FoundNumbers search_numbers(std::span<const double> first, std::span<const SearchedNumber> ranges,
                            const std::function<double(std::span<const double>)>& cost, int tries, std::uint64_t seed,
                            const std::string& words, const Progress& progress);

// An error as a cost: its square where it is small, and below 1 however large it is.
inline double bounded_square(double error) { return error * error / (1 + error * error); }

// A number between two others, from the generator's bits alone: the same with every library.
double drawn_between(std::mt19937_64& random, double least, double most);

}  // namespace sinew
