#include "studies/shape/morph_swing.h"

#include <algorithm>
#include <memory>

#include "sinew/base/index.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/shape/fit_shape_file.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/session/session.h"
#include "sinew/shape/shape_rig_json.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr double before = 0.3, rise = 0.1, frames_per_second = 120;

Clip rising(const Skeleton& skeleton, const WeightControl& weight) {
  const std::vector<double>& rest = skeleton.joints[index(weight.node)].rest_weights;
  Channel channel;
  channel.joint = weight.node;
  channel.path = ChannelPath::weights;
  channel.times = {0, before, before + rise, before + 1.5};
  channel.components = static_cast<int>(rest.size());
  for (const double value : {0, 0, 1, 1}) {
    std::vector<double> weights = rest;
    weights[index(weight.target)] = value;
    channel.values.insert(channel.values.end(), weights.begin(), weights.end());
  }
  return {"rising", {channel}, 0, channel.times.back()};
}

SwungMorph swung(const Character& character, const Scene& scene, const WeightControl& weight) {
  const Clip clip = rising(character.skeleton, weight);
  SwungMorph morph;
  morph.name = weight.parameter.control;
  const SimulationSurface& surface = *scene.surface;
  const Pose rest = sample(character.skeleton, nullptr, 0);
  morph.target = morph_target_shape(character, surface, rest, weight.parameter.name).vertices;
  Session session(character, scene, whole(clip));
  std::vector<Vec3> skin(surface.rest.positions.size()), start;
  const auto share_of_shape = [&] {
    double along = 0, all = 0;
    for (std::size_t s = 0; s < skin.size(); ++s) {
      const Vec3 shape = morph.target[s] - start[s];
      along += dot(skin[s] - start[s], shape);
      all += squared_norm(shape);
    }
    return all > 0 ? along / all : 0;
  };
  session.advance(before);
  session.surface(skin);
  start = skin;
  // Players show the target by its weight; the session adds how flesh moves beside it.
  const auto show = [&](double time) {
    session.surface(skin);
    for (std::size_t s = 0; s < skin.size(); ++s) skin[s] += std::min(1.0, time / rise) * (morph.target[s] - start[s]);
  };
  int frame = 0;
  for (const double time : swung_times) {
    for (; frame < static_cast<int>(time * frames_per_second + 0.5); ++frame) {
      session.advance(1 / frames_per_second);
      show((frame + 1) / frames_per_second);
      if (frame + 1 == static_cast<int>(rise * frames_per_second + 0.5)) morph.late = 1 - share_of_shape();
      morph.beyond = std::max(morph.beyond, share_of_shape() - 1);
    }
    morph.skins.push_back(skin);
  }
  morph.left = rms_distance(skin, morph.target);
  return morph;
}

}  // namespace

MorphSwings morph_swings(const Character& character, const std::string& name, std::size_t most,
                         const Progress& progress) {
  FleshSettings settings;
  const auto known = std::make_shared<const Character>(character);
  ShapeWork work = work_on(known, settings, part_of(progress, 0, 0.2));
  MorphsToForces job;
  std::vector<WeightControl> weights = weight_controls(character, work.surface());
  weights.resize(std::min(weights.size(), most));
  for (const WeightControl& weight : weights) job.names.push_back(weight.parameter.name);
  MorphSwings result{name, work.height(), work.surface().rest.triangles, {}};
  if (weights.empty()) return result;
  shapes_from_morphs_in(work, job, part_of(progress, 0.2, 0.6));
  work.file.character = shaped_character(character.file, work.surface());
  FleshMethod method;
  method.values = settings;
  method.values.shapes = shape_json(work.file);
  const Scene scene = cook(method, {character});
  for (const WeightControl& weight : weights) {
    report_or_stop(progress, "swinging " + weight.parameter.name, 0.7);
    const bool moves = std::any_of(work.file.rigs.begin(), work.file.rigs.end(),
                                   [&](const ShapeRig& rig) { return rig.morph == weight.parameter.name; });
    if (moves) result.morphs.push_back(swung(character, scene, weight));
  }
  return result;
}

}  // namespace sinew
