#include "studies/surface/soft_part.h"

#include <algorithm>
#include <cmath>

#include "studies/common/measures.h"
#include "studies/surface/dancing_tube.h"
#include "studies/surface/learning.h"

namespace sinew {
namespace {

LearningExperiment learned(const Character& tube, const SoftPartOptions& options, const Progress& progress) {
  LearningOptions how;
  how.learned = how.unseen = tube.clips[0].name;
  how.flesh.tetrahedra = options.tetrahedra;
  return learning_experiment(tube, "tube", how, progress);
}

std::vector<double> motion_of(const LearningExperiment& experiment) {
  const PartRecording& part = experiment.flesh.parts.at(0);
  const auto n = static_cast<std::size_t>(part.vertices);
  std::vector<double> result(n);
  for (std::size_t k = 0; k < part.displacement.size(); ++k) {
    const double d = part.displacement[k];
    result[k / 3 % n] += d * d;
  }
  for (double& r : result) r = std::sqrt(r / static_cast<double>(experiment.flesh.times.size()));
  return result;
}

}  // namespace

SoftPart soft_part_experiment(const SoftPartOptions& options, const Progress& progress) {
  Character tube = dancing_tube();
  const LearningExperiment uniform = learned(tube, options, part_of(progress, 0, 0.5));
  Part& part = tube.parts[0];
  const double length = 1;
  for (const Vec3& x : part.surface.positions)
    part.fields[field("stiffness")].push_back(x.y > length / 2 ? options.stiffness : 1);
  const LearningExperiment painted = learned(tube, options, part_of(progress, 0.5, 1));

  SoftPart result{{}, uniform.surface.rest, uniform.model, painted.model};
  const std::vector<double> before = motion_of(uniform), after = motion_of(painted);
  for (const bool upper : {true, false}) {
    std::vector<double> a, b, still, lively;
    for (std::size_t v = 0; v < part.surface.positions.size(); ++v) {
      const double from_border = part.surface.positions[v].y / length - 0.5;
      if ((from_border > 0) != upper || std::abs(from_border) < options.apart ||
          std::abs(from_border) > 0.5 - options.apart)
        continue;
      const auto welded = static_cast<std::size_t>(uniform.surface.vertex_of.at(0)[v]);
      a.push_back(uniform.model.parameters[welded].alpha);
      b.push_back(painted.model.parameters[welded].alpha);
      still.push_back(before[v]);
      lively.push_back(after[v]);
    }
    result.rows.push_back({upper ? "upper" : "lower", upper ? options.stiffness : 1, median(a), median(b),
                           median(still), median(lively)});
  }
  return result;
}

}  // namespace sinew
