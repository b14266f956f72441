#include "studies/mixed/joints.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/body_binding.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/linear_blend.h"
#include "studies/common/measures.h"
#include "studies/mixed/posed_body.h"

namespace sinew {
namespace {

// Least size of the region around a joint, relative to the character's height: joints may be just under the skin.
constexpr double least_region = 0.07;

// Singular values of the linear map from one triangle to another: roots of the eigenvalues of its metric.
struct Stretch {
  double smallest = 1, largest = 1;
};
Stretch triangle_stretch(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& posed) {
  const Vec3 e = rest[1] - rest[0], f = rest[2] - rest[0];
  const double length = norm(e), along = length > 0 ? dot(e, f) / length : 0;
  const double height = std::sqrt(std::max(0.0, squared_norm(f) - along * along));
  // Slivers would only show rounding.
  if (!(height > 1e-4 * length) || !(length > 1e-4 * norm(f))) return {};
  const Vec3 u = (posed[1] - posed[0]) / length;
  const Vec3 v = (posed[2] - posed[0] - u * along) / height;
  const double a = dot(u, u), b = dot(u, v), c = dot(v, v);
  const double mean = (a + c) / 2, gap = std::hypot((a - c) / 2, b);
  return {std::sqrt(std::max(0.0, mean - gap)), std::sqrt(mean + gap)};
}

Stretch surface_stretch(const TriangleMesh& rest, const std::vector<Vec3>& posed) {
  Stretch extremes;
  for (const Triangle& t : rest.triangles) {
    std::array<Vec3, 3> a, b;
    for (std::size_t c = 0; c < 3; ++c) {
      a[c] = rest.positions[static_cast<std::size_t>(t[c])];
      b[c] = posed[static_cast<std::size_t>(t[c])];
    }
    const Stretch here = triangle_stretch(a, b);
    extremes.smallest = std::min(extremes.smallest, here.smallest);
    extremes.largest = std::max(extremes.largest, here.largest);
  }
  return extremes;
}

struct Posed {
  std::vector<Vec3> body, surface;
};

struct Volumes {
  double region = 1, whole = 1;
  int inverted = 0;
};
// `region`: per tetrahedron, whether it is included.
Volumes volumes_of(const TetrahedralMesh& mesh, const std::vector<Vec3>& positions, const std::vector<char>& region) {
  double now[2] = {0, 0}, rest[2] = {0, 0};
  Volumes result;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& c = mesh.tetrahedra[t];
    const auto volume_at = [&](const std::vector<Vec3>& p) {
      return volume(p[static_cast<std::size_t>(c[0])], p[static_cast<std::size_t>(c[1])],
                    p[static_cast<std::size_t>(c[2])], p[static_cast<std::size_t>(c[3])]);
    };
    const double here = volume_at(positions), before = volume_at(mesh.positions);
    result.inverted += here < 0;
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
      if (which == 0 && !region[t]) continue;
      now[which] += here;
      rest[which] += before;
    }
  }
  result.region = rest[0] > 0 ? now[0] / rest[0] : 1;
  result.whole = now[1] / rest[1];
  return result;
}

std::vector<char> within(const TetrahedralMesh& mesh, const Vec3& place, double radius) {
  std::vector<char> inside(mesh.tetrahedra.size(), 0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    Vec3 sum;
    for (const int v : mesh.tetrahedra[t]) sum += mesh.positions[static_cast<std::size_t>(v)];
    inside[t] = static_cast<char>(distance(sum / 4, place) < radius);
  }
  return inside;
}

// A character that can be posed by each method.
class Puppet {
 public:
  Puppet(const Character& character, int tetrahedra, const Progress& progress) : character_(character) {
    MixedSettings settings;
    settings.tetrahedra = tetrahedra;
    settings.material = MixedMaterial::arap;
    settings.clusters = MixedClusters::segment;
    scene_ = prepare_mixed(character, settings, part_of(progress, 0, 0.3));
    if (scene_.surface.influences.empty())
      throw input_error(
          character.file +
          ": this character has no skin weights to compare with; give one that is bound to its skeleton.");
    influences_ = body_influences(scene_.mesh, scene_.embedding, scene_.surface);
    arap_ = std::make_unique<PosedBody>(scene_);
    settings.material = MixedMaterial::corotated;
    corotated_ = std::make_unique<PosedBody>(prepare_mixed(character, settings, part_of(progress, 0.3, 0.6)));
    settings.clusters = MixedClusters::weights;
    weighted_ = std::make_unique<PosedBody>(prepare_mixed(character, settings, part_of(progress, 0.6, 1)));
  }

  const CookedMixed& scene() const { return scene_; }

