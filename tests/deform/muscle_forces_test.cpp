// Muscles in flesh against known answers: Hill's isometric force, equilibrium at a free end, volume, derivatives.
#include "sinew/deform/tetrahedra/muscle_forces.h"

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/elastic/hill_curves.h"
#include "sinew/mesh/shape_gradients.h"
#include "sinew/mesh/volume_measures.h"
#include "tests/base/refusal.h"
#include "tests/deform/response_bars.h"

namespace sinew {
namespace {

using namespace test;

constexpr double muscle_stress = 1e5;  // pascals

// A bar of muscle that is held at its end x = 0, with its fibres along x. It is stiff, so that it is stable beyond the
// optimal length, too.
FleshDescription muscle_bar(const Bar& bar, const BodyMuscle& muscle = {muscle_stress, 1, 0}) {
  FleshDescription d = bar_description(bar);
  d.muscles.muscles = {muscle};
  for (std::size_t t = 0; t < d.mesh.tetrahedra.size(); ++t)
    d.muscles.fibres.push_back({static_cast<int>(t), 0, {1, 0, 0}, 1});
  return d;
}

Bar held_bar(double young = 5e5, double poisson = 0.45) {
  Bar bar{.along = 8, .across = 2};
  bar.core_along_axis = false;
  bar.young = young;
  bar.poisson = poisson;
  return bar;
}

QuasiNewton converged_muscle() {
  QuasiNewton how;
  how.tolerance = 1e-9;
  how.precision = TissuePrecision::doubles;
  return how;
}

// The bar as the rig stretches it along x.
std::vector<Affine> stretched_along_x(double stretch) {
  const Affine bone{Mat3::diagonal({stretch, 1, 1}), {}};
  return {bone, bone};
}

struct MuscleCase {
  std::shared_ptr<const FleshBody> body;
  std::unique_ptr<FleshReference> reference;
  VertexFrames frames;

