#include "sinew/linalg/bounded/bounded_minimization.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "sinew/base/error.h"

// Fortran: everything by address, lengths of character variables last.
extern "C" void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd,
                        double* f, double* g, const double* factr, const double* pgtol, double* wa, int* iwa,
                        char* task, const int* iprint, char* csave, int* lsave, int* isave, double* dsave,
                        std::size_t task_length, std::size_t csave_length);

namespace sinew {
namespace {

constexpr std::size_t text_length = 60;

// A Fortran string, padded with blanks.
struct Text {
  std::array<char, text_length> characters;
  Text() { characters.fill(' '); }
  void set(const char* word) {
    characters.fill(' ');
    std::memcpy(characters.data(), word, std::strlen(word));
  }
  bool begins_with(const char* word) const { return std::memcmp(characters.data(), word, std::strlen(word)) == 0; }
};

}  // namespace

BoundedMinimum minimize_in_box(const std::function<double(std::span<const double>, std::span<double>)>& function,
                               std::span<const double> lower, std::span<const double> upper, std::vector<double>& x,
                               const BoundedMinimizationOptions& options,
                               const std::function<bool(int, double)>& proceed) {
  const int n = static_cast<int>(x.size()), m = options.memory, silent = -1;
  const auto unknowns = x.size(), memory = static_cast<std::size_t>(m);
  std::vector<int> bounded(unknowns, 2), integers(3 * unknowns);
  std::vector<double> gradient(unknowns),
      work(2 * memory * unknowns + 5 * unknowns + 11 * memory * memory + 8 * memory);
  for (std::size_t i = 0; i < unknowns; ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
  // The library measures decrease in units of rounding.
  const double decrease = options.relative_decrease / std::numeric_limits<double>::epsilon(), no_gradient = 0;
  Text task, csave;
  std::array<int, 4> lsave{};
  std::array<int, 44> isave{};
  std::array<double, 29> dsave{};
  double value = 0;

  BoundedMinimum result;
  std::vector<double> best;
  result.value = std::numeric_limits<double>::infinity();
  task.set("START");
  for (;;) {
    setulb_(&n, &m, x.data(), lower.data(), upper.data(), bounded.data(), &value, gradient.data(), &decrease,
            &no_gradient, work.data(), integers.data(), task.characters.data(), &silent, csave.characters.data(),
            lsave.data(), isave.data(), dsave.data(), text_length, text_length);
    if (task.begins_with("FG")) {
      if (result.evaluations >= options.evaluations) break;
      value = function(x, gradient);
      ++result.evaluations;
      if (!std::isfinite(value)) {
        if (result.evaluations == 1)
          throw simulation_error("the function to be minimised is no number at the start; begin elsewhere.");
        value = 1e3 * std::abs(result.value) + 1;  // far up: the line search comes back
        std::fill(gradient.begin(), gradient.end(), 0.0);
      } else if (value < result.value) {
        result.value = value;
        best = x;
      }
    } else if (task.begins_with("NEW_X")) {
      ++result.iterations;
      if (result.iterations >= options.iterations || (proceed && !proceed(result.iterations, value))) break;
    } else {
      result.converged = task.begins_with("CONV");
      break;
    }
  }
  if (!best.empty()) x = std::move(best);
  return result;
}

}  // namespace sinew
