#include "sinew/deform/surface/fit/spread_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/deform/surface/fit/example_frames.h"
#include "sinew/deform/surface/fit/fit_alone.h"

namespace sinew {
namespace {

constexpr double least_spread_share = 1e-2;  // of the mean over all vertices, below which motion says little
constexpr double coupling = 1e-2;            // c
constexpr int most_sweeps = 1000;
constexpr double smallest_change = 1e-6;  // of any number in a sweep

constexpr std::size_t numbers = 7;  // alpha S: xx, yy, zz, xy, xz, yz; delta
using Numbers = std::array<double, numbers>;

Numbers numbers_of(const SurfaceModel& model, std::size_t i) {
  const VertexParameters& p = model.parameters[i];
  const RestorationShape s = model.shape.empty() ? RestorationShape{} : model.shape[i];
  return {p.alpha * s.xx, p.alpha * s.yy, p.alpha * s.zz, p.alpha * s.xy, p.alpha * s.xz, p.alpha * s.yz, p.delta};
}

void set_numbers(const Numbers& v, SurfaceModel& model, std::size_t i) {
  set_restoration(model, i, {{v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]}});
  model.parameters[i].delta = v[6];
}

}  // namespace

std::vector<double> observed_motion(const SurfaceModel& model, std::span<const SurfaceExample> examples) {
  std::vector<double> shown(model.rest.size());
  for (const SurfaceExample& example : examples) {
    const ExampleFrames frames(model, example);
    for (std::size_t t = 0; t < frames.count(); ++t)
      for (std::size_t i = 0; i < shown.size(); ++i)
        shown[i] += frames.weight(t, i) * squared_norm(frames.offset(t, i));
  }
  return shown;
}

void spread_parameters(SurfaceModel& model, std::span<const double> shown) {
  const std::size_t n = model.rest.size();
  double mean = 0;
  for (const double s : shown) mean += s / static_cast<double>(n);
  if (!(mean > 0)) return;
  std::vector<Numbers> fitted(n);
  for (std::size_t i = 0; i < n; ++i) fitted[i] = numbers_of(model, i);
  std::vector<Numbers> now = fitted;
  // Gauss and Seidel, there and back in turns, so that news goes far in both directions.
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double change = 0;
    for (std::size_t place = 0; place < n; ++place) {
      const std::size_t i = sweep % 2 == 0 ? place : n - 1 - place;
      const int first = model.first_neighbour[i], last = model.first_neighbour[i + 1];
      if (first == last) continue;
      const double own = shown[i] / (shown[i] + least_spread_share * mean);
      Numbers sum{};
      for (std::size_t a = 0; a < numbers; ++a) sum[a] = own * fitted[i][a];
      for (int k = first; k < last; ++k) {
        const Numbers& there = now[static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)])];
        for (std::size_t a = 0; a < numbers; ++a) sum[a] += coupling * there[a];
      }
      const double weight = own + coupling * (last - first);
      for (std::size_t a = 0; a < numbers; ++a) {
        const double value = sum[a] / weight;
        change = std::max(change, std::abs(value - now[i][a]));
        now[i][a] = value;
      }
    }
    if (change < smallest_change) break;
  }
  for (std::size_t i = 0; i < n; ++i) set_numbers(now[i], model, i);
}

}  // namespace sinew
