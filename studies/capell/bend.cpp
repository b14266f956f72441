#include "studies/capell/bend.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

LatticeBendPose measured(const LatticeBar& bar, double degrees, std::vector<Vec3> positions) {
  LatticeBendPose pose;
  pose.degrees = degrees;
  const MeshMeasures body = measure_body(bar.grid.tetrahedra.mesh, positions);
  pose.volume_ratio = body.volume_ratio;
  pose.inverted = body.inverted;
  pose.least_section = 1e300;
  const int sections = bar.shape.along << bar.shape.levels;
  for (int i = 0; i <= sections; ++i)
    pose.least_section = std::min(pose.least_section, section_area(bar, positions, bar.shape.length * i / sections));
  pose.thickness = joint_thickness(bar, positions);
  pose.positions = std::move(positions);
  return pose;
}

void compare(const LatticeBar& bar, const LatticeBendPose& reference, LatticeBendPose& pose) {
  double sum = 0;
  for (std::size_t v = 0; v < pose.positions.size(); ++v) {
    const double d = distance(pose.positions[v], reference.positions[v]) / bar.shape.width;
    pose.largest = std::max(pose.largest, d);
    sum += d * d;
  }
  pose.rms = std::sqrt(sum / static_cast<double>(pose.positions.size()));
}

void time_motion(const LatticeBar& bar, const LatticeBendOptions& options, PosedLattice& lattice, LatticeBendRun& run) {
  const int steps = static_cast<int>(std::ceil(options.seconds / lattice.deformer().step()));
  lattice.rest_at(bent(bar, 0));
  std::vector<double> milliseconds;
  for (int step = 1; step <= steps; ++step) {
    const std::vector<Affine> bones = bent(bar, options.degrees.back() * step / steps);
    Stopwatch watch;
    lattice.step_to(bones);
    milliseconds.push_back(watch.seconds() * 1e3);
    run.iterations += static_cast<double>(lattice.deformer().statistics().iterations) / steps;
  }
  run.milliseconds = median(milliseconds);
  if (run.how.linearization != Linearization::warped) return;
  const std::vector<Affine> last = bent(bar, options.degrees.back());
  const auto stand = [&](double seconds) {
    const int count = static_cast<int>(std::ceil(seconds / lattice.deformer().step()));
    for (int step = 0; step < count; ++step) lattice.step_to(last);
    return lattice.surface();
  };
  const std::vector<Vec3> before = stand(1), after = stand(0.1);
  for (std::size_t v = 0; v < before.size(); ++v)
    run.unrest = std::max(run.unrest, distance(before[v], after[v]) / bar.shape.width);
}

}  // namespace

std::vector<LatticeBendRun> lattice_bend_experiment(const LatticeBar& bar, const LatticeBendOptions& options,
                                                    const Progress& progress) {
  std::vector<LatticeBendRun> runs;
  const std::vector<Linearized> hows = every_linearization();
  for (const Linearized& how : hows) {
    report_or_stop(progress, "bending a bar", static_cast<double>(runs.size()) / static_cast<double>(hows.size()));
    PosedLattice lattice(cook_bar(bar, how));
    LatticeBendRun run;
    run.how = how;
    for (const double degrees : options.degrees) {
      lattice.rest_at(bent(bar, degrees));
      run.poses.push_back(measured(bar, degrees, lattice.surface()));
      compare(bar, (runs.empty() ? run : runs.front()).poses[run.poses.size() - 1], run.poses.back());
    }
    time_motion(bar, options, lattice, run);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace sinew
