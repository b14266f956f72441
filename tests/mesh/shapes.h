// Surfaces with known answers, for the tests of mesh/.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew::test {

inline constexpr double pi = 3.14159265358979323846;

// A closed surface of revolution type: rings of `around` vertices at `along` + 1 stations, closed by a
// vertex at either end. center(t), radius(t) and the frame's axes follow t in [0, 1].
inline TriangleMesh tube(int along, int around, const std::function<Vec3(double)>& center,
                         const std::function<double(double)>& radius, const std::function<Vec3(double)>& side,
                         const Vec3& first_pole, const Vec3& last_pole, const Vec3& up) {
  TriangleMesh mesh;
  for (int i = 0; i <= along; ++i) {
    const double t = double(i) / along;
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * pi * j / around;
      mesh.positions.push_back(center(t) + radius(t) * (std::cos(angle) * side(t) + std::sin(angle) * up));
    }
  }
  const auto at = [&](int i, int j) { return i * around + j % around; };
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < around; ++j) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  const int first = static_cast<int>(mesh.positions.size());
  mesh.positions.push_back(first_pole);
  mesh.positions.push_back(last_pole);
  for (int j = 0; j < around; ++j) {
    mesh.triangles.push_back({first, at(0, j + 1), at(0, j)});
    mesh.triangles.push_back({first + 1, at(along, j), at(along, j + 1)});
  }
  return mesh;
}

inline double signed_volume(const TriangleMesh& mesh) {
  double v = 0;
  for (const Triangle& t : mesh.triangles)
    v += dot(mesh.positions[static_cast<std::size_t>(t[0])],
             cross(mesh.positions[static_cast<std::size_t>(t[1])], mesh.positions[static_cast<std::size_t>(t[2])])) /
         6;
  return v;
}

inline void reverse(TriangleMesh& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

inline TriangleMesh outward(TriangleMesh mesh) {
  if (signed_volume(mesh) < 0) reverse(mesh);
  return mesh;
}

// A tube of one radius that stands on the origin, along y.
inline TriangleMesh upright_tube(int along, int around, double height, double radius) {
  return outward(tube(
      along, around,
      [=](double t) {
        return Vec3{0, t * height, 0};
      },
      [=](double) { return radius; },
      [](double) {
        return Vec3{1, 0, 0};
      },
      {0, 0, 0}, {0, height, 0}, {0, 0, 1}));
}

// Capsule along x from `a` to `b` (distance between the centres of its caps), any direction.
inline TriangleMesh capsule(const Vec3& a, const Vec3& b, double radius, int around = 24, int along = 24) {
  const Vec3 axis = normalized(b - a);
  const Vec3 side = normalized(std::fabs(axis.x) < 0.9 ? cross(axis, Vec3{1, 0, 0}) : cross(axis, Vec3{0, 1, 0}));
  const Vec3 up = cross(axis, side);
  const double length = distance(a, b), total = length + pi * radius;
  // t runs along the profile: quarter circle, line, quarter circle.
  const auto profile = [=](double t) -> std::pair<double, double> {
    const double s = (0.02 + 0.96 * t) * total, quarter = pi * radius / 2;
    if (s < quarter) return {-radius * std::cos(s / radius), radius * std::sin(s / radius)};
    if (s < quarter + length) return {s - quarter, radius};
    const double angle = (s - quarter - length) / radius;
    return {length + radius * std::sin(angle), radius * std::cos(angle)};
  };
  return outward(tube(
      along, around, [=](double t) { return a + profile(t).first * axis; }, [=](double t) { return profile(t).second; },
      [=](double) { return side; }, a - radius * axis, b + radius * axis, up));
}

inline TriangleMesh sphere(const Vec3& center, double radius, int around = 32) {
  return capsule(center - Vec3{1e-9, 0, 0}, center + Vec3{1e-9, 0, 0}, radius, around, around / 2);
}

// A U in the plane z = 0: two legs of length `leg` along -y, their axes 2 `bend` apart, joined by a half circle.
inline TriangleMesh u_tube(double leg, double bend, double radius) {
  const double total = 2 * leg + pi * bend;
  const auto center = [=](double t) -> Vec3 {
    const double s = t * total;
    if (s < leg) return {-bend, s - leg, 0};
    if (s > leg + pi * bend) return {bend, total - s - leg, 0};
    const double angle = (s - leg) / bend;
    return {-bend * std::cos(angle), bend * std::sin(angle), 0};
  };
  const auto side = [=](double t) -> Vec3 {
    const double s = t * total;
    if (s < leg) return {-1, 0, 0};
    if (s > leg + pi * bend) return {1, 0, 0};
    const double angle = (s - leg) / bend;
    return {-std::cos(angle), std::sin(angle), 0};
  };
  return outward(
      tube(96, 24, center, [=](double) { return radius; }, side, {-bend, -leg, 0}, {bend, -leg, 0}, {0, 0, 1}));
}

// Open n x n sheet, side 1 in the plane z = 0, bent by a function.
inline TriangleMesh sheet(int n, const std::function<Vec3(double, double)>& place) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) mesh.positions.push_back(place(double(i) / n, double(j) / n));
  const auto at = [n](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

inline TriangleMesh box(const Vec3& lower, const Vec3& upper) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back({i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

inline void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const int offset = static_cast<int>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const Triangle& t : other.triangles) mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

// The folder of real characters, or empty with one line of explanation.
inline std::filesystem::path characters() {
  const char* variable = std::getenv("SINEW_CHARACTERS");
  const std::filesystem::path folder = variable ? variable : SINEW_SOURCE_DIR "/../shared/characters";
  if (std::filesystem::exists(folder)) return folder;
  std::cout << "skipped: no characters at " << folder << '\n';
  return {};
}

// Vertices and faces of an OBJ file, faces as fans.
inline TriangleMesh read_simple_obj(const std::filesystem::path& path) {
  TriangleMesh mesh;
  std::ifstream in(path);
  std::string line, key, word;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    words >> key;
    if (line.empty()) continue;
    if (key == "v") {
      Vec3 p;
      words >> p.x >> p.y >> p.z;
      mesh.positions.push_back(p);
    } else if (key == "f") {
      std::vector<int> face;
      while (words >> word) {
        const int i = std::atoi(word.c_str());
        face.push_back(i > 0 ? i - 1 : static_cast<int>(mesh.positions.size()) + i);
      }
      for (std::size_t k = 2; k < face.size(); ++k) mesh.triangles.push_back({face[0], face[k - 1], face[k]});
    }
    key.clear();
  }
  return mesh;
}

}  // namespace sinew::test
