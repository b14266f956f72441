#include "sinew/jobs/shape/corrective_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sinew/bake/output/morph_normals.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/simulation_context.h"
#include "sinew/jobs/shape/sample_pose.h"
#include "sinew/rig/bind_space.h"

namespace sinew {
namespace {

constexpr double keys_per_second = 30;
// A key is left out where all weights are nearer than this to the line between its neighbours.
constexpr double negligible_weight = 1e-4;
// Skin that moves by less than this share of a shape's largest displacement does not count in errors; offsets below
// this share of the height are left out of targets.
constexpr double least_moved = 0.01, negligible_offset = 1e-6;
// Degrees, or units of a control, from which the pose of a sample is said to miss it.
constexpr double missed = 1;

// A pose with the change of the skin in static equilibrium, and the weights that the targets have there.
struct Look {
  Pose pose;
  std::vector<Vec3> moved;  // per vertex of the skin, world, metres
  std::vector<double> weight;
  CorrectiveError error{};
};

// Forces and stiffening of rigs, per point of the body.
struct RigLoad {
  std::vector<Vec3> force;
  std::vector<double> stiffening;  // logarithms
};

class CorrectiveBuilder {
 public:
  CorrectiveBuilder(ShapeWork& work, const ControlValues& controls, int frames_per_clip, const Progress& progress)
      : work_(work), controls_(controls), frames_per_clip_(frames_per_clip), progress_(progress) {}

  CorrectiveShapes find() {
    for (std::size_t r = 0; r < work_.file.rigs.size(); ++r) sample_rig(r);
    if (result_.rigs.empty())
      throw input_error(work_.file.file + ": none of its rigs has a shape beyond a morph target's.");
    for (std::size_t r = 0; r < result_.rigs.size(); ++r) look_at_rig(r);
    look_at_clips();
    make_targets();
    measure_errors();
    set_keys();
    return std::move(result_);
  }

 private:
  const Character& character() const { return work_.character(); }
  const ShapeRig& rig_of(std::size_t r) const { return work_.file.rigs[result_.rig_of_file[r]]; }

  void sample_rig(std::size_t number) {
    const ShapeRig& rig = work_.file.rigs[number];
    if (!rig.morph.empty()) {
      result_.notes.push_back(rig.name + ": shows the morph target " + rig.morph + " already, and gets no shape.");
      return;
    }
    report_or_stop(progress_, "sampling " + rig.name, 0.05);
    CorrectiveRig corrective{
        rig.name, in_context(place(rig), "", [&] {
                               return sampled_forces(rig, work_.surface(), *work_.body); }),
        {},       0,
        {},       {}};
    std::vector<std::vector<double>> at;
    for (const SampledForce& sample : corrective.samples) {
      at.push_back(sample.at);
      corrective.target.push_back(sample.does_nothing() ? -1 : static_cast<int>(result_.names.size()));
      if (!sample.does_nothing()) result_.names.push_back(free_name(rig.name, sample.at));
    }
    if (std::all_of(corrective.target.begin(), corrective.target.end(), [](int target) { return target < 0; })) {
      result_.notes.push_back(rig.name + ": does nothing, and gets no shape.");
      return;
    }
    weights_.emplace_back(std::move(at));
    result_.rigs.push_back(std::move(corrective));
    result_.rig_of_file.push_back(number);
  }

  std::string place(const ShapeRig& rig) const { return work_.file.file + ": rig '" + rig.name + "'"; }

  // "biceps_90", with a number where the character has a target of this name.
  std::string free_name(const std::string& rig, const std::vector<double>& at) {
    if (taken_.empty())
      for (const Part& part : character().parts) taken_.insert(part.target_names.begin(), part.target_names.end());
    std::string name = rig;
    for (const double value : at) name += "_" + short_number(value);
    const std::string wanted = name;
    for (int count = 2; !taken_.insert(name).second; ++count) name = wanted + "_" + std::to_string(count);
    return name;
  }

  // The rest pose with the joints among the controls turned to these values.
  Pose pose_at(std::size_t r, const std::vector<double>& at) {
    try {
      Pose pose = sample_pose(character(), controls_, result_.rig_of_file[r], at);
      check_controls(r, at, pose);
      return pose;
    } catch (const Error&) {
      note(rig_of(r).name + ": no clip turns the joint that drives it, so that its shapes are taken at rest.");
      return sample(character().skeleton, nullptr, 0);
    }
  }

  void check_controls(std::size_t r, const std::vector<double>& at, const Pose& pose) {
    std::vector<double> values(controls_.size());
    controls_.find(pose, 0, values);
    const std::span<const std::size_t> own = controls_.of_rig(result_.rig_of_file[r]);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (controls_.measure(own[k], character().skeleton).measure != "abstract" && joint_measured(own[k]) &&
          std::abs(values[own[k]] - at[k]) > missed)
        note(rig_of(r).name + ": its control " + controls_.name(own[k]) + " is " + short_number(values[own[k]]) +
             " in the pose in which its shape for " + short_number(at[k]) + " is taken.");
  }

