// Strain measured from the goal: energy and forces of the vector kernel against the definition over strain samples.
#include "sinew/deform/flesh/goal_elasticity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include <hwy/targets.h>

#include "sinew/elastic/mixed_materials.h"
#include "sinew/linalg/rotation.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

using Goal = Vec3 (*)(const Vec3&);

Vec3 as_modelled(const Vec3& x) { return x; }
// Bent, twisted and thinner on one side: stretches between 0.7 and 1.5.
Vec3 bent(const Vec3& x) {
  const double turn = 1.5 * x.x;
  return {std::sin(turn) / 1.5 - x.y * std::sin(turn), (1 - std::cos(turn)) / 1.5 + x.y * std::cos(turn),
          x.z * (1 + 0.6 * x.x)};
}
// Turned inside out in the middle, and flat at an end.
Vec3 broken(const Vec3& x) { return {x.x * (x.x - 0.3) * 4, x.y, x.z * (0.6 - x.x)}; }

double wave(std::size_t v, double of) { return std::sin(of * static_cast<double>(v)); }
Vec3 some_displacement(std::size_t v) { return 0.004 * Vec3{wave(v, 1.3), wave(v, 2.9), wave(v, 0.7)}; }

struct Subject {
  FleshDescription description;
  StrainSamples samples;
  TissueLaw law;
  std::vector<Vec3> goal;
};

Subject subject(Element element, Goal goal, double stiffening) {
  Subject s;
  s.description = bar_description(Bar{.along = 6, .across = 2});
  for (std::size_t t = 0; t < s.description.young.size(); ++t) s.description.young[t] = 1e4 * (1.5 + 0.5 * wave(t, 1));
  s.samples = strain_samples(s.description.mesh, element, {s.description.material, s.description.young, {}});
  s.law.stiffening = stiffening;
  for (const Vec3& x : s.description.mesh.positions) s.goal.push_back(goal(x));
  return s;
}

// The energy of a sample by its definition; `natural`: the bounded G.
double energy_of(const Mat3& f, double shear, double lambda, const TissueLaw& law) {
  if (law.energy) return law.energy->value(to_mandel(transpose(closest_rotation(f)) * f), {shear, lambda});
  const Mat3 strain = transpose(closest_rotation(f)) * f - Mat3::identity();
  const double psi = shear * trace(transpose(strain) * strain) + 0.5 * lambda * trace(strain) * trace(strain);
  const double c = shear * law.stiffening * law.stiffening / (2 * (std::exp(1.0) - 1));
  if (c == 0) return psi;
  const double linear_from = c * (law.most_growth - 1);
  if (psi <= linear_from) return psi + psi * psi / (2 * c);
  return linear_from + linear_from * linear_from / (2 * c) + law.most_growth * (psi - linear_from);
}

double energy_by_definition(const Subject& s, const std::vector<Vec3>& displacement, bool from_goal) {
  double sum = 0;
  for (std::size_t k = 0; k < s.samples.size(); ++k) {
    if (!(s.samples.volume[k] > 0) || !(s.samples.shear[k] > 0)) continue;
    Mat3 f = deformation_gradient(s.samples, k, displacement);
    double volume = s.samples.volume[k];
    if (from_goal) {
      SignedSvd svd = signed_svd(deformation_gradient(s.samples, k, s.goal));
      for (std::size_t i = 0; i < 3; ++i)
        svd.sigma[i] = std::clamp(svd.sigma[i], 1 / s.law.most_stretch, s.law.most_stretch);
      const Vec3& g = svd.sigma;
      f = Mat3::identity() + f * (svd.v * Mat3::diagonal({1 / g.x, 1 / g.y, 1 / g.z}) * transpose(svd.u));
      volume *= g.x * g.y * g.z;
    }
    sum += volume * energy_of(f, s.samples.shear[k], s.samples.lambda[k], s.law);
  }
  return sum;
}

template <class Real>
std::vector<Row<Real>> rows(const std::vector<Vec3>& vectors) {
  std::vector<Row<Real>> result;
  for (const Vec3& v : vectors)
    result.push_back({static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0});
  return result;
}

struct Evaluation {
  double energy = 0;
  std::vector<Vec3> gradient;
  std::size_t bounded = 0;
};