  MuscleCase(FleshDescription description, std::span<const Affine> bones, double activation,
             const QuasiNewton& how = converged_muscle())
      : body(cook_flesh(assemble_flesh(std::move(description)), {})), reference(quasi_newton_reference(body, how)) {
    predict_frames(points_of(body->description), bones, frames);
    reference->activate(std::array{activation});
    reference->set_pose(frames);
  }
  std::size_t numbers() const { return 3 * body->free_vertex.size(); }
  // The free vertices of the end that is not held.
  std::vector<std::size_t> end_of(const Bar& bar) const {
    std::vector<std::size_t> end;
    for (std::size_t f = 0; f < body->free_vertex.size(); ++f)
      if (body->description.mesh.positions[static_cast<std::size_t>(body->free_vertex[f])].x > bar.length - 1e-9)
        end.push_back(f);
    return end;
  }
};

TEST(MuscleForces, PullBetweenFixedEndsWithHillsIsometricForce) {
  const Bar bar = held_bar();
  for (const double stretch : {0.5, 0.7, 1.0, 1.25, 1.5, 1.7})
    for (const double activation : {0.3, 1.0}) {
      MuscleCase muscle(muscle_bar(bar), stretched_along_x(stretch), activation);
      std::vector<double> none(muscle.numbers()), forces(muscle.numbers());
      muscle.reference->forces_at_rest(none, forces);
      double at_end = 0;
      for (const std::size_t f : muscle.end_of(bar)) at_end += forces[3 * f];
      const double expected = activation * muscle_stress * bar.width * bar.width * hill::active_force(stretch);
      EXPECT_NEAR(at_end, expected, 0.01 * expected + 1e-9) << stretch;
      // Nothing moves between the ends, and under this force nothing moves at all.
      std::vector<double> u(muscle.numbers());
      muscle.reference->find_rest(forces, u);
      for (const double each : u) ASSERT_NEAR(each, 0, 1e-7) << stretch;
    }
}

TEST(MuscleForces, HillsCurvesAreTheIntegralsOfOneAnother) {
  EXPECT_EQ(hill::active_force(1), 1);
  EXPECT_NEAR(hill::active_force(1.2), 0.84, 1e-12);
  EXPECT_NEAR(hill::active_force(0.5), 0.09, 1e-12);
  EXPECT_EQ(hill::active_force(0.4), 0);
  EXPECT_EQ(hill::active_force(1.7), 0);
  EXPECT_NEAR(hill::velocity_factor(0), 1, 1e-12);
  EXPECT_EQ(hill::velocity_factor(-hill::fastest), 0);
  EXPECT_EQ(hill::velocity_factor(-2 * hill::fastest), 0);
  EXPECT_LT(hill::velocity_factor(1e9), 1.4);
  for (double x = 0.31; x < 1.9; x += 0.05) {
    const double h = 1e-6;
    EXPECT_NEAR((hill::active_work(x + h) - hill::active_work(x - h)) / (2 * h), hill::active_force(x), 1e-8) << x;
    EXPECT_NEAR((hill::active_force(x + h) - hill::active_force(x - h)) / (2 * h), hill::active_slope(x), 1e-5) << x;
    const double e = x - 1;
    EXPECT_NEAR((hill::passive_work(e + h) - hill::passive_work(e - h)) / (2 * h), hill::passive_force(e), 1e-8) << x;
    EXPECT_NEAR((hill::passive_force(e + h) - hill::passive_force(e - h)) / (2 * h), hill::passive_slope(e), 1e-5);
  }
}

// Free at one end, the muscle shortens until Hill's force at its length is what elasticity resists with. The law is
// that of small strains: P = E (stretch - 1) where the sides are free.
double shortened_stretch(double young, double activation) {
  double low = 0.5, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const double pull = activation * muscle_stress * hill::active_force(middle) + young * (middle - 1);
    (pull > 0 ? high : low) = middle;
  }
  return low;
}

TEST(MuscleForces, AFreeEndShortensAndBulgesByTheVolumeThatItKeeps) {
  Bar bar = held_bar(1e6, 0.49);
  bar.along = 12;
  for (const double activation : {0.4, 0.9}) {
    MuscleCase muscle(muscle_bar(bar), std::vector<Affine>(2), activation);
    std::vector<double> u(muscle.numbers());
    EXPECT_FALSE(muscle.reference->find_rest({}, u).unfinished);
    std::vector<Vec3> position = muscle.body->description.mesh.positions;
    for (std::size_t f = 0; f < muscle.body->free_vertex.size(); ++f)
      position[static_cast<std::size_t>(muscle.body->free_vertex[f])] += Vec3{u[3 * f], u[3 * f + 1], u[3 * f + 2]};
    // Measured between the middle and the free end, away from the end that is held and cannot bulge.
    const int middle = vertex_near(*muscle.body, {bar.length / 2, 0, 0}),
              end = vertex_near(*muscle.body, {bar.length, 0, 0});
    const auto at = [&](int v) { return position[static_cast<std::size_t>(v)]; };
    const double stretch = (at(end).x - at(middle).x) / (bar.length / 2);
    const double expected = shortened_stretch(bar.young, activation);
    EXPECT_NEAR(stretch - 1, expected - 1, 0.02 * (1 - expected)) << activation;
    const double widened = (at(vertex_near(*muscle.body, {0.75 * bar.length, bar.width / 2, 0})).y -
                            at(vertex_near(*muscle.body, {0.75 * bar.length, -bar.width / 2, 0})).y) /
                           bar.width;
    EXPECT_NEAR(widened * widened * stretch, 1, 0.01) << activation;
    EXPECT_NEAR(measure_volumes(muscle.body->description.mesh, position).ratio, 1, 0.01) << activation;
  }
}

// An oblique fibre in every tetrahedron of a bar that is bent, stretched and displaced.
template <class Visit>
void with_oblique_fibres(const BodyMuscle& of, const Visit& visit) {
  const Bar bar{.along = 3, .across = 2};
  FleshDescription d = muscle_bar(bar, of);
  for (std::size_t k = 0; k < d.muscles.fibres.size(); ++k)
    d.muscles.fibres[k].direction =
        normalized(Vec3{std::sin(1.0 + static_cast<double>(k)), std::cos(3.0 * static_cast<double>(k)), 0.5});
  d.muscles.fibres.resize(d.muscles.fibres.size() - 3);  // the last group is not full
  const auto body = cook_flesh(assemble_flesh(std::move(d)), {});
  VertexFrames frames;
  std::vector<Affine> bones = bar_pose(bar, turned_about({}, to_matrix(axis_angle({0, 1, 0}, 0.3))), 0.7);
  bones[0].linear = bones[0].linear * 1.1;
  predict_frames(points_of(body->description), bones, frames);
  visit(*body, frames);
}

std::vector<Vec3> waves(std::size_t vertices, double amplitude) {
  std::vector<Vec3> x(vertices);
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t c = 0; c < 3; ++c) x[v][c] = amplitude * std::sin(2.0 * static_cast<double>(3 * v + c + 1));
  return x;
}

