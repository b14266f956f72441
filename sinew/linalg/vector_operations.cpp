#include "sinew/linalg/vector_operations.h"

#include <algorithm>
#include <cstddef>

#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dot_kernel.h"

namespace sinew {
namespace {

using std::size_t;

constexpr size_t grain = 4096;

double dot_of_range(const double* a, const double* b, size_t begin, size_t end) {
  return dot_in_eight_sums(a + begin, b + begin, end - begin);
}

// Sums of the chunks of several dot products, one chunk's after the other's.
void add_chunks(std::span<const double> partial, std::span<double> sums) {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (size_t k = 0; k < partial.size(); ++k) sums[k % sums.size()] += partial[k];
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return ordered_sum(a.size(), grain,
                     [&](size_t begin, size_t end) { return dot_of_range(a.data(), b.data(), begin, end); });
}

void add_scaled(double factor, std::span<const double> x, std::span<double> y) {
  parallel_chunks(x.size(), grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) y[i] += factor * x[i];
  });
}

void scale(double factor, std::span<const double> x, std::span<double> y) {
  parallel_chunks(x.size(), grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) y[i] = factor * x[i];
  });
}

void add_combination(std::span<const double> factors, std::span<const std::vector<double>> x, std::span<double> y) {
  parallel_chunks(y.size(), grain, [&](size_t begin, size_t end) {
    for (size_t j = 0; j < factors.size(); ++j) {
      const double* from = x[j].data();
      for (size_t i = begin; i < end; ++i) y[i] += factors[j] * from[i];
    }
  });
}

double orthogonalize(std::span<const std::vector<double>> basis, std::span<double> v, std::span<double> h,
                     std::vector<double>& work) {
  const size_t count = basis.size(), chunks = (v.size() + grain - 1) / grain;
  work.resize(chunks * std::max<size_t>(count, 1));
  parallel_chunks(v.size(), grain, [&](size_t begin, size_t end) {
    for (size_t i = 0; i < count; ++i)
      work[begin / grain * count + i] = dot_of_range(v.data(), basis[i].data(), begin, end);
  });
  add_chunks(std::span(work).first(chunks * count), h.first(count));
  parallel_chunks(v.size(), grain, [&](size_t begin, size_t end) {
    for (size_t i = 0; i < count; ++i) {
      const double* direction = basis[i].data();
      for (size_t k = begin; k < end; ++k) v[k] -= h[i] * direction[k];
    }
    work[begin / grain] = dot_of_range(v.data(), v.data(), begin, end);
  });
  double squared = 0;
  add_chunks(std::span(work).first(chunks), {&squared, 1});
  return squared;
}

}  // namespace sinew
