#include "studies/capell/open_mouth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/elastic/linear_constraints.h"
#include "sinew/elastic/shared_strain.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/krylov/projected_conjugate_gradients.h"
#include "sinew/mesh/control_lattice/point_values.h"

namespace sinew {
namespace {

// Metres: the throat is x < throat; the jaws are y < jaw and y > height - jaw.
constexpr double length = 0.6, mouth_height = 0.34, mouth_width = 0.12, throat = 0.12, jaw = 0.14;
constexpr Vec3 tip_displacement{0.04, 0.08, 0};  // of the upper tip; the lower one goes down

bool inside(const Vec3& p) { return p.x < throat || p.y < jaw || p.y > mouth_height - jaw; }

std::vector<double> even(double to, int cells) {
  std::vector<double> planes;
  for (int k = 0; k <= cells; ++k) planes.push_back(to * k / cells);
  return planes;
}

// Boxes between planes, without those that are empty.
ControlLattice box_lattice(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
  const auto ny = static_cast<int>(y.size()), nz = static_cast<int>(z.size());
  ControlLattice lattice;
  std::vector<int> number(x.size() * y.size() * z.size(), -1);
  const auto at = [&](std::size_t i, std::size_t j, std::size_t k) {
    int& n = number[(i * static_cast<std::size_t>(ny) + j) * static_cast<std::size_t>(nz) + k];
    if (n < 0) {
      n = static_cast<int>(lattice.positions.size());
      lattice.positions.push_back({x[i], y[j], z[k]});
    }
    return n;
  };
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
      constexpr double near = 1e-9;
      const bool empty = x[i] > throat - near && y[j] > jaw - near && y[j + 1] < mouth_height - jaw + near;
      for (std::size_t k = 0; !empty && k + 1 < z.size(); ++k)
        add_hexahedron(lattice, {at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1),
                                 at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)});
    }
  return lattice;
}

std::vector<double> fill_of(const TetrahedralMesh& mesh) {
  constexpr int samples = 64;
  std::vector<double> fill;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    int count = 0;
    for (int s = 1; s <= samples; ++s) {
      // Points of a low discrepancy sequence, folded into the tetrahedron by sorting.
      double u[3] = {std::fmod(s * 0.8191725134, 1.0), std::fmod(s * 0.6710436067, 1.0),
                     std::fmod(s * 0.5497004779, 1.0)};
      std::sort(u, u + 3);
      const double weight[4] = {u[0], u[1] - u[0], u[2] - u[1], 1 - u[2]};
      Vec3 p;
      for (std::size_t c = 0; c < 4; ++c) p += weight[c] * mesh.positions[static_cast<std::size_t>(t[c])];
      count += inside(p);
    }
    fill.push_back(static_cast<double>(count) / samples);
  }
  return fill;
}

struct Handles {
  std::vector<Vec3> place, move;
};
Handles handles() {
  const double middle = 0.5 * mouth_width, tip = length - 0.01;
  return {{{0.01, 0.02, 0.02},
           {0.01, 0.02, mouth_width - 0.02},
           {0.01, mouth_height - 0.02, 0.02},
           {0.01, mouth_height - 0.02, mouth_width - 0.02},
           {tip, 0.5 * jaw, middle},
           {tip, mouth_height - 0.5 * jaw, middle}},
          {{}, {}, {}, {}, {tip_displacement.x, -tip_displacement.y, 0}, tip_displacement}};
}

// Points of the body at which solutions are compared.
std::vector<Vec3> probes() {
  std::vector<Vec3> result;
  for (double x = 0.01; x < length; x += 0.02)
    for (double y = 0.01; y < mouth_height; y += 0.02)
      for (const double z : {0.01, 0.5 * mouth_width, mouth_width - 0.01})
        if (inside({x, y, z})) result.push_back({x, y, z});
  return result;
}

// The body's surface in squares of a centimetre.
TriangleMesh body_surface() {
  constexpr double edge = 0.01;
  const auto planes = [&](double to) { return static_cast<int>(std::lround(to / edge)); };
  const int n[3] = {planes(length), planes(mouth_height), planes(mouth_width)};
  TriangleMesh mesh;
  std::map<std::array<int, 3>, int> number;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [entry, is_new] = number.try_emplace(at, static_cast<int>(mesh.positions.size()));
    if (is_new) mesh.positions.push_back({at[0] * edge, at[1] * edge, at[2] * edge});
    return entry->second;
  };
  const auto full = [&](const std::array<int, 3>& cell) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell[axis] < 0 || cell[axis] >= n[axis]) return false;
    return inside({(cell[0] + 0.5) * edge, (cell[1] + 0.5) * edge, (cell[2] + 0.5) * edge});
  };
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k) {
        const std::array<int, 3> cell{i, j, k};
        if (!full(cell)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            std::array<int, 3> beyond = cell;
            beyond[axis] += side == 1 ? 1 : -1;
            if (full(beyond)) continue;
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            std::array<int, 3> corner[4] = {cell, cell, cell, cell};
            for (std::array<int, 3>& c : corner) c[axis] += side;
            ++corner[1][u], ++corner[2][u], ++corner[2][v], ++corner[3][v];
            if (side == 0) std::swap(corner[1], corner[3]);
            const int q[4] = {vertex(corner[0]), vertex(corner[1]), vertex(corner[2]), vertex(corner[3])};
            mesh.triangles.push_back({q[0], q[1], q[2]});
            mesh.triangles.push_back({q[0], q[2], q[3]});
          }
      }
  return mesh;
}