template <class Real>
std::vector<Row<Real>> rows_of(const std::vector<Vec3>& x) {
  std::vector<Row<Real>> rows;
  for (const Vec3& v : x) rows.push_back({static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0});
  return rows;
}

constexpr double steps_per_second = 240;

// dU/dx per vertex of the body, world; the energy. `start`: positions as a step begins; empty: fibres do not move.
template <class Real>
double fibre_gradient(const FleshBody& body, const VertexFrames& frames, const std::vector<Vec3>& displacement,
                      double activation, std::vector<Vec3>& gradient, const std::vector<Vec3>& start = {}) {
  const FleshDescription& d = body.description;
  const auto fibres = fibre_elasticity<Real>(d.mesh, d.inside_fraction, d.muscles);
  std::vector<FibrePose<Real>> pose(fibres.groups.size());
  for (std::size_t g = 0; g < pose.size(); ++g) {
    set_fibre_goal<Real>(fibres.groups[g], frames.goal, true, 2, pose[g]);
    set_activation<Real>(fibres.groups[g], std::array{activation}, pose[g]);
    if (!start.empty()) set_fibre_start<Real>(fibres.groups[g], start, pose[g]);
  }
  std::vector<Row<Real>> tension(patch_lanes * pose.size());
  const std::vector<Row<Real>> rows = rows_of<Real>(displacement);
  const double energy = fibre_tensions<Real>({fibres.groups, pose, rows, 1, start.empty() ? 0 : steps_per_second}, 0,
                                             pose.size(), tension);
  gradient.assign(displacement.size(), {});
  for (std::size_t k = 0; k < fibres.entries.vertex.size(); ++k)
    gradient[static_cast<std::size_t>(fibres.entries.vertex[k])] = fibres.gradient(k, tension);
  return energy;
}

// Energy and gradient of one fibre after another, from the curves.
double fibre_energy_by_hand(const FleshBody& body, const VertexFrames& frames, const std::vector<Vec3>& displacement,
                            double activation, std::vector<Vec3>& gradient, std::vector<Mat3>& diagonal,
                            const std::vector<Vec3>& start = {}) {
  const FleshDescription& d = body.description;
  double energy = 0;
  gradient.assign(displacement.size(), {});
  diagonal.assign(displacement.size(), Mat3::zero());
  for (const MuscleFibre& fibre : d.muscles.fibres) {
    const BodyMuscle& muscle = d.muscles.muscles[static_cast<std::size_t>(fibre.muscle)];
    const auto& corner = d.mesh.tetrahedra[static_cast<std::size_t>(fibre.tetrahedron)];
    const ShapeGradients shape = shape_gradients(d.mesh, static_cast<std::size_t>(fibre.tetrahedron));
    Vec3 goal, actual, before;
    double c[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const auto v = static_cast<std::size_t>(corner[k]);
      c[k] = dot(shape.gradient[k], fibre.direction);
      goal += c[k] * frames.goal[v];
      actual += c[k] * (frames.goal[v] + displacement[v]);
      if (!start.empty()) before += c[k] * start[v];
    }
    const double volume = shape.volume * fibre.share, length = norm(actual), natural = norm(goal);
    const double x = length / muscle.optimal_stretch, e = length / natural - 1;
    const double active = volume * activation * muscle.stress, passive = volume * muscle.stress * muscle.passive;
    energy += active * muscle.optimal_stretch * hill::active_work(x) + passive * natural * hill::passive_work(e);
    const Vec3 unit = actual / length;
    const double speed = steps_per_second * (length - norm(before)) / muscle.optimal_stretch;
    const double factor = start.empty() ? 1 : hill::velocity_factor(speed);
    const double tension = active * factor * hill::active_force(x) + passive * hill::passive_force(e);
    const double slope =
        active * hill::active_slope(x) / muscle.optimal_stretch + passive * hill::passive_slope(e) / natural;
    const Mat3 hessian = outer(unit, unit) * slope + (Mat3::identity() - outer(unit, unit)) * (tension / length);
    for (std::size_t k = 0; k < 4; ++k) {
      gradient[static_cast<std::size_t>(corner[k])] += c[k] * tension * unit;
      diagonal[static_cast<std::size_t>(corner[k])] += hessian * (c[k] * c[k]);
    }
  }
  return energy;
}