// Displacements of the goal, or positions if not `from_goal`; `rate`: times the damping.
template <class Real>
Evaluation evaluated(const Subject& s, const std::vector<Vec3>& displacement, bool from_goal = true,
                     const std::vector<Vec3>& rate = {}) {
  const Element element = s.samples.size() > s.description.mesh.tetrahedra.size() ? Element::patch : Element::linear;
  const auto elasticity = patch_elasticity<Real>(s.description.mesh, element, s.samples);
  std::vector<NaturalPatch<Real>> natural(elasticity.patches.size());
  Evaluation result;
  const std::vector<Row<Real>> goal = rows<Real>(s.goal), from = rows<Real>(displacement), change = rows<Real>(rate);
  if (from_goal) {
    result.bounded = set_natural_shape<Real>(elasticity.patches, goal, s.law.most_stretch, 0, natural.size(), natural);
  } else {
    for (std::size_t p = 0; p < natural.size(); ++p) set_natural_rest(elasticity.patches[p], {}, natural[p]);
  }
  std::vector<Row<Real>> force(elasticity.vertex.size());
  const GoalPose<Real> pose{elasticity.patches, natural, from, change, from_goal};
  result.energy = goal_forces<Real>(pose, s.law, 0, natural.size(), force);
  result.gradient.resize(displacement.size());
  for (std::size_t k = 0; k < force.size(); ++k) {
    EXPECT_EQ(force[k].zero, 0);
    result.gradient[static_cast<std::size_t>(elasticity.vertex[k])] +=
        Vec3{double{force[k].x}, double{force[k].y}, double{force[k].z}};
  }
  return result;
}

double largest(const std::vector<Vec3>& vectors) {
  double most = 0;
  for (const Vec3& v : vectors) most = std::max(most, norm(v));
  return most;
}

std::vector<Vec3> displacements(const Subject& s) {
  std::vector<Vec3> d(s.goal.size());
  for (std::size_t v = 0; v < d.size(); ++v) d[v] = some_displacement(v);
  return d;
}

struct Case {
  Element element;
  Goal goal;
  double stiffening;
  bool from_goal;
};
class GoalElasticity : public testing::TestWithParam<Case> {
 protected:
  Subject subject_ = subject(GetParam().element, GetParam().goal, GetParam().stiffening);
  std::vector<Vec3> moved() const {
    std::vector<Vec3> d = displacements(subject_);
    if (!GetParam().from_goal)
      for (std::size_t v = 0; v < d.size(); ++v) d[v] += subject_.goal[v];
    return d;
  }
};

// Central differences of the energy's definition, along every axis of every vertex.
void expect_gradient_of_the_definition(const Subject& s, const std::vector<Vec3>& d, bool from_goal) {
  const Evaluation found = evaluated<double>(s, d, from_goal);
  const double energy = energy_by_definition(s, d, from_goal);
  EXPECT_NEAR(found.energy, energy, 1e-11 * energy);
  const double scale = largest(found.gradient), h = 1e-6;
  ASSERT_GT(scale, 0);
  for (std::size_t v = 0; v < d.size(); ++v)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> more = d, less = d;
      more[v][axis] += h;
      less[v][axis] -= h;
      const double slope =
          (energy_by_definition(s, more, from_goal) - energy_by_definition(s, less, from_goal)) / (2 * h);
      EXPECT_NEAR(found.gradient[v][axis], slope, 2e-6 * scale) << v << ' ' << axis;
    }
}

TEST_P(GoalElasticity, ForceIsTheDerivativeOfTheDefinition) {
  expect_gradient_of_the_definition(subject_, moved(), GetParam().from_goal);
}

