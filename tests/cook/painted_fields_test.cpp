// Density and Poisson's ratio as they are painted: what they do to bodies of tetrahedra and control lattices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/cholesky.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

// The tube, with `value(y)` painted on it at height y, 0 to 1.
template <class Value>
Character painted_tube(std::size_t field, const Value& value) {
  Character character = tube_character();
  for (Part& part : character.parts)
    for (const Vec3& x : part.surface.positions) part.fields[field].push_back(value(x.y));
  return character;
}

Character evenly_painted_tube(std::size_t field, double value) {
  return painted_tube(field, [value](double) { return value; });
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

Vec3 middle_of(const TetrahedralMesh& mesh, std::size_t t) {
  Vec3 middle;
  for (const int v : mesh.tetrahedra[t]) middle += 0.25 * mesh.positions[static_cast<std::size_t>(v)];
  return middle;
}

TEST(PaintedFields, HalfABodyTwiceAsDenseWeighsHalfAsMuchAgain) {
  const FleshSettings settings = quick_settings();
  const Character half = painted_tube(field("density"), [](double y) { return y > 0.5 ? 2.0 : 1.0; });
  const CookedFlesh plain = prepare_flesh(tube_character(), settings), painted = prepare_flesh(half, settings);
  EXPECT_NEAR(sum(painted.body->mass) / sum(plain.body->mass), 1.5, 0.02);
  // Where the values meet, what is painted fades over a few cells.
  for (std::size_t v = 0; v < plain.body->mass.size(); ++v) {
    const double y = plain.body->description.mesh.positions[v].y;
    if (std::abs(y - 0.5) < 0.2) continue;
    EXPECT_NEAR(painted.body->mass[v] / plain.body->mass[v], y > 0.5 ? 2 : 1, 0.02) << y;
  }
}

TEST(PaintedFields, PaintedDensityIsThatOfTheSetting) {
  FleshSettings settings = quick_settings();
  const FleshBase painted = prepare_flesh_base(evenly_painted_tube(field("density"), 2), settings);
  const FleshBase plain = prepare_flesh_base(tube_character(), settings);
  settings.density *= 2;
  const FleshBase dense = prepare_flesh_base(tube_character(), settings);
  // Paint is carried into the volume to 1e-7.
  ASSERT_EQ(painted.assembled.mass.size(), dense.assembled.mass.size());
  for (std::size_t v = 0; v < dense.assembled.mass.size(); ++v)
    EXPECT_NEAR(painted.assembled.mass[v] / dense.assembled.mass[v], 1, 1e-7);
  const std::vector<double> all(painted.assembled.mass.size(), 1.0);
  const double sag = sag_under_gravity(painted.assembled, all).whole;
  EXPECT_NEAR(sag / sag_under_gravity(dense.assembled, all).whole, 1, 1e-7);
  EXPECT_NEAR(sag / sag_under_gravity(plain.assembled, all).whole, 2, 1e-6);
  // What is painted heavier hangs lower and leaves the look as it is.
  EXPECT_EQ(painted.sag.whole, plain.sag.whole);
}

// A bar whose ends are led apart along y and free to contract: its width shrinks by Poisson's ratio times the strain.
TEST(PaintedFields, ABarUnderTensionContractsByThePaintedPoissonsRatio) {
  FleshSettings settings = quick_settings();
  settings.element = Element::linear;
  settings.tetrahedra = 4000;
  const auto ratio_at = [](double y) { return y > 0.5 ? 0.4 : 0.1; };
  const FleshBase base = prepare_flesh_base(painted_tube(field("poisson"), ratio_at), settings);
  const FleshDescription& description = base.assembled.description;
  const std::vector<Vec3>& rest = description.mesh.positions;
  const StrainSamples samples =
      strain_samples(description.mesh, Element::linear,
                     {description.material, description.young, description.inside_fraction, description.poisson});
  std::vector<int> held;
  std::vector<Vec3> displacement(rest.size());
  constexpr double strain = 0.01;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest[v].y < 0.03 || rest[v].y > 0.97) {
      held.push_back(static_cast<int>(v));
      displacement[v] = {0, strain * rest[v].y, 0};
    }
  const FreeVertices free = free_vertices(rest.size(), held);
  const BlockMatrix stiffness = rest_stiffness(samples, static_cast<int>(rest.size()));
  const BlockMatrix system = principal_submatrix(stiffness, free.number, free.count());
  BlockCholesky factor;
  factor.analyze(system);
  factor.factor(system);
  std::vector<double> force(3 * rest.size()), flat;
  for (const Vec3& u : displacement) flat.insert(flat.end(), {u.x, u.y, u.z});
  multiply(stiffness, flat, force);
  std::vector<double> x(3 * free.vertex.size());
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) x[3 * f + c] = -force[3 * static_cast<std::size_t>(free.vertex[f]) + c];
  factor.solve(x, x);
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    displacement[static_cast<std::size_t>(free.vertex[f])] = {x[3 * f], x[3 * f + 1], x[3 * f + 2]};
  // Far from the ends and from where the values meet, the mean over the elements there.
  for (const double place : {0.25, 0.75}) {
    double along = 0, across = 0;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Vec3 middle = middle_of(description.mesh, s);
      if (std::abs(middle.y - place) > 0.08) continue;
      const Mat3 gradient = deformation_gradient(samples, s, displacement);
      along += samples.volume[s] * gradient(1, 1);
      across += samples.volume[s] * (gradient(0, 0) + gradient(2, 2)) / 2;
    }
    EXPECT_NEAR(-across / along, ratio_at(place), 0.02) << place;
  }
}