TEST(MuscleForces, GradientAndHessianAreDifferencesOfTheEnergy) {
  with_oblique_fibres({muscle_stress, 1.1, 0.8}, [](const FleshBody& body, const VertexFrames& frames) {
    std::vector<Vec3> u = waves(body.mass.size(), 0.004), gradient, by_hand, left, right;
    std::vector<Mat3> diagonal;
    const double energy = fibre_gradient<double>(body, frames, u, 0.7, gradient);
    EXPECT_NEAR(energy, fibre_energy_by_hand(body, frames, u, 0.7, by_hand, diagonal), 1e-11 * energy);
    double largest = 0;
    for (const Vec3& g : gradient) largest = std::max(largest, norm(g));
    Vec3 sum, moment;
    for (std::size_t v = 0; v < u.size(); ++v) {
      EXPECT_LT(distance(gradient[v], by_hand[v]), 1e-11 * largest);
      sum += gradient[v];
      moment += cross(frames.goal[v] + u[v], gradient[v]);
    }
    EXPECT_LT(norm(sum), 1e-11 * largest) << "momentum";
    EXPECT_LT(norm(moment), 1e-11 * largest) << "angular momentum";
    const double h = 1e-7;
    for (std::size_t v = 0; v < u.size(); v += 3)
      for (std::size_t c = 0; c < 3; ++c) {
        const double at = u[v][c];
        u[v][c] = at - h;
        const double before = fibre_gradient<double>(body, frames, u, 0.7, left);
        u[v][c] = at + h;
        const double after = fibre_gradient<double>(body, frames, u, 0.7, right);
        u[v][c] = at;
        EXPECT_NEAR((after - before) / (2 * h), gradient[v][c], 1e-5 * largest);
        const Vec3 column = (right[v] - left[v]) / (2 * h);
        EXPECT_LT(distance(column, diagonal[v].column(c)), 1e-5 * norm(diagonal[v].column(c)) + 1e-3);
      }
  });
}

TEST(MuscleForces, FloatsAndVelocitiesAgreeWithTheCurves) {
  with_oblique_fibres({muscle_stress, 0.9, 1}, [](const FleshBody& body, const VertexFrames& frames) {
    const std::vector<Vec3> u = waves(body.mass.size(), 0.004);
    for (const double speed : {0.0, 0.05, 3.0}) {
      std::vector<Vec3> start = waves(body.mass.size(), speed / steps_per_second), in_floats, in_doubles, by_hand;
      std::swap(start.front(), start.back());
      for (std::size_t v = 0; v < u.size(); ++v) start[v] = frames.goal[v] + u[v] - start[v];
      std::vector<Mat3> diagonal;
      fibre_energy_by_hand(body, frames, u, 1, by_hand, diagonal, start);
      fibre_gradient<float>(body, frames, u, 1, in_floats, start);
      fibre_gradient<double>(body, frames, u, 1, in_doubles, start);
      double largest = 0;
      for (const Vec3& g : by_hand) largest = std::max(largest, norm(g));
      for (std::size_t v = 0; v < u.size(); ++v) {
        EXPECT_LT(distance(in_doubles[v], by_hand[v]), 1e-11 * largest) << speed;
        EXPECT_LT(distance(in_floats[v], by_hand[v]), 2e-5 * largest) << speed;
      }
    }
  });
}