struct Solution {
  int cells = 0, unknowns = 0;
  std::vector<Vec3> displacement;  // of probes()
  std::vector<Vec3> surface;       // of body_surface(), where its vertices are
  double energy = 0;
};

Solution solve(const ControlLattice& lattice) {
  const LatticeGrid grid = lattice_grid(lattice, SubdivisionScheme::trilinear, 1);
  const TetrahedralMesh& mesh = grid.tetrahedra.mesh;
  const std::vector<double> fill = fill_of(mesh);
  ElementFields fields;
  fields.material = {1e5, 0.4, 1000};
  fields.inside_fraction = fill;
  std::vector<int> tetrahedron, cell;
  const StrainSamples samples = basis_strain_samples(mesh, grid.basis, fields, tetrahedron);
  for (const int t : tetrahedron) cell.push_back(grid.cell[static_cast<std::size_t>(t)]);
  const auto functions = static_cast<int>(grid.functions());
  const BlockMatrix stiffness = rest_stiffness(share_strain(samples, cell, 0), functions);
  const auto rows_at = [&](const std::vector<Vec3>& places) {
    return point_values(embed_points(mesh, places), mesh, grid.values);
  };
  const Handles held = handles();
  const LinearConstraints constraints(rows_at(held.place));
  std::vector<double> q(3 * static_cast<std::size_t>(functions), 0.0), product(q.size());
  constraints.meet(held.move, std::span<double>(q));
  const std::vector<double> no_force(q.size(), 0.0);
  KrylovOptions options;
  options.tolerance = 1e-7;
  options.max_iterations = 20000;
  const LinearOperator matrix = [&](std::span<const double> from, std::span<double> to) {
    multiply(stiffness, from, to);
  };
  ProjectedConjugateGradients().solve(matrix, {}, constraints.projection(), no_force, q, options);
  Solution result;
  result.cells = static_cast<int>(lattice.cells());
  result.unknowns = 3 * functions;
  multiply(stiffness, q, product);
  for (std::size_t k = 0; k < q.size(); ++k) result.energy += 0.5 * q[k] * product[k];
  std::vector<Vec3> coefficients(static_cast<std::size_t>(functions));
  for (std::size_t f = 0; f < coefficients.size(); ++f) coefficients[f] = {q[3 * f], q[3 * f + 1], q[3 * f + 2]};
  const std::vector<Vec3> places = probes();
  result.displacement.resize(places.size());
  multiply(rows_at(places), coefficients, result.displacement);
  result.surface = body_surface().positions;
  std::vector<Vec3> moved(result.surface.size());
  multiply(rows_at(result.surface), coefficients, moved);
  for (std::size_t v = 0; v < moved.size(); ++v) result.surface[v] += moved[v];
  return result;
}

}  // namespace

MouthExperiment mouth_experiment(const Progress& progress) {
  report_or_stop(progress, "opening a mouth", 0);
  const Solution fine = solve(box_lattice(even(length, 60), even(mouth_height, 34), even(mouth_width, 6)));
  MouthExperiment result;
  result.rest = body_surface();
  result.tip_displacement = norm(tip_displacement);
  const auto add = [&](const char* name, const Solution& s) {
    result.surfaces.push_back(s.surface);
    MouthRow& row = result.rows.emplace_back();
    row.lattice = name;
    row.cells = s.cells;
    row.unknowns = s.unknowns;
    row.energy = s.energy / fine.energy;
    double sum = 0;
    for (std::size_t p = 0; p < s.displacement.size(); ++p) {
      const double d = distance(s.displacement[p], fine.displacement[p]) / norm(tip_displacement);
      row.largest = std::max(row.largest, d);
      sum += d * d;
    }
    row.rms = std::sqrt(sum / static_cast<double>(s.displacement.size()));
  };
  add("regular grid, 4 x 4 x 4", solve(box_lattice(even(length, 4), even(mouth_height, 4), even(mouth_width, 4))));
  add("regular grid, 8 x 4 x 2", solve(box_lattice(even(length, 8), even(mouth_height, 4), even(mouth_width, 2))));
  add("regular grid, 14 x 8 x 2", solve(box_lattice(even(length, 14), even(mouth_height, 8), even(mouth_width, 2))));
  add("fitted lattice",
      solve(box_lattice({0, throat, 0.28, 0.44, length},
                        {0, 0.5 * jaw, jaw, mouth_height - jaw, mouth_height - 0.5 * jaw, mouth_height},
                        even(mouth_width, 2))));
  add("fine grid that meets the gap", fine);
  return result;
}

}  // namespace sinew
