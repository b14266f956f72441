// A beam held at one end: tip deflection under a shear force at the other, and the first bending
// frequency, against CalculiX and Timoshenko's beam.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <iostream>
#include <numbers>

#include "sinew/elastic/stiffness.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/elastic/vibration_modes.h"
#include "studies/reference/static_equilibrium.h"
#include "tests/elastic/blocks.h"
#include "tests/elastic/calculix.h"

namespace sinew {
namespace {

using test::at;

// Less deep than wide, so that the first mode is bending in the direction of the force.
constexpr double beam_length = 1.0, beam_depth = 0.06, beam_width = 0.075;  // metres, along x, y and z
constexpr double force = 0.001;                                             // newtons, along -y

// Consistent mass matrix of linear shape functions, kilograms: rho V / 20 (1 + delta_ij) I per tetrahedron.
BlockMatrix consistent_mass_matrix(const TetrahedralMesh& mesh, const ElementFields& fields) {
  std::vector<int> elements;
  elements.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) elements.insert(elements.end(), t.begin(), t.end());
  BlockMatrix matrix = block_pattern(static_cast<int>(mesh.positions.size()), elements, 4);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& corner = mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
    const double share = fields.mass_density(t) * fields.inside(t) * volume(x(0), x(1), x(2), x(3)) / 20;
    for (const int i : corner)
      for (const int j : corner)
        matrix.block[static_cast<std::size_t>(find_block(matrix, i, j))] +=
            Mat3::identity() * (i == j ? 2 * share : share);
  }
  return matrix;
}

Material rubber(double poisson) { return {1e5, poisson, 1000}; }

struct Answer {
  double deflection, frequency;  // metres, hertz
};

class Scratch {
 public:
  explicit Scratch(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("sinew_" + name + "_" + std::to_string(::getpid()))) {}
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  const std::filesystem::path path;
};

test::Block beam(std::array<int, 3> cells) { return test::block(cells, {beam_length, beam_depth, beam_width}); }

std::vector<int> root(const test::Block& body) {
  std::vector<int> vertices;
  for (int j = 0; j <= body.cells[1]; ++j)
    for (int k = 0; k <= body.cells[2]; ++k) vertices.push_back(body.vertex(0, j, k));
  return vertices;
}

int middle_of_the_tip(const test::Block& body) {
  return body.vertex(body.cells[0], body.cells[1] / 2, body.cells[2] / 2);
}

// Faces of tetrahedra on the end at x = beam_length.
std::vector<std::array<int, 3>> tip_faces(const test::Block& body) {
  std::vector<std::array<int, 3>> faces;
  for (const Tetrahedron& t : body.mesh.tetrahedra) {
    std::vector<int> on_tip;
    for (const int v : t)
      if (body.mesh.positions[at(v)].x > beam_length - 1e-9) on_tip.push_back(v);
    if (on_tip.size() == 3) faces.push_back({on_tip[0], on_tip[1], on_tip[2]});
  }
  return faces;
}

// Uniform traction: all faces of the tip have the same area.
std::vector<Vec3> tip_load(const test::Block& body) {
  std::vector<Vec3> forces(body.mesh.positions.size());
  const auto faces = tip_faces(body);
  for (const auto& face : faces)
    for (const int v : face) forces[at(v)].y -= force / (3.0 * static_cast<double>(faces.size()));
  return forces;
}

Answer own(const test::Block& body, Element element, const Material& material, bool consistent_mass) {
  ElementFields fields;
  fields.material = material;
  const StrainSamples samples = strain_samples(body.mesh, element, fields);
  const std::vector<int> held = root(body);
  const auto displacement = linear_equilibrium(samples, tip_load(body), held);
  const BlockMatrix mass =
      consistent_mass ? consistent_mass_matrix(body.mesh, fields) : lumped_mass_matrix(lumped_mass(body.mesh, fields));
  const BlockMatrix stiffness = rest_stiffness(samples, static_cast<int>(body.mesh.positions.size()));
  return {-displacement[at(middle_of_the_tip(body))].y, vibration_modes(stiffness, mass, held, 1).frequency[0]};
}

std::optional<Answer> calculix(const test::Block& body, int nodes_per_element, const Material& material) {
  std::map<std::array<int, 2>, int> midside;
  test::CalculixModel model =
      nodes_per_element == 4 ? test::four_node_model(body.mesh) : test::ten_node_model(body.mesh, midside);
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    if (model.nodes[n].x < 1e-9) model.held.push_back(static_cast<int>(n));
  const auto faces = tip_faces(body);
  const double share = force / (3.0 * static_cast<double>(faces.size()));
  for (const auto& face : faces)
    for (std::size_t c = 0; c < 3; ++c) {
      // Of a uniform load on six nodes the corners carry nothing.
      const int a = face[c], b = face[(c + 1) % 3];
      const int node = nodes_per_element == 4 ? a : midside.at({std::min(a, b), std::max(a, b)});
      model.forces[at(node)].y -= share;
    }
  model.watched = middle_of_the_tip(body);
  model.modes = 2;
  const Scratch scratch("calculix" + std::to_string(nodes_per_element));
  const auto result = test::run_calculix(model, material, scratch.path);
  EXPECT_TRUE(result) << "CalculiX failed";
  if (!result) return std::nullopt;
  return Answer{-result->displacement.y, result->frequency[0]};
}