  Posed pose(SkinningMethod method, const LimbTurn& turn) {
    const int joint = scene_.bones[static_cast<std::size_t>(turn.bone)].joint;
    const auto bones_of = [&](const std::vector<Bone>& bones) {
      return turned_bones(character_.skeleton, bones, {&turn, 1}, {&joint, 1});
    };
    Posed posed;
    PosedBody* mixed = method == SkinningMethod::mixed_arap        ? arap_.get()
                       : method == SkinningMethod::mixed_corotated ? corotated_.get()
                       : method == SkinningMethod::mixed_weighted  ? weighted_.get()
                                                                   : nullptr;
    if (mixed) {
      mixed->pose(bones_of(scene_.bones), posed.body);
      posed.surface = embedded_positions(scene_.embedding, scene_.mesh, posed.body);
      return posed;
    }
    const std::vector<Affine> bones = bones_of(scene_.surface.bones);
    const auto blend = [&](std::span<const Vec3> rest, std::span<const Influences> influences, std::span<Vec3> result) {
      method == SkinningMethod::linear ? linear_blend(rest, influences, bones, result)
                                       : dual_quaternion_blend(rest, influences, bones, result);
    };
    posed.body.resize(scene_.mesh.positions.size());
    posed.surface.resize(scene_.surface.rest.positions.size());
    blend(scene_.mesh.positions, influences_, posed.body);
    blend(scene_.surface.rest.positions, scene_.surface.influences, posed.surface);
    return posed;
  }

 private:
  const Character& character_;
  CookedMixed scene_;
  std::vector<Influences> influences_;
  std::unique_ptr<PosedBody> arap_, corotated_, weighted_;  // all have the same mesh and bones
};

JointFrame measured(const CookedMixed& scene, const std::vector<char>& region, const Posed& posed, double degrees) {
  const Volumes volumes = volumes_of(scene.mesh, posed.body, region);
  const Stretch stretch = surface_stretch(scene.surface.rest, posed.surface);
  return {degrees, volumes.region, volumes.whole, stretch.largest, stretch.smallest, volumes.inverted};
}

// Runs all angles up to `last`; the last frame becomes a picture.
JointRun run(Puppet& puppet, const std::string& name, Limb limb, bool twist, SkinningMethod method, LimbTurn turn,
             const std::vector<char>& region, double last, double step, std::vector<JointPicture>& pictures) {
  const CookedMixed& scene = puppet.scene();
  JointRun result{name, limb, twist, method, {}, 0};
  std::vector<double> milliseconds;
  Posed posed;
  for (double degrees = step; degrees <= last + 1e-9; degrees += step) {
    turn.degrees = degrees;
    Stopwatch watch;
    posed = puppet.pose(method, turn);
    milliseconds.push_back(watch.seconds() * 1e3);
    result.frames.push_back(measured(scene, region, posed, degrees));
  }
  result.milliseconds = median(milliseconds);
  const std::vector<double> ratio = vertex_volume_ratios(scene.mesh, posed.body);
  std::vector<double> on_surface;
  for (const EmbeddedPoint& point : scene.embedding.points) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k)
      sum += point.weights[k] *
             ratio[static_cast<std::size_t>(scene.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k])];
    on_surface.push_back(sum);
  }
  pictures.push_back({limb, twist, turn.degrees, method, std::move(posed.surface), std::move(on_surface)});
  return result;
}

}  // namespace

std::string_view name_of(SkinningMethod method) {
  switch (method) {
    case SkinningMethod::linear:
      return "linear";
    case SkinningMethod::dual_quaternion:
      return "dualquat";
    case SkinningMethod::mixed_arap:
      return "mixed, ARAP";
    case SkinningMethod::mixed_corotated:
      return "mixed, co-rotated";
    case SkinningMethod::mixed_weighted:
      return "the same, clusters by weights";
  }
  return "";
}

JointExperiment joint_experiment(const Character& character, const std::string& name, const JointOptions& options,
                                 const Progress& progress) {
  if (!(options.step > 0)) throw usage_error("joints are bent in steps of more than zero degrees.");
  Puppet puppet(character, options.tetrahedra, part_of(progress, 0, 0.4));
  const CookedMixed& scene = puppet.scene();
  const BoundingVolumeHierarchy skin(scene.surface.rest);
  JointExperiment result;
  for (const Limb limb : {Limb::hip, Limb::shoulder, Limb::elbow}) {
    const int bone = find_limb(scene.bones, limb);
    if (bone < 0) continue;
    report_or_stop(progress, "bending " + name, 0.4 + 0.2 * static_cast<double>(limb));
    const LimbTurn bend = bend_of(scene.bones, bone, limb);
    const double radius = std::sqrt(skin.closest_point(bend.place).squared_distance);
    const std::vector<char> region = within(scene.mesh, bend.place, std::max(2 * radius, least_region * scene.height));
    result.limbs.push_back(limb);
    result.turns.push_back(bend);
    for (const bool twist : {false, true}) {
      if (twist && limb == Limb::hip) continue;
      for (const SkinningMethod method : skinning_methods)
        result.runs.push_back(run(puppet, name, limb, twist, method, twist ? twist_of(scene.bones, bone) : bend, region,
                                  twist ? options.twist : options.bend, options.step, result.pictures));
    }
  }
  if (result.limbs.empty())
    throw input_error(character.file +
                      ": no bone is named like a left thigh, upper arm or forearm; give a character on two legs.");
  result.surface = scene.surface;
  result.height = scene.height;
  return result;
}

}  // namespace sinew
