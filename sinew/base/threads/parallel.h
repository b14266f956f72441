// Ordered parallel loops. Results never depend on the number of threads: a loop body writes only
// what its own index owns, and reductions add fixed chunks in a fixed order.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/base/function_ref.h"

namespace sinew {

// Sets the number of threads that loops of this process use; 0, the default, means as many as the environment variable
// SINEW_THREADS says, else all of the machine's. Must not be called while a loop runs; everything else here may be
// called from several threads at once. The threads start with the first loop, unless a host lends its own
// (thread_loan.h).
void set_thread_count(int threads);
// Throws usage_error if SINEW_THREADS is no number of threads. It would have no effect.
void check_threads_variable();
// Number of threads used by loops that the calling thread starts.
int thread_count();

// Calls body(begin, end) for consecutive ranges that cover [0, count). Chunk borders depend on
// `grain` alone, never on the number of threads.
void parallel_chunks(std::size_t count, std::size_t grain, FunctionRef<void(std::size_t begin, std::size_t end)> body);

// Calls body(i) for each i in [0, count).
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  parallel_chunks(count, grain, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// Sum of chunk_sum(begin, end) over the chunks of [0, count), added in the order of the chunks.
double ordered_sum(std::size_t count, std::size_t grain,
                   FunctionRef<double(std::size_t begin, std::size_t end)> chunk_sum);

}  // namespace sinew
