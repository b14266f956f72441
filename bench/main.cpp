// The main program of all benchmarks: Google Benchmark's, but --benchmark_out gets a short JSON with the machine and,
// per benchmark, the smallest time (the code's cost), the median (the typical cost) and the spread (the reliability)
// over the repetitions. Counters are those of the fastest repetition. Skipped benchmarks give the reason.
// SINEW_VECTOR_TARGET names the instruction set of kernels: avx512, avx2 or portable.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/linalg/vector_target.h"

namespace {

const std::string hash_label = "hash=";  // bench/measures.h

struct Measured {
  std::vector<double> milliseconds;        // one per repetition, wall clock, per iteration
  std::map<std::string, double> counters;  // of the fastest repetition
  std::string label, skipped;
};

// Reason for skipping a run, or empty; the library renamed the fields in version 1.8.
template <class Run>
std::string why_skipped(const Run& run) {
  if constexpr (requires { run.skip_message; })
    return run.skipped ? run.skip_message : std::string();
  else
    return run.error_occurred ? run.error_message : std::string();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class SummaryReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string name = run.run_name.str();
      if (!measured_.count(name)) order_.push_back(name);
      Measured& measured = measured_[name];
      measured.label = run.report_label;
      measured.skipped = why_skipped(run);
      if (!measured.skipped.empty()) continue;
      const double milliseconds = run.real_accumulated_time / static_cast<double>(run.iterations) * 1e3;
      const auto& before = measured.milliseconds;
      if (before.empty() || milliseconds < *std::min_element(before.begin(), before.end()))
        for (const auto& [key, counter] : run.counters) measured.counters[key] = counter.value;
      measured.milliseconds.push_back(milliseconds);
    }
  }

  void Finalize() override {
    nlohmann::ordered_json summary;
    if (const auto* context = benchmark::internal::GetGlobalContext())
      for (const auto& [key, value] : *context) summary[key] = value;
    summary["cores"] = benchmark::CPUInfo::Get().num_cpus;
    for (const std::string& name : order_) {
      const Measured& measured = measured_[name];
      nlohmann::ordered_json entry{{"name", name}};
      if (measured.milliseconds.empty()) {
        entry["skipped"] = measured.skipped;
      } else {
        const auto [least, most] = std::minmax_element(measured.milliseconds.begin(), measured.milliseconds.end());
        entry["repetitions"] = measured.milliseconds.size();
        entry["min_ms"] = *least;
        entry["median_ms"] = median(measured.milliseconds);
        entry["spread"] = (*most - *least) / *least;
      }
      if (measured.label.rfind(hash_label, 0) == 0)
        entry["result_hash"] = measured.label.substr(hash_label.size());
      else if (!measured.label.empty())
        entry["label"] = measured.label;
      for (const auto& [key, value] : measured.counters) entry["counters"][key] = value;
      summary["benchmarks"].push_back(entry);
    }
    GetOutputStream() << summary.dump(2) << "\n";
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, Measured> measured_;
};

}  // namespace

int main(int argc, char** argv) {
  sinew::use_vector_target_from_environment();
  bool writes_file = false;
  for (int i = 1; i < argc; ++i) writes_file |= std::string(argv[i]).rfind("--benchmark_out=", 0) == 0;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::ConsoleReporter console;
  SummaryReporter summary;
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&console, writes_file ? &summary : nullptr);
  benchmark::Shutdown();
  return ran > 0 ? 0 : 1;
}
