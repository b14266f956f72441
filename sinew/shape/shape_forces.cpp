#include "sinew/shape/shape_forces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

// Between two samples, the largest deviation of the force from a line, relative to the larger of the two, and the most
// halvings of the way.
constexpr double most_deviation = 0.01;
constexpr int most_halvings = 6;

std::vector<Vec3> painted_forces(const ShapeRig& rig, double pressure, const TriangleMesh& skin) {
  std::vector<Vec3> force(skin.positions.size());
  for (const Triangle& t : skin.triangles) {
    const Vec3 third =
        area_vector(skin.positions[index(t[0])], skin.positions[index(t[1])], skin.positions[index(t[2])]) / 3;
    for (const int v : t) force[index(v)] += third;
  }
  for (std::size_t v = 0; v < force.size(); ++v) {
    double paint = 0;
    for (const PaintDab& dab : rig.paint) paint += dab.value * bell(distance(skin.positions[v], dab.point), dab.radius);
    force[v] *= pressure * paint;
  }
  return force;
}

double largest(std::span<const PointForce> forces) {
  double most = 0;
  for (const PointForce& each : forces) most = std::max(most, norm(each.force));
  return most;
}

// Largest distance of `middle` from the mean of the two.
double deviation(std::span<const PointForce> a, std::span<const PointForce> b, std::span<const PointForce> middle,
                 std::size_t points) {
  ScratchVector<Vec3> sum(points);
  add_forces(middle, 1, sum);
  add_forces(a, -0.5, sum);
  add_forces(b, -0.5, sum);
  double most = 0;
  for (const Vec3& each : sum) most = std::max(most, norm(each));
  return most;
}

bool differ_beyond_amplitude(const ShapeSample& a, const ShapeSample& b) {
  for (std::size_t k = 0; k < a.eta.size(); ++k)
    if (k != amplitude_parameter && a.eta[k] != b.eta[k]) return true;
  return false;
}

// Ascending, each once.
template <class PerPoint>
void collect_points(const std::vector<PerPoint>& each_of, std::vector<int>& points) {
  for (const PerPoint& each : each_of) points.push_back(each.point);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

// Replaces points by their indices in the list.
template <class PerPoint>
void number_points(const std::vector<int>& points, std::vector<PerPoint>& each_of) {
  for (PerPoint& each : each_of)
    each.point = static_cast<int>(std::lower_bound(points.begin(), points.end(), each.point) - points.begin());
}

class RigIntegrals {
 public:
  RigIntegrals(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body, AmplitudeSearch& search)
      : rig_(rig), surface_(surface), body_(body), search_(search) {}

  std::vector<SampledForce> find() {
    std::vector<SampledForce> found;
    std::vector<ShapeSample> samples = rig_.samples;
    if (rig_.controls.size() == 1)
      std::sort(samples.begin(), samples.end(),
                [](const ShapeSample& a, const ShapeSample& b) { return a.at[0] < b.at[0]; });
    for (std::size_t k = 0; k < samples.size(); ++k) {
      std::vector<PointForce> here = force_at(samples[k]);
      if (k > 0 && rig_.controls.size() == 1 && differ_beyond_amplitude(samples[k - 1], samples[k]))
        refine(samples[k - 1], found.back().force, samples[k], here, 0, found);
      found.push_back(sampled(samples[k], std::move(here)));
    }
    return found;
  }

 private:
  SampledForce sampled(const ShapeSample& sample, std::vector<PointForce> force) const {
    SampledForce found{sample.at, std::move(force), stiffening_at(rig_, sample, surface_, body_)};
    if (sample.strain != 1 || sample.stiffness != 1) found.tissue = tissue_change(rig_, sample, surface_);
    return found;
  }

  std::vector<PointForce> force_at(const ShapeSample& sample) {
    std::vector<PointForce> force = own_force(sample);
    if (sample.strain == 1) return force;
    std::vector<Vec3> sum(body_.points());
    add_forces(force, 1, sum);
    add_forces(body_.integrate(strain_of(tissue_change(rig_, sample, surface_))), 1, sum);
    return nonzero_forces(sum);
  }

  // Without that of strain.
  std::vector<PointForce> own_force(const ShapeSample& sample) {
    if (rig_.kind == TemplateKind::field) return field_force(sample);
    std::vector<double> eta = sample.eta;
    if (rig_.by_displacement && eta[amplitude_parameter] != 0)
      eta[amplitude_parameter] = amplitude_for_displacement(rig_, sample, surface_, body_, &search_);
    if (eta[amplitude_parameter] == 0) return {};
    return rig_force(rig_, eta, surface_, body_);
  }

  std::vector<PointForce> field_force(const ShapeSample& sample) {
    std::vector<Vec3> on_skin(surface_.rest.positions.size());
    for (const SkinForce& each : sample.forces) on_skin[index(each.vertex)] = each.force;
    std::vector<PointForce> forces = carry_forces(body_.skin(), on_skin);
    double factor = sample.eta[amplitude_parameter];
    if (sample.reach > 0)
      if (const double reach = reach_of(forces, body_); reach > 0) factor *= sample.reach / reach;
    for (PointForce& each : forces) each.force *= factor;
    return forces;
  }

  void refine(const ShapeSample& a, std::vector<PointForce> force_a, const ShapeSample& b,
              const std::vector<PointForce>& force_b, int halvings, std::vector<SampledForce>& found) {
    ShapeSample middle = a;
    middle.at[0] = 0.5 * (a.at[0] + b.at[0]);
    for (std::size_t k = 0; k < middle.eta.size(); ++k) middle.eta[k] = 0.5 * (a.eta[k] + b.eta[k]);
    middle.strain = 0.5 * (a.strain + b.strain);
    middle.stiffness = std::sqrt(a.stiffness * b.stiffness);
    std::vector<PointForce> between = force_at(middle);
    const double scale = std::max(largest(force_a), largest(force_b));
    if (halvings == most_halvings || deviation(force_a, force_b, between, body_.points()) <= most_deviation * scale)
      return;
    refine(a, std::move(force_a), middle, between, halvings + 1, found);
    found.push_back(sampled(middle, between));
    refine(middle, std::move(between), b, force_b, halvings + 1, found);
  }

  const ShapeRig& rig_;
  const SimulationSurface& surface_;
  ShapeBody& body_;
  AmplitudeSearch& search_;
};

}  // namespace

