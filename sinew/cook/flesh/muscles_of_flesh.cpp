#include "sinew/cook/flesh/muscles_of_flesh.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/muscles/auto_muscles.h"
#include "sinew/cook/muscles/muscle_activation.h"

namespace sinew {
namespace {

// Strain of a tendon by the largest isometric force of its muscle (Zajac 1989).
constexpr double tendon_strain = 0.033;
// Share of the bones' hold on flesh that muscles are free of: they slide along bones.
constexpr double sliding = 0.9;

}  // namespace

MusclesInBody muscles_of_settings(const FleshSettings& settings, const Character& character,
                                  const SimulationSurface& surface, const FleshDescription& description) {
  if (settings.muscles.empty()) return {};
  const BodyOfMuscles flesh{description.mesh, description.inside_fraction, description.core, description.influences};
  if (settings.muscles != auto_muscles) return muscles_in_body(muscles_of_setting(settings.muscles), surface, flesh);
  MuscleFile found = find_muscles(surface);
  found.file = "muscles";
  MusclesInBody muscles = muscles_in_body(found, surface, flesh, MissingFlesh::leave_out);
  if (muscles.file.muscles.empty())
    throw usage_error("muscles: " + character.file +
                      " has no arms, legs or neck that names of bones and flesh around them would show; describe its "
                      "muscles in a file, or leave muscles out.");
  return muscles;
}

void add_muscles(const MusclesInBody& muscles, const FleshSettings& settings, FleshDescription& description) {
  description.muscles = muscles.fibres;
  if (muscles.empty()) return;
  const std::size_t tetrahedra = description.mesh.tetrahedra.size();
  if (description.poisson.empty()) description.poisson.assign(tetrahedra, settings.poisson);
  for (std::size_t t = 0; t < tetrahedra; ++t) {
    description.bone_stiffness[t] *= 1 - sliding * std::max(0.0, muscles.share[t] - muscles.tendon[t]);
    description.young[t] *= muscles.stiffness[t];
    double& poisson = description.poisson[t];
    poisson += muscles.share[t] * (std::max(poisson, muscle_poisson) - poisson);
  }
}

void set_muscle_stress(const MuscleFile& file, double young, MuscleFibres& fibres) {
  for (std::size_t m = 0; m < fibres.muscles.size(); ++m)
    fibres.muscles[m].stress = file.muscles[m].stress.value_or(usual_muscle_stress * young);
}

void hold_tendons(const MusclesInBody& muscles, const MuscleFibres& fibres, std::vector<double>& springs) {
  for (const MuscleTendon& tendon : muscles.tendons) {
    const double stress = fibres.muscles[static_cast<std::size_t>(tendon.muscle)].stress;
    for (const auto& [t, area] : tendon.pull)
      springs[static_cast<std::size_t>(t)] += stress * area / (tendon_strain * tendon.length);
  }
}

std::shared_ptr<const MuscleControls> muscle_controls(const FleshSettings& settings, const MuscleFile& muscles,
                                                      const Character& character, const SimulationSurface& surface) {
  if (muscles.muscles.empty()) return {};
  return std::make_shared<const MuscleActivations>(muscles, activation_of_setting(settings.activation), character,
                                                   surface);
}

MuscleLines muscle_lines(std::shared_ptr<const FleshBody> body, const MusclePoints& points) {
  MuscleLines lines{points.lines};
  // The body's points are displacements, each in its own rotated frame.
  lines.place = [body = std::move(body), points = points.points, frames = VertexFrames()](
                    std::span<const Vec3> displacements, std::span<const Affine> bones,
                    std::span<Vec3> places) mutable {
    predict_frames(points_of(body->description), bones, frames);
    for (std::size_t p = 0; p < places.size(); ++p) {
      places[p] = {};
      for (std::size_t c = 0; c < 4; ++c) {
        const auto v = static_cast<std::size_t>(points[p].vertex[c]);
        places[p] += points[p].weight[c] * (frames.goal[v] + frames.rotation[v] * displacements[v]);
      }
    }
  };
  return lines;
}

}  // namespace sinew