  bool joint_measured(std::size_t control) const {
    const std::string_view measure = controls_.measure(control, character().skeleton).measure;
    return measure != "abstract" && measure != "weight" && measure != "property";
  }

  void note(const std::string& text) {
    if (std::find(result_.notes.begin(), result_.notes.end(), text) == result_.notes.end())
      result_.notes.push_back(text);
  }

  RigLoad no_load() const {
    return {std::vector<Vec3>(work_.body->points()), std::vector<double>(work_.body->points())};
  }

  // Adds the forces, the stiffening and the weights of a rig where its controls have these values.
  void add_rig(std::size_t r, const std::vector<double>& at, RigLoad& load, Look& look) const {
    const CorrectiveRig& rig = result_.rigs[r];
    std::vector<double> weights(rig.samples.size());
    weights_[r].find(at, weights);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (rig.target[k] < 0 || weights[k] == 0) continue;
      add_forces(rig.samples[k].force, weights[k], load.force);
      for (const PointStiffening& each : rig.samples[k].stiffening)
        load.stiffening[index(each.point)] += weights[k] * each.logarithm;
      look.weight[index(rig.target[k])] = weights[k];
    }
  }

  // The change of the skin by the forces.
  void settle(const RigLoad& load, const std::string& where, Look& look) {
    ShapeBody& body = *work_.body;
    std::vector<PointStiffening> stiffening;
    for (std::size_t point = 0; point < load.stiffening.size(); ++point)
      if (load.stiffening[point] != 0) stiffening.push_back({static_cast<int>(point), load.stiffening[point]});
    const std::vector<Affine> bones = bone_transforms(character(), work_.surface(), look.pose);
    body.stiffen(stiffening);
    body.set_pose(bones);
    std::vector<Vec3> with = in_context(where, "", [&] { return body.displacements(nonzero_forces(load.force)); });
    body.stiffen({});
    body.set_pose(bones);
    const std::vector<Vec3> without = body.displacements({});
    for (std::size_t f = 0; f < with.size(); ++f) with[f] = body.rotations()[f] * (with[f] - without[f]);
    look.moved.resize(body.skin().rows());
    multiply(body.skin(), with, look.moved);
  }

  Look look_of(Pose pose) const { return {std::move(pose), {}, std::vector<double>(result_.names.size())}; }

  void look_at_rig(std::size_t r) {
    report_or_stop(progress_, "shaping " + rig_of(r).name,
                   0.1 + 0.5 * static_cast<double>(r) / static_cast<double>(result_.rigs.size()));
    const std::vector<SampledForce>& samples = result_.rigs[r].samples;
    const auto add = [&](const std::vector<double>& at) {
      Look look = look_of(pose_at(r, at));
      RigLoad load = no_load();
      add_rig(r, at, load, look);
      settle(load, place(rig_of(r)), look);
      looks_.push_back(std::move(look));
      return looks_.size() - 1;
    };
    for (std::size_t k = 0; k < samples.size(); ++k)
      if (result_.rigs[r].target[k] >= 0) look_of_target_.push_back(add(samples[k].at));
    for (std::size_t k = 1; k < samples.size(); ++k) {
      std::vector<double> middle = samples[k].at;
      for (std::size_t c = 0; c < middle.size(); ++c) middle[c] = 0.5 * (middle[c] + samples[k - 1].at[c]);
      between_.emplace_back(r, add(middle));
    }
  }

  // The values of a rig's controls in a frame.
  std::vector<double> values_in(std::size_t r, const std::vector<double>& values) const {
    std::vector<double> at;
    for (const std::size_t control : controls_.of_rig(result_.rig_of_file[r])) at.push_back(values[control]);
    return at;
  }

  void look_at_clips() {
    std::vector<double> values(controls_.size());
    for (std::size_t c = 0; c < character().clips.size(); ++c) {
      const Clip& clip = character().clips[c];
      report_or_stop(progress_, "measuring " + clip.name,
                     0.6 + 0.3 * static_cast<double>(c) / static_cast<double>(character().clips.size()));
      const int frames = clip.end > clip.start ? frames_per_clip_ : 1;
      for (int k = 0; k < frames; ++k) {
        const double time = std::lerp(clip.start, clip.end, (k + 0.5) / frames);
        Look look = look_of(sample(character().skeleton, &clip, time));
        controls_.find(look.pose, time, values);
        RigLoad load = no_load();
        for (std::size_t r = 0; r < result_.rigs.size(); ++r) add_rig(r, values_in(r, values), load, look);
        settle(load, "clip " + clip.name + " at " + short_number(time) + " s", look);
        result_.frames.push_back({static_cast<int>(c), time, {}});
        look_of_frame_.push_back(looks_.size());
        looks_.push_back(std::move(look));
      }
    }
  }

