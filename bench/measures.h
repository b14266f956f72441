// Measures that benchmarks report beside their time: a hash of the result, the cost of copying as many bytes, and peak
// memory.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/checkpoint.h"

namespace sinew::bench {

// FNV-1a over the bytes of a span of plain values; pass a previous hash as `seed` to continue it.
template <class T>
std::uint64_t hash_of(std::span<const T> values, std::uint64_t seed = 14695981039346656037ull) {
  return hash_bytes(values.data(), values.size_bytes(), seed);
}
template <class T>
std::uint64_t hash_of(const std::vector<T>& values, std::uint64_t seed = 14695981039346656037ull) {
  return hash_of(std::span<const T>(values), seed);
}

// Sets the hash as the benchmark's label; the JSON has it as "result_hash".
inline void report_hash(benchmark::State& state, std::uint64_t hash) {
  char label[32];
  std::snprintf(label, sizeof label, "hash=%016llx", static_cast<unsigned long long>(hash));
  state.SetLabel(label);
}

// Milliseconds that memcpy takes for `bytes`, the fastest of five; one thread, warm pages.
inline double copy_milliseconds(std::size_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes);
  double least = 1e300;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
    least =
        std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

inline void report_bytes(benchmark::State& state, std::size_t bytes) {
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["copy_ms"] = copy_milliseconds(bytes);
}

// A line "Vm...:  n kB" of /proc/self/status, in bytes; 0 if it does not exist.
inline double process_memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(field + ":", 0) == 0) return 1024 * std::stod(line.substr(field.size() + 1));
  return 0;
}
inline double resident_bytes() { return process_memory("VmRSS"); }

// Peak memory of the process since construction (Linux; elsewhere since the process began).
class PeakMemory {
 public:
  PeakMemory() { std::ofstream("/proc/self/clear_refs") << 5; }
  double bytes() const { return process_memory("VmHWM"); }
};

}  // namespace sinew::bench