TEST_P(GoalElasticity, FloatsAndSmallerRegistersAgree) {
  const std::vector<Vec3> d = moved();
  const Evaluation full = evaluated<double>(subject_, d, GetParam().from_goal);
  const double scale = largest(full.gradient);
  for (const std::int64_t target : {std::int64_t{0}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if (target != 0 && (hwy::SupportedTargets() & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const Evaluation doubles = evaluated<double>(subject_, d, GetParam().from_goal);
    const Evaluation floats = evaluated<float>(subject_, d, GetParam().from_goal);
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    EXPECT_NEAR(doubles.energy, full.energy, 1e-12 * full.energy);
    EXPECT_NEAR(floats.energy, full.energy, 2e-4 * full.energy);
    for (std::size_t v = 0; v < d.size(); ++v) {
      EXPECT_LT(distance(doubles.gradient[v], full.gradient[v]), 1e-11 * scale);
      EXPECT_LT(distance(floats.gradient[v], full.gradient[v]), 1e-3 * scale);
    }
  }
}

// Rates along the displacement: the viscous force of small motions is the derivative of the elastic one.
TEST_P(GoalElasticity, DampingActsOnTheRateOfStrain) {
  if (!GetParam().from_goal || GetParam().stiffening > 0) return;
  const std::vector<Vec3> none(subject_.goal.size());
  std::vector<Vec3> rate = displacements(subject_), small = rate;
  for (Vec3& u : small) u *= 1e-6;
  const Evaluation damped = evaluated<double>(subject_, none, true, rate);
  const Evaluation elastic = evaluated<double>(subject_, small, true);
  EXPECT_EQ(damped.energy, 0);
  const double scale = largest(damped.gradient);
  for (std::size_t v = 0; v < rate.size(); ++v)
    EXPECT_LT(distance(damped.gradient[v], elastic.gradient[v] * 1e6), 1e-4 * scale);
}

INSTANTIATE_TEST_SUITE_P(Laws, GoalElasticity,
                         testing::Values(Case{Element::patch, as_modelled, 0, true},
                                         Case{Element::patch, bent, 0, true}, Case{Element::patch, bent, 0.3, true},
                                         Case{Element::linear, bent, 0.02, true}, Case{Element::patch, broken, 0, true},
                                         Case{Element::patch, broken, 0.3, true}, Case{Element::patch, bent, 0, false},
                                         Case{Element::patch, bent, 0.05, false}));

TEST(GoalElasticity, NoForceActsInTheGoalAndUnderRigidMotion) {
  for (const Goal goal : {as_modelled, bent}) {
    const Subject s = subject(Element::patch, goal, 0.3);
    const Evaluation still = evaluated<double>(s, std::vector<Vec3>(s.goal.size()));
    EXPECT_EQ(still.energy, 0);
    EXPECT_EQ(largest(still.gradient), 0);
    const double usual = largest(evaluated<double>(s, displacements(s)).gradient);
    const Mat3 rotation = to_matrix(axis_angle(normalized(Vec3{1, 2, -0.5}), 2.9));
    std::vector<Vec3> rigid = s.goal;
    for (Vec3& x : rigid) x = rotation * x + Vec3{1, -2, 0.5} - x;
    EXPECT_LT(largest(evaluated<double>(s, rigid).gradient), 1e-9 * usual);
  }
}

TEST(GoalElasticity, KeepsMomentumAndAngularMomentum) {
  const Subject s = subject(Element::patch, bent, 0.3);
  std::vector<Vec3> d = displacements(s);
  const Evaluation found = evaluated<double>(s, d);
  EXPECT_EQ(found.bounded, 0u);
  Vec3 force, torque;
  double scale = 0;
  for (std::size_t v = 0; v < d.size(); ++v) {
    force += found.gradient[v];
    torque += cross(s.goal[v] + d[v], found.gradient[v]);
    scale += norm(found.gradient[v]);
  }
  EXPECT_LT(norm(force), 1e-12 * scale);
  EXPECT_LT(norm(torque), 1e-12 * scale);
}

// A host's energy: a plain one gives what the lanes give, and others have the forces of their definitions.
TEST(GoalElasticity, TakesTheEnergyOfAHost) {
  for (const bool from_goal : {true, false}) {
    Subject s = subject(Element::patch, bent, 0);
    std::vector<Vec3> d = displacements(s), rate = d;
    for (std::size_t v = 0; v < d.size() && !from_goal; ++v) d[v] += s.goal[v];
    const Evaluation own = evaluated<double>(s, d, from_goal, rate);
    s.law.energy = &stretch_energy(MixedMaterial::corotated);
    const Evaluation plugged = evaluated<double>(s, d, from_goal, rate),
                     in_floats = evaluated<float>(s, d, from_goal, rate);
    EXPECT_NEAR(plugged.energy, own.energy, 1e-11 * own.energy);
    const double scale = largest(own.gradient);
    for (std::size_t v = 0; v < d.size(); ++v) {
      EXPECT_LT(distance(plugged.gradient[v], own.gradient[v]), 1e-9 * scale);
      EXPECT_LT(distance(in_floats.gradient[v], own.gradient[v]), 1e-3 * scale);
    }
    for (const MixedMaterial material : {MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff}) {
      s.law.energy = &stretch_energy(material);
      expect_gradient_of_the_definition(s, d, from_goal);
    }
  }
}

TEST(GoalElasticity, BoundsStretchesOfBrokenGoals) {
  const Subject s = subject(Element::patch, broken, 0);
  EXPECT_GT(evaluated<double>(s, displacements(s)).bounded, s.samples.size() / 4);
}

}  // namespace
}  // namespace sinew