  // Offsets of one part, targets x vertices, bind space, file units, as floats.
  std::vector<float> offsets_of(const Part& part, const std::vector<int>& vertex_of, double negligible) const {
    std::vector<Pose> poses;
    for (const std::size_t look : look_of_target_) poses.push_back(looks_[look].pose);
    const SkinFrames skin = skin_frames(character(), part, poses);
    std::vector<Mat3> blended(poses.size());
    std::vector<float> offsets(3 * poses.size() * vertex_of.size());
    for (std::size_t v = 0; v < vertex_of.size(); ++v) {
      if (vertex_of[v] < 0) continue;
      blended_linear(skin, part, static_cast<int>(v), blended);
      for (std::size_t k = 0; k < poses.size(); ++k) {
        const Vec3& moved = looks_[look_of_target_[k]].moved[index(vertex_of[v])];
        if (norm(moved) <= negligible) continue;
        const Vec3 offset = to_bind_space(blended[k], moved);
        for (std::size_t i = 0; i < 3; ++i) offsets[3 * (k * vertex_of.size() + v) + i] = static_cast<float>(offset[i]);
      }
    }
    return offsets;
  }

  static std::vector<float> normals_of(const Part& part, const std::vector<float>& position) {
    const std::size_t vertices = part.surface.positions.size(), numbers = 3 * vertices;
    std::vector<float> normals;
    if (numbers == 0 || part.normals.size() != vertices) return normals;
    for (std::size_t at = 0; at < position.size(); at += numbers) {
      const std::vector<float> offsets = normal_offsets(part, std::span(position).subspan(at, numbers));
      normals.insert(normals.end(), offsets.begin(), offsets.end());
    }
    return normals;
  }

  void make_targets() {
    report_or_stop(progress_, "making the targets", 0.92);
    const SimulationSurface& surface = work_.surface();
    result_.fit.height = work_.height();
    std::map<int, MeshMorphs> meshes;
    for (std::size_t p = 0; p < surface.parts.size(); ++p) {
      const Part& part = character().parts[index(surface.parts[p])];
      MeshMorphs& mesh = meshes[part.joint];
      mesh.joint = part.joint;
      mesh.mesh = part.mesh;
      mesh.targets = static_cast<int>(result_.names.size());
      mesh.names = result_.names;
      PartMorphs morphs{
          surface.parts[p], offsets_of(part, surface.vertex_of[p], negligible_offset * result_.fit.height), {}};
      morphs.normal = normals_of(part, morphs.position);
      mesh.parts.push_back(std::move(morphs));
    }
    for (auto& [joint, mesh] : meshes) {
      const bool moves = std::any_of(mesh.parts.begin(), mesh.parts.end(), [](const PartMorphs& part) {
        return std::any_of(part.position.begin(), part.position.end(), [](float each) { return each != 0; });
      });
      if (moves) result_.fit.meshes.push_back(std::move(mesh));
    }
  }

  void measure_errors() {
    std::vector<Pose> poses;
    for (const Look& look : looks_) poses.push_back(look.pose);
    std::vector<double> least(looks_.size()), sum(looks_.size()), count(looks_.size());
    for (std::size_t k = 0; k < looks_.size(); ++k) {
      for (const Vec3& moved : looks_[k].moved) least[k] = std::max(least[k], norm(moved));
      least[k] *= least_moved;
    }
    for (const MeshMorphs& mesh : result_.fit.meshes)
      for (const PartMorphs& morphs : mesh.parts) {
        const Part& part = character().parts[index(morphs.part)];
        const std::size_t p = static_cast<std::size_t>(
            std::find(work_.surface().parts.begin(), work_.surface().parts.end(), morphs.part) -
            work_.surface().parts.begin());
        const std::vector<int>& vertex_of = work_.surface().vertex_of[p];
        const SkinFrames skin = skin_frames(character(), part, poses);
        std::vector<Mat3> blended(poses.size());
        for (std::size_t v = 0; v < vertex_of.size(); ++v) {
          if (vertex_of[v] < 0) continue;
          blended_linear(skin, part, static_cast<int>(v), blended);
          for (std::size_t k = 0; k < looks_.size(); ++k) {
            const Vec3& moved = looks_[k].moved[index(vertex_of[v])];
            const Vec3 shown = blended[k] * offset_of(morphs, looks_[k].weight, v, vertex_of.size());
            if (!(norm(moved) > least[k]) && !(norm(shown) > least[k])) continue;
            const double error = distance(shown, moved);
            looks_[k].error.largest = std::max(looks_[k].error.largest, error);
            sum[k] += error * error, count[k] += 1;
          }
        }
      }
    for (std::size_t k = 0; k < looks_.size(); ++k)
      looks_[k].error.rms = count[k] > 0 ? std::sqrt(sum[k] / count[k]) : 0;
    for (CorrectiveRig& rig : result_.rigs)
      for (const int target : rig.target)
        if (target >= 0) {
          const Look& look = looks_[look_of_target_[index(target)]];
          worst(look.error, rig.at_samples);
          for (const Vec3& moved : look.moved) rig.moves = std::max(rig.moves, norm(moved));
        }
    for (const auto& [r, look] : between_) worst(looks_[look].error, result_.rigs[r].between);
    for (std::size_t k = 0; k < result_.frames.size(); ++k) result_.frames[k].error = looks_[look_of_frame_[k]].error;
  }

