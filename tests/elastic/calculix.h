// The program CalculiX (ccx) as an independent reference: a body of tetrahedra with four or ten nodes,
// held at some nodes, loaded at others; its static displacement and lowest natural frequencies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sinew/elastic/material.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew::test {

struct CalculixModel {
  std::vector<Vec3> nodes;
  std::vector<std::vector<int>> elements;  // 4 or 10 nodes each; midside nodes in CalculiX's order
  std::vector<int> held;
  std::vector<Vec3> forces;  // per node, newtons
  int watched = 0;           // node whose displacement is wanted
  int modes = 0;             // natural frequencies wanted
  bool nonlinear = false;    // Green's strain (NLGEOM), the load in increments
};

struct CalculixResult {
  Vec3 displacement;              // of the watched node, metres
  std::vector<double> frequency;  // hertz
};

inline bool calculix_is_there() { return std::system("command -v ccx > /dev/null 2>&1") == 0; }

inline CalculixModel four_node_model(const TetrahedralMesh& mesh) {
  CalculixModel model;
  model.nodes = mesh.positions;
  for (const Tetrahedron& t : mesh.tetrahedra) model.elements.emplace_back(t.begin(), t.end());
  model.forces.resize(model.nodes.size());
  return model;
}

// The same tetrahedra with straight edges and a node in the middle of each. `midside` receives the node of each edge
// (smaller vertex first).
inline CalculixModel ten_node_model(const TetrahedralMesh& mesh, std::map<std::array<int, 2>, int>& midside) {
  CalculixModel model;
  model.nodes = mesh.positions;
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  for (const Tetrahedron& t : mesh.tetrahedra) {
    std::vector<int> element(t.begin(), t.end());
    for (const auto& edge : edges) {
      const int a = std::min(t[edge[0]], t[edge[1]]), b = std::max(t[edge[0]], t[edge[1]]);
      const auto [place, is_new] = midside.try_emplace({a, b}, static_cast<int>(model.nodes.size()));
      if (is_new)
        model.nodes.push_back(
            (mesh.positions[static_cast<std::size_t>(a)] + mesh.positions[static_cast<std::size_t>(b)]) * 0.5);
      element.push_back(place->second);
    }
    model.elements.push_back(std::move(element));
  }
  model.forces.resize(model.nodes.size());
  return model;
}

inline void write_calculix(const CalculixModel& model, const Material& material, const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fprintf(file, "*NODE, NSET=ALL\n");
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    std::fprintf(file, "%zu, %.12g, %.12g, %.12g\n", n + 1, model.nodes[n].x, model.nodes[n].y, model.nodes[n].z);
  std::fprintf(file, "*ELEMENT, TYPE=C3D%zu, ELSET=BODY\n", model.elements.front().size());
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    std::fprintf(file, "%zu", e + 1);
    for (const int n : model.elements[e]) std::fprintf(file, ", %d", n + 1);
    std::fprintf(file, "\n");
  }
  std::fprintf(file, "*NSET, NSET=HELD\n");
  for (const int n : model.held) std::fprintf(file, "%d\n", n + 1);
  std::fprintf(file, "*NSET, NSET=WATCHED\n%d\n", model.watched + 1);
  std::fprintf(file, "*MATERIAL, NAME=FLESH\n*ELASTIC\n%.12g, %.12g\n*DENSITY\n%.12g\n", material.young,
               material.poisson, material.density);
  std::fprintf(file, "*SOLID SECTION, ELSET=BODY, MATERIAL=FLESH\n*BOUNDARY\nHELD, 1, 3\n");
  std::fprintf(file,
               model.nonlinear ? "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1\n*CLOAD\n" : "*STEP\n*STATIC\n*CLOAD\n");
  for (std::size_t n = 0; n < model.forces.size(); ++n)
    for (std::size_t c = 0; c < 3; ++c)
      if (model.forces[n][c] != 0) std::fprintf(file, "%zu, %zu, %.12g\n", n + 1, c + 1, model.forces[n][c]);
  std::fprintf(file, "*NODE PRINT, NSET=WATCHED, FREQUENCY=1000\nU\n*END STEP\n");
  if (model.modes > 0) std::fprintf(file, "*STEP\n*FREQUENCY\n%d\n*END STEP\n", model.modes);
  std::fclose(file);
}

// Nothing where CalculiX fails; its own words are in ccx.log in `folder`.
inline std::optional<CalculixResult> run_calculix(const CalculixModel& model, const Material& material,
                                                  const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_calculix(model, material, folder / "model.inp");
  const std::string command = "cd '" + folder.string() + "' && OMP_NUM_THREADS=1 ccx -i model > ccx.log 2>&1";
  if (std::system(command.c_str()) != 0) return std::nullopt;

  CalculixResult result;
  bool has_displacement = false;
  std::ifstream in(folder / "model.dat");
  std::string line;
  enum { nothing, displacement, frequency } reading = nothing;
  while (std::getline(in, line)) {
    // The first are those of the static step; those of the modes follow.
    if (line.find("displacements") != std::string::npos) reading = has_displacement ? nothing : displacement;
    if (line.find("E I G E N V A L U E") != std::string::npos) reading = frequency;
    if (line.find("P A R T I C I P A T I O N") != std::string::npos) reading = nothing;
    std::istringstream words(line);
    int number = 0;
    double a = 0, b = 0, c = 0;
    if (!(words >> number >> a >> b >> c)) continue;
    if (reading == displacement) result.displacement = {a, b, c}, has_displacement = true, reading = nothing;
    if (reading == frequency) result.frequency.push_back(c);  // number, eigenvalue, rad/s, Hz
  }
  if (!has_displacement || result.frequency.size() < static_cast<std::size_t>(model.modes)) return std::nullopt;
  return result;
}

}  // namespace sinew::test