TEST(PaintedFields, RigidMotionsOfAPaintedBodyAreFreeOfForce) {
  Character character = painted_tube(field("poisson"), [](double y) { return 0.49 * y; });
  for (Part& part : character.parts)
    for (const Vec3& x : part.surface.positions) part.fields[field("density")].push_back(1 + 3 * x.y);
  const FleshBase base = prepare_flesh_base(character, quick_settings());
  const FleshBody& body = base.assembled;
  std::vector<double> motion, bent, force(3 * body.mass.size());
  for (const Vec3& p : body.description.mesh.positions) {
    const Vec3 u = Vec3{1, 2, 3} + cross(Vec3{0.3, -0.2, 0.5}, p);
    motion.insert(motion.end(), {u.x, u.y, u.z});
    bent.insert(bent.end(), {p.y * p.y, p.x * p.z, 0});
  }
  const auto largest = [&] {
    return std::abs(
        *std::max_element(force.begin(), force.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  };
  multiply(body.elastic_stiffness, bent, force);
  const double scale = largest();
  Vec3 total, torque;
  for (std::size_t v = 0; v < body.mass.size(); ++v) {
    const Vec3 f{force[3 * v], force[3 * v + 1], force[3 * v + 2]};
    total += f;
    torque += cross(body.description.mesh.positions[v], f);
  }
  // Momentum and angular momentum stay.
  EXPECT_LT(norm(total), 1e-10 * scale);
  EXPECT_LT(norm(torque), 1e-10 * scale);
  multiply(body.elastic_stiffness, motion, force);
  EXPECT_LT(largest(), 1e-9 * scale);
}

// To the last bit, in tetrahedra and in a lattice.
TEST(PaintedFields, NeutralPaintChangesNothing) {
  const Character plain = tube_character();
  Character neutral = plain;
  for (Part& part : neutral.parts)
    for (std::size_t f = 0; f < part.fields.size(); ++f)
      part.fields[f].assign(part.surface.positions.size(), painted_fields[f].neutral);
  for (const bool in_lattice : {false, true}) {
    FleshSettings settings = look_settings();
    if (in_lattice) settings.lattice.file = auto_lattice;
    const auto run = [&](const Character& character) {
      CookedFlesh scene = prepare_flesh(character, settings);
      if (in_lattice)
        scene.lattice =
            prepare_lattice(scene, build_lattice(character, simulation_surface(character), {60}).lattice, settings);
      BakeOptions options = options_for(0);
      options.end = 0.2;
      return values(bake_flesh(character, scene, settings, options));
    };
    EXPECT_EQ(run(neutral), run(plain)) << in_lattice;
  }
}

TEST(PaintedFields, ActInControlLattices) {
  FleshSettings settings = quick_settings();
  settings.lattice.file = auto_lattice;
  const Character plain = tube_character();
  const ControlLattice lattice = build_lattice(plain, simulation_surface(plain), {60}).lattice;
  const auto base_of = [&](const Character& character) {
    return prepare_lattice_base(prepare_flesh(character, settings), lattice, settings);
  };
  const auto weight = [](const LatticeBase& base) { return sum(base.description.weight); };
  const LatticeBase unpainted = base_of(plain);
  const LatticeBase dense = base_of(evenly_painted_tube(field("density"), 2)),
                    half = base_of(painted_tube(field("density"), [](double y) { return y > 0.5 ? 2.0 : 1.0; })),
                    soft = base_of(evenly_painted_tube(field("poisson"), 0.2));
  EXPECT_NEAR(weight(dense) / weight(unpainted), 2, 1e-9);
  EXPECT_NEAR(weight(half) / weight(unpainted), 1.5, 0.02);
  EXPECT_EQ(dense.sag, unpainted.sag);
  EXPECT_EQ(soft.sag, unpainted.sag);
  settings.poisson = 0.2;
  const LatticeBase set = base_of(plain);
  ASSERT_EQ(soft.description.cells.stiffness.size(), set.description.cells.stiffness.size());
  double largest = 0, apart = 0, moved = 0;
  for (std::size_t k = 0; k < set.description.cells.stiffness.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double there = set.description.cells.stiffness[k](i, j);
        largest = std::max(largest, std::abs(there));
        apart = std::max(apart, std::abs(there - soft.description.cells.stiffness[k](i, j)));
        moved = std::max(moved, std::abs(there - unpainted.description.cells.stiffness[k](i, j)));
      }
  EXPECT_LT(apart, 1e-9 * largest);
  EXPECT_GT(moved, 0.1 * largest);
}

TEST(PaintedFields, ALatticePaintedOneEverywhereIsUnpainted) {
  FleshSettings settings = quick_settings();
  settings.lattice.file = auto_lattice;
  const Character character = tube_character();
  const CookedFlesh flesh = prepare_flesh(character, settings);
  const ControlLattice plain = build_lattice(character, flesh.surface, {60}).lattice;
  ControlLattice neutral = plain;
  for (std::vector<double>* painted : {&neutral.stiffness, &neutral.damping, &neutral.density})
    painted->assign(plain.positions.size(), 1.0);
  const LatticeBase a = prepare_lattice_base(flesh, plain, settings),
                    b = prepare_lattice_base(flesh, neutral, settings);
  EXPECT_TRUE(b.description.cell_damping.empty());
  EXPECT_TRUE(a.description.cells.stiffness == b.description.cells.stiffness);
  EXPECT_TRUE(a.description.weight == b.description.weight);
  EXPECT_EQ(a.sag, b.sag);
}

TEST(PaintedFields, ActUnderMixed) {
  MixedSettings settings;
  settings.tetrahedra = 600;
  const CookedMixed dense = prepare_mixed(evenly_painted_tube(field("density"), 2), settings),
                    soft = prepare_mixed(evenly_painted_tube(field("poisson"), 0.2), settings);
  settings.poisson = 0.2;
  const CookedMixed set = prepare_mixed(tube_character(), settings);
  ASSERT_EQ(dense.mass.size(), set.mass.size());
  for (std::size_t v = 0; v < set.mass.size(); ++v) EXPECT_NEAR(dense.mass[v], 2 * set.mass[v], 1e-9 * set.mass[v]);
  for (std::size_t s = 0; s < set.body->samples.size(); ++s)
    EXPECT_NEAR(soft.body->samples.lambda[s], set.body->samples.lambda[s], 1e-9 * set.body->samples.lambda[s]);
}

}  // namespace
}  // namespace sinew