// The rig shortens the bar at a tenth of the largest speed: 1 optimal length per second.
TEST(MuscleForces, IsokineticShorteningGivesHillsForceAtThatSpeed) {
  const Bar bar = held_bar();
  for (const double step : {1.0 / 240, 1.0 / 60}) {
    FleshDynamics dynamics;
    dynamics.step = step;
    const auto body = cook_flesh(assemble_flesh(muscle_bar(bar)), dynamics);
    MuscleForces<double> muscles(*body);
    muscles.activate(std::array{1.0});
    const std::vector<double> none(3 * body->free_vertex.size());
    for (double stretch = 1.2; stretch > 0.7; stretch -= step) {
      VertexFrames before, now;
      predict_frames(points_of(body->description), stretched_along_x(stretch), before);
      predict_frames(points_of(body->description), stretched_along_x(stretch - step), now);
      muscles.set_pose(now, true, 2);
      muscles.begin_step(before, none);
      std::vector<double> gradient(none.size());
      const std::vector<Row<double>> still(body->mass.size());
      muscles.add(still, 0, gradient);
      double at_end = 0;
      for (std::size_t f = 0; f < body->free_vertex.size(); ++f)
        if (body->description.mesh.positions[static_cast<std::size_t>(body->free_vertex[f])].x > bar.length - 1e-9)
          at_end += gradient[3 * f];
      const double in_step =
          stretch - step / 2;  // Hill's equation: (1 - 0.1) / (1 + 0.1 / 0.25) of the isometric force
      const double expected = 0.9 / 1.4 * muscle_stress * bar.width * bar.width * hill::active_force(in_step);
      EXPECT_NEAR(at_end, expected, 0.03 * expected) << stretch;
    }
  }
}

// A muscle that lifts a load shortens as fast as Hill's curves say for that load, in steps of any length.
TEST(MuscleForces, ALoadIsLiftedAtHillsSpeed) {
  const Bar bar = held_bar(1e3, 0.3);
  const double area = bar.width * bar.width, load = 0.9 / 1.4 * muscle_stress * area;  // a tenth of the largest speed
  for (const double step : {1.0 / 240, 1.0 / 60}) {
    FleshDynamics dynamics;
    dynamics.step = step;
    const auto body = cook_flesh(assemble_flesh(muscle_bar(bar)), dynamics);
    const auto flesh = quasi_newton_flesh(body, converged_muscle());
    const std::vector<Affine> pose(2);
    const std::array activation{1.0};
    // The load is spread over the end as the muscle's own pull is.
    VertexFrames frames;
    predict_frames(points_of(body->description), pose, frames);
    MuscleForces<double> pull(*body);
    pull.activate(activation);
    pull.set_pose(frames, true, 2);
    std::vector<double> isometric(3 * body->free_vertex.size());
    pull.add(std::vector<Row<double>>(body->mass.size()), 0, isometric);
    std::vector<int> end;
    std::vector<PointForce> forces;
    double sum = 0;
    for (std::size_t f = 0; f < body->free_vertex.size(); ++f) {
      const int v = body->free_vertex[f];
      if (body->description.mesh.positions[static_cast<std::size_t>(v)].x < bar.length - 1e-9) continue;
      end.push_back(v);
      forces.push_back({v, {isometric[3 * f] * load / (muscle_stress * area), 0, 0}});
      sum += forces.back().force.x;
    }
    EXPECT_NEAR(sum, load, 1e-9 * load);
    flesh->follow({.time = 0, .bones = pose, .forces = forces, .activation = activation});
    double time = 0, at_first = 0;
    const auto shortened = [&] {
      double sum = 0;
      for (const int v : end) sum -= flesh->local_displacements()[static_cast<std::size_t>(v)].x;
      return sum / static_cast<double>(end.size()) / bar.length;
    };
    constexpr double first = 1.0 / 15, last = 1.0 / 6;  // seconds
    while (time < last - 1e-9) {
      time += step;
      flesh->advance({.time = time, .bones = pose, .forces = forces, .activation = activation});
      if (std::abs(time - first) < 0.1 * step) at_first = shortened();
    }
    // Between these times by the curves, at the lengths that it has.
    double expected = at_first;
    for (double t = first; t < last; t += 1e-4) {
      const double share = load / (muscle_stress * area * hill::active_force(1 - expected));
      expected += 1e-4 * hill::fastest * (1 - share) / (1 + share / hill::curvature);
    }
    EXPECT_GT(at_first, 0.03);
    EXPECT_NEAR(shortened() - at_first, expected - at_first, 0.05 * (expected - at_first)) << step;
  }
}