ForceField rig_field(const ShapeRig& rig, std::span<const double> eta, const SimulationSurface& surface) {
  return rig_field(rig.kind, eta, GuideAnchor(rig.guide, surface));
}

ForceField rig_field(TemplateKind kind, std::span<const double> eta, const GuideAnchor& anchor) {
  const std::size_t own = parameters_of(kind).size();
  const Affine frame = anchor.frame(eta.subspan(own));
  return {[kind, frame,
           of_template = std::vector(eta.begin(), eta.begin() + static_cast<std::ptrdiff_t>(own))](const Vec3& x) {
            return frame.linear *
                   template_force(kind, of_template, transpose_times(frame.linear, x - frame.translation));
          },
          frame.translation, template_support(kind, eta.first(own)), template_detail(kind, eta.first(own))};
}

BalanceRegion balance_region(double balance, const ForceField& field) { return {field.centre, balance * field.radius}; }

std::vector<PointForce> rig_force(const ShapeRig& rig, std::span<const double> eta, const SimulationSurface& surface,
                                  const ShapeBody& body) {
  if (rig.kind == TemplateKind::painted)
    return carry_forces(body.skin(), painted_forces(rig, eta[amplitude_parameter], surface.rest));
  const ForceField field = rig_field(rig, eta, surface);
  std::vector<PointForce> force = body.integrate(field);
  if (rig.balance == 0) return force;
  return ForceBalance(balance_region(rig.balance, field), body).balanced(force);
}

std::vector<SampledForce> sampled_forces(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body,
                                         AmplitudeSearch* search) {
  AmplitudeSearch exactly;
  return RigIntegrals(rig, surface, body, search ? *search : exactly).find();
}

std::vector<Vec3> displacements_of(const SampledForce& sample, ShapeBody& body) {
  const StiffenedBody stiffened(body, sample.stiffening);
  return body.displacements(sample.force);
}

CookedRig cook_rig(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body, AmplitudeSearch* search) {
  CookedRig cooked{sampled_forces(rig, surface, body, search), {}};
  if (rig.morph.empty()) return cooked;
  body.set_pose(std::vector<Affine>(surface.bones.size()));
  for (const SampledForce& each : cooked.forces)
    cooked.shown.push_back(each.force.empty() ? std::vector<Vec3>{} : displacements_of(each, body));
  return cooked;
}

void CookedRigs::begin(std::uint64_t body, bool rough) {
  constexpr int long_ago = 50;  // cooks, so that undo finds what it needs
  if (body == 0 || body != body_) rigs_.clear(), factor_.clear();
  body_ = body;
  rough_ = rough;
  ++cook_;
  std::erase_if(rigs_, [&](const auto& kept) { return kept.second.cook < cook_ - long_ago; });
}

bool CookedRigs::has(std::uint64_t body, std::span<const ShapeRig> rigs) const {
  return body != 0 && body == body_ &&
         std::all_of(rigs.begin(), rigs.end(), [&](const ShapeRig& rig) { return rigs_.contains(rig_json(rig)); });
}

CookedRig CookedRigs::of(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body) {
  std::string text = rig_json(rig);
  if (const auto kept = rigs_.find(text); kept != rigs_.end()) {
    kept->second.cook = cook_;
    return kept->second.rig;
  }
  const auto last = factor_.find(rig.name);
  AmplitudeSearch search{rough_, rough_ && last != factor_.end() ? last->second : 1};
  CookedRig cooked = cook_rig(rig, surface, body, &search);
  if (rough_) return cooked;
  factor_[rig.name] = search.factor;
  rigs_[std::move(text)] = {cooked, cook_};
  return cooked;
}