  static Vec3 offset_of(const PartMorphs& morphs, const std::vector<double>& weight, std::size_t v,
                        std::size_t vertices) {
    Vec3 sum;
    for (std::size_t k = 0; k < weight.size(); ++k)
      if (weight[k] != 0)
        for (std::size_t i = 0; i < 3; ++i)
          sum[i] += weight[k] * static_cast<double>(morphs.position[3 * (k * vertices + v) + i]);
    return sum;
  }

  static void worst(const CorrectiveError& error, CorrectiveError& of) {
    of.rms = std::max(of.rms, error.rms);
    of.largest = std::max(of.largest, error.largest);
  }

  std::vector<double> weights_at(const Clip& clip, double time, std::vector<double>& values) const {
    Look look = look_of(sample(character().skeleton, &clip, time));
    controls_.find(look.pose, time, values);
    for (std::size_t r = 0; r < result_.rigs.size(); ++r) {
      const CorrectiveRig& rig = result_.rigs[r];
      std::vector<double> weights(rig.samples.size());
      weights_[r].find(values_in(r, values), weights);
      for (std::size_t k = 0; k < weights.size(); ++k)
        if (rig.target[k] >= 0) look.weight[index(rig.target[k])] = weights[k];
    }
    return look.weight;
  }

  void set_keys() {
    std::vector<double> values(controls_.size());
    for (std::size_t c = 0; c < character().clips.size(); ++c) {
      const Clip& clip = character().clips[c];
      const int steps = std::max(1, static_cast<int>(std::ceil((clip.end - clip.start) * keys_per_second - 1e-6)));
      std::vector<double> times;
      std::vector<std::vector<double>> weights;
      for (int k = 0; k <= (clip.end > clip.start ? steps : 0); ++k) {
        times.push_back(std::min(clip.end, clip.start + k / keys_per_second));
        weights.push_back(weights_at(clip, times.back(), values));
      }
      const std::vector<std::size_t> kept = kept_keys(times, weights);
      Recording keys{static_cast<int>(c), keys_per_second, {}, {}};
      std::vector<float> flat;
      for (const std::size_t k : kept) {
        keys.times.push_back(times[k]);
        for (const double weight : weights[k]) flat.push_back(static_cast<float>(weight));
      }
      for (MeshMorphs& mesh : result_.fit.meshes) mesh.weights.push_back(flat);
      result_.keys.push_back(std::move(keys));
    }
  }

  // Goes as far from each kept key as the line over those in between stays near to them.
  static std::vector<std::size_t> kept_keys(const std::vector<double>& times,
                                            const std::vector<std::vector<double>>& weights) {
    const auto is_line = [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from + 1; k < to; ++k) {
        const double share = (times[k] - times[from]) / (times[to] - times[from]);
        for (std::size_t w = 0; w < weights[k].size(); ++w)
          if (std::abs(std::lerp(weights[from][w], weights[to][w], share) - weights[k][w]) > negligible_weight)
            return false;
      }
      return true;
    };
    std::vector<std::size_t> kept{0};
    for (std::size_t k = 1; k < times.size(); ++k)
      if (k + 1 == times.size() || !is_line(kept.back(), k + 1)) kept.push_back(k);
    return kept;
  }

  ShapeWork& work_;
  const ControlValues& controls_;
  int frames_per_clip_;
  const Progress& progress_;
  CorrectiveShapes result_;
  std::set<std::string> taken_;
  std::vector<SampleWeights> weights_;  // per rig
  std::vector<Look> looks_;
  std::vector<std::size_t> look_of_target_, look_of_frame_;   // indices into looks_
  std::vector<std::pair<std::size_t, std::size_t>> between_;  // rig and look
};

}  // namespace

CorrectiveShapes corrective_shapes(ShapeWork& work, const ControlValues& controls, int frames_per_clip,
                                   const Progress& progress) {
  return CorrectiveBuilder(work, controls, frames_per_clip, progress).find();
}

}  // namespace sinew
