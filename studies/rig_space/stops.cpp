#include "studies/rig_space/stops.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Excursions as fractions of the ranges: steps x parameters.
using Excursions = std::vector<double>;

Excursions excursions(const RigSpaceCase& of, const StopsOptions& options, double range, double limit) {
  RigSpaceDynamics dynamics = of.scene->dynamics;
  dynamics.limit_stiffness = limit;
  dynamics.range.assign(of.scene->free.size(), range);
  RigSpaceMotion motion(of.scene->body, *of.scene->rig, of.scene->free, dynamics);
  motion.reset(keyed_parameters(of, 0), keyed_parameters(of, options.step), options.step);
  Excursions result;
  for (int step = 1; step <= options.steps; ++step) {
    motion.advance(keyed_parameters(of, step * options.step), options.step);
    for (std::size_t i = 0; i < of.scene->free.size(); ++i) {
      const RigParameter& parameter = of.scene->rig->parameters()[static_cast<std::size_t>(of.scene->free[i])];
      const double away = motion.free_values()[i] - parameter.rest;
      result.push_back(away /
                       (range * (away < 0 ? parameter.rest - parameter.lower : parameter.upper - parameter.rest)));
    }
  }
  return result;
}

}  // namespace

StopsExperiment stops_experiment(const RigSpaceCase& of, const StopsOptions& options, const Progress& progress) {
  StopsExperiment result{of.name, options.steps, {}};
  for (const double range : options.ranges) {
    const Excursions loose = excursions(of, options, range, 0);
    for (const double limit : options.limits) {
      report_or_stop(
          progress, of.name + ", stops",
          static_cast<double>(result.rows.size()) / static_cast<double>(options.ranges.size() * options.limits.size()));
      const Excursions all = limit == 0 ? loose : excursions(of, options, range, limit);
      StopsRow row{range, limit, 0, 0, 0};
      double squared = 0, count = 0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        row.largest = std::max(row.largest, std::abs(all[k]));
        row.beyond += std::abs(all[k]) > 1 ? 1.0 / static_cast<double>(all.size()) : 0;
        if (std::abs(loose[k]) > of.scene->dynamics.limit_start) continue;
        squared += (all[k] - loose[k]) * (all[k] - loose[k]);
        ++count;
      }
      row.inside = count > 0 ? std::sqrt(squared / count) : 0;
      result.rows.push_back(row);
    }
  }
  return result;
}

}  // namespace sinew
