#include "sinew/base/threads/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/base/threads/thread_team.h"
#include "sinew/base/threads/threads_refused.h"

namespace sinew {
namespace {

// 0 until the team exists. A thread that reads another number can use the team.
std::atomic<int> current_thread_count{0};
std::atomic<int> current_threads_refused{0};
std::mutex making_threads;
std::unique_ptr<ThreadTeam> team;

std::size_t chunk_count(std::size_t count, std::size_t grain) { return (count + grain - 1) / grain; }

constexpr int most_threads = 1024;
constexpr const char* threads_variable = "SINEW_THREADS";

// A whole number of threads, or nothing.
std::optional<int> number_of_threads(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > most_threads) return {};
  return number;
}

// The number that the environment says, else that of the machine's threads.
int usual_thread_count() {
  if (const char* const asked = std::getenv(threads_variable))
    if (const std::optional<int> number = number_of_threads(asked)) return *number;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Requires the lock on `making_threads`.
void make_threads(int threads) {
  team.reset();
  team = std::make_unique<ThreadTeam>(threads);
  current_threads_refused.store(threads - team->size(), std::memory_order_relaxed);
  current_thread_count.store(team->size(), std::memory_order_release);
}

// Runs the chunks on the threads that a host lends to this thread, or on the team.
void run_chunks(std::size_t chunks, const std::function<void(std::size_t)>& chunk) {
  if (const ThreadLoan* const loan = current_loan()) return loan->run(chunks, chunk);
  thread_count();  // makes the team where nobody has yet
  team->run(chunks, chunk);
}

}  // namespace

void check_threads_variable() {
  const char* const asked = std::getenv(threads_variable);
  if (asked && !number_of_threads(asked))
    throw usage_error(std::string(threads_variable) + ": '" + asked + "' is not a number of threads; use 1 to " +
                      std::to_string(most_threads) + ", or unset it.");
}

void set_thread_count(int threads) {
  const std::lock_guard lock(making_threads);
  make_threads(threads > 0 ? threads : usual_thread_count());
}

int thread_count() {
  if (const ThreadLoan* const loan = current_loan()) return loan->count();
  if (const int threads = current_thread_count.load(std::memory_order_acquire)) return threads;
  const std::lock_guard lock(making_threads);
  // Another thread may have been first.
  if (current_thread_count.load(std::memory_order_relaxed) == 0) make_threads(usual_thread_count());
  return current_thread_count.load(std::memory_order_relaxed);
}

int threads_refused() { return current_threads_refused.load(std::memory_order_relaxed); }

void parallel_chunks(std::size_t count, std::size_t grain, FunctionRef<void(std::size_t, std::size_t)> body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = chunk_count(count, grain);
  const auto run = [&](std::size_t chunk) { body(chunk * grain, std::min(count, (chunk + 1) * grain)); };
  StopQuestion* const question = stop_question();
  const StopFlag* const outer = stop_flag_of_chunk();
  if (!question && !outer) return run_chunks(chunks, std::cref(run));

  // The thread that started the loop asks the listener; other threads, and nested loops in their chunks, check whether
  // it was asked to stop. If a host lends its threads, the starting thread may not run any chunk itself.
  const std::thread::id starter = std::this_thread::get_id();
  const auto asked_to_stop = [&] {
    return (outer && outer->load(std::memory_order_relaxed)) || (question && wants_to_stop(*question));
  };
  StopFlag stopping = current_loan() && asked_to_stop();
  const auto run_or_stop = [&](std::size_t chunk) {
    if (stopping.load(std::memory_order_relaxed)) return;
    if (std::this_thread::get_id() == starter && asked_to_stop()) {
      stopping.store(true, std::memory_order_relaxed);
      return;
    }
    const StopsWith stops(stopping);
    try {
      run(chunk);
    } catch (const Stopped&) {  // thrown by a nested loop: the remaining chunks are skipped
      stopping.store(true, std::memory_order_relaxed);
      throw;
    }
  };
  run_chunks(chunks, std::cref(run_or_stop));
  if (stopping.load(std::memory_order_relaxed)) throw Stopped();
}

double ordered_sum(std::size_t count, std::size_t grain, FunctionRef<double(std::size_t, std::size_t)> chunk_sum) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = chunk_count(count, grain);
  std::array<double, 256> few;  // avoids an allocation
  std::vector<double> many(chunks > few.size() ? chunks : 0);
  const std::span<double> sums = std::span(many.empty() ? few.data() : many.data(), chunks);
  parallel_chunks(count, grain,
                  [&](std::size_t begin, std::size_t end) { sums[begin / grain] = chunk_sum(begin, end); });
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

}  // namespace sinew