// Timoshenko's beam. Deflection P L^3 / 3 E I + P L / kappa A G, with Cowper's (1966) shear
// coefficient of a rectangle; frequency from Huang's (1961) equation for a clamped and a free end.
Answer timoshenko(const Material& material) {
  const double area = beam_depth * beam_width, inertia = beam_width * std::pow(beam_depth, 3) / 12,
               bending = material.young * inertia;
  const double kappa = 10 * (1 + material.poisson) / (12 + 11 * material.poisson);
  const double shear = kappa * area * lame_moduli(material.young, material.poisson).shear;
  const double r2 = inertia / (area * beam_length * beam_length), s2 = bending / (shear * beam_length * beam_length);
  const auto equation = [&](double b) {  // b^2 = rho A L^4 omega^2 / E I
    const double root = std::sqrt((r2 - s2) * (r2 - s2) + 4 / (b * b));
    const double alpha = std::sqrt((root - (r2 + s2)) / 2), beta = std::sqrt((root + (r2 + s2)) / 2);
    return 2 + (b * b * (r2 - s2) * (r2 - s2) + 2) * std::cosh(b * alpha) * std::cos(b * beta) -
           b * (r2 + s2) / std::sqrt(1 - b * b * r2 * s2) * std::sinh(b * alpha) * std::sin(b * beta);
  };
  double low = 1, high = 4;  // Euler and Bernoulli's beam: 1.875^2 = 3.516
  EXPECT_GT(equation(low) * -equation(high), 0);
  for (int i = 0; i < 60; ++i) (equation((low + high) / 2) * equation(low) > 0 ? low : high) = (low + high) / 2;
  return {force * std::pow(beam_length, 3) / (3 * bending) + force * beam_length / shear,
          low / (2 * std::numbers::pi) * std::sqrt(bending / (material.density * area * std::pow(beam_length, 4)))};
}

void print(const char* what, const Answer& answer, const Answer& reference) {
  std::cout << what << ": deflection " << 100 * (answer.deflection / reference.deflection - 1) << " %, frequency "
            << 100 * (answer.frequency / reference.frequency - 1) << " %\n";
}

void expect_near(const Answer& answer, const Answer& reference, double tolerance) {
  EXPECT_NEAR(answer.deflection, reference.deflection, tolerance * reference.deflection);
  EXPECT_NEAR(answer.frequency, reference.frequency, tolerance * reference.frequency);
}

bool calculix_is_missing() {
  if (test::calculix_is_there()) return false;
  std::cout << "skipped: no program ccx (package calculix-ccx)\n";
  return true;
}

// Same mesh, same element: the same numbers. CalculiX's mass matrix is consistent, so ours is here; what is
// left of the frequency (0.026 %) is that CalculiX integrates it with one point, rho V / 16 for all pairs of corners.
TEST(Cantilever, LinearTetrahedraAgreeWithCalculix) {
  if (calculix_is_missing()) return;
  for (const double poisson : {0.3, 0.45}) {
    const test::Block body = beam({20, 4, 4});
    const auto reference = calculix(body, 4, rubber(poisson));
    ASSERT_TRUE(reference);
    const Answer found = own(body, Element::linear, rubber(poisson), true);
    print("linear against C3D4", found, *reference);
    expect_near(found, *reference, 1e-3);
  }
}

TEST(Cantilever, DefaultElementAgreesWithQuadraticElementsAndBeamTheory) {
  const std::array<int, 3> coarse{30, 4, 4}, fine{100, 10, 10};
  for (const double poisson : {0.3, 0.45}) {
    const Answer found = own(beam(fine), Element::patch, rubber(poisson), false);
    print("patches against Timoshenko", found, timoshenko(rubber(poisson)));
    expect_near(found, timoshenko(rubber(poisson)), 0.02);
    if (calculix_is_missing()) continue;
    const auto reference = calculix(beam(coarse), 10, rubber(poisson));
    ASSERT_TRUE(reference);
    print("C3D10 against Timoshenko", *reference, timoshenko(rubber(poisson)));
    print("patches against C3D10", found, *reference);
    expect_near(found, *reference, 0.02);
  }
}

}  // namespace
}  // namespace sinew