std::vector<Vec3> swung(const FleshDescription& description, const Bar& bar, std::span<const double> activation) {
  const auto body = cook_flesh(assemble_flesh(description), {});
  const auto flesh = quasi_newton_flesh(body, {});
  const auto pose = [&](int k) { return bar_pose(bar, moved({0, 0.02 * std::sin(0.3 * k), 0}), 0.03 * k); };
  const auto first = pose(0), second = pose(1);
  flesh->reset({.time = 0, .bones = first, .activation = activation}, {.time = flesh->step(), .bones = second});
  for (int k = 1; k <= 20; ++k) {
    const auto bones = pose(k);
    flesh->advance({.time = k * flesh->step(), .bones = bones, .activation = activation});
  }
  return {flesh->local_displacements().begin(), flesh->local_displacements().end()};
}

TEST(MuscleForces, WithoutActivationFleshMovesAsWithoutMuscles) {
  Bar bar{.along = 8, .across = 2};
  bar.mass_damping = 3, bar.stiffness_damping = 0.002;
  const std::vector<Vec3> plain = swung(bar_description(bar), bar, {}), still = swung(muscle_bar(bar), bar, {}),
                          zero = swung(muscle_bar(bar), bar, std::array{0.0}),
                          tense = swung(muscle_bar(bar), bar, std::array{0.5});
  double most = 0, by_tension = 0;
  for (std::size_t v = 0; v < plain.size(); ++v) {
    most = std::max({most, distance(plain[v], still[v]), distance(plain[v], zero[v])});
    by_tension = std::max(by_tension, distance(plain[v], tense[v]));
  }
  EXPECT_LT(most, 1e-9 * bar.length);
  EXPECT_GT(by_tension, 1e-3);
}

// Muscles at rest leave flesh where it was posed, whatever their passive stress.
TEST(MuscleForces, PassiveFibresLeaveEveryPoseAsItIs) {
  const Bar bar{.along = 8, .across = 2};
  const auto body = cook_flesh(assemble_flesh(muscle_bar(bar, {3e5, 1, 1})), {});
  const auto flesh = quasi_newton_flesh(body, {});
  const std::vector<Affine> pose = bar_pose(bar, moved({1, 2, 3}), 1.2);
  flesh->reset({0, pose}, {flesh->step(), pose});
  for (int k = 1; k <= 5; ++k) flesh->advance({k * flesh->step(), pose});
  for (const Vec3& u : flesh->local_displacements()) ASSERT_LT(norm(u), 1e-7);
}

TEST(MuscleForces, ThreadsDoNotChangeABit) {
  const Bar bar{.along = 16, .across = 4};
  std::vector<std::vector<Vec3>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(swung(muscle_bar(bar, {2e4, 1, 1}), bar, std::array{0.6}));
  }
  set_thread_count(0);
  for (const std::vector<Vec3>& result : results) EXPECT_EQ(result, results.front());
}

TEST(MuscleForces, RefusesACountOfActivationsThatIsNotThatOfMuscles) {
  const Bar bar{.along = 3, .across = 2};
  MuscleCase muscle(muscle_bar(bar), std::vector<Affine>(2), 0);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      muscle.reference->activate(std::array{1.0, 0.5});
                    })
                .find("1 muscles, but 2"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