ShapeForces::ShapeForces(const ShapeFile& file, std::span<const HeldControl> held, const Character& character,
                         const SimulationSurface& surface, ShapeBody& body, CookedRigs* kept)
    : controls_((check_character(file, character.file, surface), file), held, character, surface) {
  for (const ShapeRig& rig : file.rigs) try {
      const CookedRig cooked = kept ? kept->of(rig, surface, body) : cook_rig(rig, surface, body);
      std::vector<std::vector<double>> places;
      std::vector<std::vector<PointForce>> force;
      std::vector<std::vector<PointStiffening>> stiffening;
      for (const SampledForce& each : cooked.forces) {
        places.push_back(each.at);
        force.push_back(each.force);
        stiffening.push_back(each.stiffening);
      }
      rigs_.push_back({SampleWeights(std::move(places)), std::move(force), std::move(stiffening), cooked.shown});
    } catch (const Error& error) {
      throw Error(error.kind(), file.file + ": rig '" + rig.name + "': " + error.what());
    }
  for (const ShapeRig& rig : file.rigs) names_.push_back(rig.name);
  for (std::size_t c = 0; c < controls_.size(); ++c)
    described_.push_back({controls_.name(c), 0, 0, controls_.is_posed(c)});
  for (std::size_t r = 0; r < file.rigs.size(); ++r)
    for (std::size_t k = 0; k < controls_.of_rig(r).size(); ++k) {
      Control& control = described_[controls_.of_rig(r)[k]];
      for (const ShapeSample& sample : file.rigs[r].samples) {
        control.least = std::min(control.least, sample.at[k]);
        control.most = std::max(control.most, sample.at[k]);
      }
    }
  for (const Rig& rig : rigs_) {
    for (const auto& force : rig.force) collect_points(force, points_);
    for (const auto& stiffening : rig.stiffening) collect_points(stiffening, stiffened_);
  }
  for (Rig& rig : rigs_) {
    for (auto& force : rig.force) number_points(points_, force);
    for (auto& stiffening : rig.stiffening) number_points(stiffened_, stiffening);
  }
}

void ShapeForces::add_shown(const Rig& rig, double morph_weight, ScratchVector<Vec3>& shown) {
  ScratchVector<double> weights(rig.weights.samples());
  rig.weights.find(std::span(&morph_weight, 1), weights);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0 || rig.shown[k].empty()) continue;
    if (shown.empty()) shown.resize(rig.shown[k].size());
    for (std::size_t point = 0; point < shown.size(); ++point) shown[point] += weights[k] * rig.shown[k][point];
  }
}

void ShapeForces::find(const Pose& pose, double clip_time, const Held& held, std::vector<PointForce>& forces,
                       std::vector<PointDisplacement>& shown_by_rig, std::vector<PointStiffening>& stiffening) const {
  forces.clear();
  shown_by_rig.clear();
  stiffening.clear();
  ScratchVector<double> values(controls_.size()), gamma, logarithm;
  controls_.find(pose, clip_time, values);
  for (std::size_t c = 0; c < held.control.size(); ++c)
    if (!std::isnan(held.control[c])) values[c] = held.control[c];
  ScratchVector<Vec3> sum, shown;
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    const Rig& rig = rigs_[r];
    ScratchVector<double> weights(rig.weights.samples());
    gamma.clear();
    for (const std::size_t control : controls_.of_rig(r)) gamma.push_back(values[control]);
    rig.weights.find(gamma, weights);
    if (r < held.share.size())
      for (double& weight : weights) weight *= held.share[r];
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] == 0) continue;
      if (!rig.stiffening[k].empty()) logarithm.resize(stiffened_.size());
      for (const PointStiffening& each : rig.stiffening[k]) logarithm[index(each.point)] += weights[k] * each.logarithm;
      if (rig.force[k].empty()) continue;
      if (sum.empty()) sum.resize(points_.size());
      add_forces(rig.force[k], weights[k], sum);
    }
    if (!rig.shown.empty()) add_shown(rig, controls_.morph_weight(r, pose), shown);
  }
  for (std::size_t k = 0; k < sum.size(); ++k)
    if (sum[k] != Vec3{}) forces.push_back({points_[k], sum[k]});
  for (std::size_t k = 0; k < logarithm.size(); ++k)
    if (logarithm[k] != 0) stiffening.push_back({stiffened_[k], logarithm[k]});
  for (std::size_t point = 0; point < shown.size(); ++point)
    if (shown[point] != Vec3{}) shown_by_rig.push_back({static_cast<int>(point), shown[point]});
}

}  // namespace sinew
