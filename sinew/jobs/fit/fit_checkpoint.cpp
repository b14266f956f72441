#include "sinew/jobs/fit/fit_checkpoint.h"

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/checkpoint.h"
#include "sinew/base/error.h"
#include "sinew/jobs/fit/fit_examples.h"

namespace sinew {
namespace {

std::uint64_t fingerprint(const SurfaceModel& model, std::span<const SurfaceExample> examples, const FitJob& job) {
  std::uint64_t hash = hash_bytes(model.rest.data(), model.rest.size() * sizeof(Vec3));
  for (const SurfaceExample& e : examples) hash = hash_bytes(e.offset.data(), e.offset.size() * sizeof(float), hash);
  const double numbers[] = {model.step,
                            static_cast<double>(static_cast<int>(model.reference)),
                            static_cast<double>(static_cast<int>(job.fit.scheme)),
                            job.fit.anisotropic ? 1.0 : 0.0,
                            job.fit.damping ? 1.0 : 0.0,
                            job.fit.range_margin};
  return hash_bytes(numbers, sizeof(numbers), hash);
}

// Parameters and shapes as plain numbers, and back.
std::vector<double> numbers_of(const SurfaceModel& model) {
  std::vector<double> numbers;
  for (const VertexParameters& p : model.parameters)
    numbers.insert(numbers.end(), {p.alpha, p.beta, p.gamma, p.lambda, p.delta});
  for (const RestorationShape& s : model.shape) numbers.insert(numbers.end(), {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz});
  return numbers;
}

// Checks ranges: rates in [0, 1] per step, and symmetric matrices of trace 3 without negative eigenvalues.
void check_ranges(const std::vector<double>& numbers, std::size_t vertices, const std::filesystem::path& path) {
  constexpr double slack = 1e-6;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const bool share = k < 5 * vertices;
    const double least = share ? 0 : -3, most = share ? 1 : 3;
    if (!(numbers[k] >= least - slack && numbers[k] <= most + slack))
      throw forged_checkpoint(path.string(),
                              "a parameter of vertex " + std::to_string(share ? k / 5 : (k - 5 * vertices) / 6));
  }
}

void set_numbers(const std::vector<double>& numbers, SurfaceModel& model, const std::filesystem::path& path) {
  const std::size_t n = model.rest.size();
  if (numbers.size() != 5 * n && numbers.size() != 11 * n)
    throw input_error(path.string() +
                      ": the checkpoint holds another model's parameters; start again without --resume.");
  check_ranges(numbers, n, path);
  for (std::size_t i = 0; i < n; ++i) {
    const double* p = &numbers[5 * i];
    model.parameters[i] = {p[0], p[1], p[2], p[3], p[4]};
  }
  model.shape.clear();
  if (numbers.size() == 5 * n) return;
  for (std::size_t i = 0; i < n; ++i) {
    const double* s = &numbers[5 * n + 6 * i];
    model.shape.push_back({s[0], s[1], s[2], s[3], s[4], s[5]});
  }
}

}  // namespace

SurfaceFitResult fit_or_resume(const FitJob& job, SurfaceModel& model, std::span<SurfaceExample> examples,
                               HeldOut& held_out, const Progress& progress) {
  const std::uint64_t print = job.checkpoint.empty() ? 0 : fingerprint(model, examples, job);
  SurfaceFitResult fit;
  if (job.resume && !job.checkpoint.empty() && std::filesystem::exists(job.checkpoint)) {
    set_numbers(read_checkpoint(job.checkpoint, print).now.numbers, model, job.checkpoint);
    fit = continue_fit(model, examples, job.fit, progress);
  } else {
    if (job.fit.scheme == FitScheme::gradient) held_out = choose_held_out(examples, performances(job));
    fit = held_out.any ? fit_with_held_out(model, examples, job.fit, held_out, progress)
                       : fit_surface(model, examples, job.fit, progress);
  }
  if (!fit.complete && !job.checkpoint.empty()) {
    Checkpoint state;
    state.fingerprint = print;
    state.now.numbers = numbers_of(model);
    write_checkpoint(job.checkpoint, state);
  }
  return fit;
}

}  // namespace sinew
