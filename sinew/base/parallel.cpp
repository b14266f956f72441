#include "sinew/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "sinew/base/thread_team.h"

namespace sinew {
namespace {

int current_thread_count = 0;
std::unique_ptr<ThreadTeam> team;
std::unique_ptr<tbb::global_control> limit;
// More threads than the machine has cores may be asked for (tests of determinism do): the loops
// then run in an arena of that size, which global_control alone would not give.
std::unique_ptr<tbb::task_arena> arena;

std::size_t chunk_count(std::size_t count, std::size_t grain) { return (count + grain - 1) / grain; }

}  // namespace

void set_thread_count(int threads) {
  const int hardware = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  current_thread_count = threads > 0 ? threads : hardware;
  team.reset();
  team = std::make_unique<ThreadTeam>(current_thread_count);
  arena.reset();
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(current_thread_count));
  arena = std::make_unique<tbb::task_arena>(current_thread_count);
}

int thread_count() {
  if (current_thread_count == 0) set_thread_count(0);
  return current_thread_count;
}

void parallel_chunks(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = chunk_count(count, grain);
  const auto run = [&](std::size_t chunk) { body(chunk * grain, std::min(count, (chunk + 1) * grain)); };
  thread_count();   // makes the team where nobody has yet
  team->run(chunks, std::cref(run));
}

void parallel_invoke(const std::function<void()>& first, const std::function<void()>& second) {
  if (thread_count() == 1) {
    first();
    second();
    return;
  }
  arena->execute([&] { tbb::parallel_invoke(first, second); });
}

double ordered_sum(std::size_t count, std::size_t grain,
                   const std::function<double(std::size_t, std::size_t)>& chunk_sum) {
  grain = std::max<std::size_t>(grain, 1);
  std::vector<double> sums(chunk_count(count, grain));
  parallel_chunks(count, grain,
                  [&](std::size_t begin, std::size_t end) { sums[begin / grain] = chunk_sum(begin, end); });
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

}  // namespace sinew
