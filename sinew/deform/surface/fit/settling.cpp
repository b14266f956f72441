#include "sinew/deform/surface/fit/settling.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/deform/surface/fit/surface_gradient.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/surface_body.h"

namespace sinew {
namespace {

constexpr std::size_t pokes = 24;
constexpr double poke_radius = 0.05;  // of the height: small, since what grows is fine
constexpr double poke_speed = 0.05;   // heights per second
constexpr double settled = 2e-5;      // heights per second
constexpr double trial_damping_ratios[] = {0.3, 0.2, 0.1, 0.05};
// Growth of the squared error that counts as consistent with the examples: relative to the goal's own error, to the
// model's, and an invisible amount.
constexpr double unheard = 0.01, unheard_of_left = 0.05, unseen = 1e-4;  // unseen: RMS, of the height
constexpr double least_deltas[] = {0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 1};

// Mean over the vertices, metres squared per step: bones stand still, so that what changes is flesh that moves.
double squared_change(const std::vector<Vec3>& before, const std::vector<Vec3>& after) {
  double sum = 0;
  for (std::size_t v = 0; v < after.size(); ++v) sum += squared_norm(after[v] - before[v]);
  return sum / static_cast<double>(after.size());
}

bool settles(const Settling& s, double height) { return s.late < 0.5 * s.early || s.late < settled * height; }

}  // namespace

Settling try_settling(const SurfaceModel& model) {
  if (model.rest.empty()) return {};
  const std::vector<std::byte> file = cook_runtime_file(model);
  SurfaceBody body(std::make_shared<const OpenSurfaceModel>(file, "the model"));
  const std::vector<Affine> rest(model.bones.size());
  body.reset(rest, rest);
  // Pokes are spread over the vertices, in unrelated directions.
  for (std::size_t k = 0; k < pokes; ++k) {
    const auto angle = static_cast<double>(k) * 2.4, up = std::cos(static_cast<double>(k) * 1.7);
    const Vec3 direction{std::cos(angle), up, std::sin(angle)};
    body.poke(model.rest[k * model.rest.size() / pokes], poke_radius * model.height,
              normalized(direction) * (poke_speed * model.height));
  }
  const auto a_second = static_cast<int>(std::ceil(1 / model.step));
  std::vector<Vec3> before, after;
  body.offsets(after);
  double early = 0, late = 0;
  for (int step = 0; step < 10 * a_second; ++step) {
    body.step(rest);
    before.swap(after);
    body.offsets(after);
    if (step / a_second == 1) early += squared_change(before, after) / a_second;
    if (step / a_second == 9) late += squared_change(before, after) / a_second;
  }
  return {std::sqrt(early) / model.step, std::sqrt(late) / model.step};
}

double damp_where_examples_are_silent(SurfaceModel& model, std::span<const SurfaceExample> examples) {
  const std::vector<VertexParameters> fitted = model.parameters;
  SurfaceGradient errors(model, examples, {});  // four times as fast as surface_error()
  std::vector<VertexGradient> unused;
  const SurfaceError error = errors(model, unused);
  const double most = error.sum + std::max(std::min(unheard * error.goal_sum, unheard_of_left * error.sum),
                                           unseen * unseen * model.height * model.height * error.weights);
  for (const double ratio : trial_damping_ratios) {
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      const double least = 2 * ratio * std::sqrt(fitted[i].alpha + fitted[i].gamma);
      model.parameters[i].delta = std::max(fitted[i].delta, std::min(least, 1.0));
    }
    if (errors(model, unused).sum <= most) return ratio;
  }
  model.parameters = fitted;
  return 0;
}

double make_settle(SurfaceModel& model) {
  const std::vector<VertexParameters> fitted = model.parameters;
  for (const double least : least_deltas) {
    for (std::size_t i = 0; i < fitted.size(); ++i) model.parameters[i].delta = std::max(fitted[i].delta, least);
    if (least == 1 || settles(try_settling(model), model.height)) return least;
  }
  return 1;
}

}  // namespace sinew
