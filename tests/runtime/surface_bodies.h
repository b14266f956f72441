// Surface models made by formula, and what engines do around the run-time: for tests and benchmarks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/sinew_runtime.h"
#include "sinew/deform/surface/runtime_file.h"

namespace sinew::test {

using Triangles = std::vector<std::array<int, 3>>;

// Neighbours from triangles, normals by area, everything else empty or by default.
inline void set_surface(SurfaceModel& model, const Triangles& triangles) {
  const std::size_t n = model.rest.size();
  std::vector<std::vector<int>> neighbours(n);
  model.normals.assign(n, {});
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::size_t>(t[k]), b = static_cast<std::size_t>(t[(k + 1) % 3]),
                 c = static_cast<std::size_t>(t[(k + 2) % 3]);
      neighbours[a].push_back(t[(k + 1) % 3]);
      neighbours[a].push_back(t[(k + 2) % 3]);
      model.normals[a] += cross(model.rest[b] - model.rest[a], model.rest[c] - model.rest[a]);
    }
  model.first_neighbour.assign(1, 0);
  model.neighbours.clear();
  for (std::size_t v = 0; v < n; ++v) {
    std::sort(neighbours[v].begin(), neighbours[v].end());
    neighbours[v].erase(std::unique(neighbours[v].begin(), neighbours[v].end()), neighbours[v].end());
    model.neighbours.insert(model.neighbours.end(), neighbours[v].begin(), neighbours[v].end());
    model.first_neighbour.push_back(static_cast<int>(model.neighbours.size()));
    model.normals[v] = normalized(model.normals[v]);
  }
  model.influences.resize(n);
  model.parameters.resize(n);
  model.first_spoke.assign(n + 1, 0);
}

inline Influences influence(std::initializer_list<std::pair<int, double>> pairs) {
  Influences influences;
  for (const auto& [joint, weight] : pairs) {
    influences.joint[static_cast<std::size_t>(influences.count)] = joint;
    influences.weight[static_cast<std::size_t>(influences.count++)] = weight;
  }
  return influences;
}

// One spoke to the first segment of each influence's bone, with its weight.
inline void set_spokes(SurfaceModel& model) {
  model.spokes.clear();
  model.first_spoke.assign(1, 0);
  for (const Influences& influences : model.influences) {
    double sum = 0;
    const std::size_t first = model.spokes.size();
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
      for (std::size_t s = 0; s < model.segments.size(); ++s)
        if (model.segments[s].bone == influences.joint[k]) {
          model.spokes.push_back({static_cast<int>(s), influences.weight[k]});
          sum += influences.weight[k];
          break;
        }
    for (std::size_t i = first; i < model.spokes.size(); ++i) model.spokes[i].weight /= sum;
    model.first_spoke.push_back(static_cast<int>(model.spokes.size()));
  }
}

// A square sheet of columns x rows vertices in the plane y = 0, `spacing` apart, on one bone along x that has no
// segment.
inline SurfaceModel sheet(int columns, int rows, double spacing = 0.02) {
  SurfaceModel model;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) model.rest.push_back({c * spacing, 0, r * spacing});
  Triangles triangles;
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c + 1 < columns; ++c) {
      const int v = r * columns + c;
      triangles.push_back({v, v + columns, v + 1});
      triangles.push_back({v + 1, v + columns, v + columns + 1});
    }
  set_surface(model, triangles);
  model.bones.push_back({"sheet", {}});
  std::fill(model.influences.begin(), model.influences.end(), influence({{0, 1}}));
  model.parts.push_back({"sheet", {}});
  for (std::size_t v = 0; v < model.rest.size(); ++v) model.parts[0].vertex_of.push_back(static_cast<int>(v));
  model.height = std::max(columns, rows) * spacing;
  return model;
}

// A tube along y from 0 to `length`, with a cap's vertex at either end, on `bones` bones in a chain that blend at their
// joints. Its part has a seam: the first column of vertices comes twice.
inline SurfaceModel tube(int rings, int columns, int bones = 2, double length = 1, double radius = 0.15) {
  SurfaceModel model;
  for (int r = 0; r < rings; ++r)
    for (int c = 0; c < columns; ++c) {
      const double angle = 2 * std::numbers::pi * c / columns;
      model.rest.push_back({radius * std::cos(angle), length * r / (rings - 1), radius * std::sin(angle)});
    }
  const int bottom = rings * columns, top = bottom + 1;
  model.rest.push_back({0, -0.3 * radius, 0});
  model.rest.push_back({0, length + 0.3 * radius, 0});
  Triangles triangles;
  for (int r = 0; r + 1 < rings; ++r)
    for (int c = 0; c < columns; ++c) {
      const int a = r * columns + c, b = r * columns + (c + 1) % columns;
      triangles.push_back({a, a + columns, b});
      triangles.push_back({b, a + columns, b + columns});
    }
  for (int c = 0; c < columns; ++c) {
    const int next = (c + 1) % columns;
    triangles.push_back({bottom, c, next});
    triangles.push_back({top, (rings - 1) * columns + next, (rings - 1) * columns + c});
  }
  set_surface(model, triangles);
  const double bone_length = length / bones;
  for (int b = 0; b < bones; ++b) {
    Affine rest_to_joint;
    rest_to_joint.translation = {0, -b * bone_length, 0};
    model.bones.push_back({"bone " + std::to_string(b), rest_to_joint});
    model.segments.push_back({b, {0, b * bone_length, 0}, {0, (b + 1) * bone_length, 0}});
  }
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    const double along = std::clamp(model.rest[v].y / bone_length, 0.0, static_cast<double>(bones));
    const int nearest = std::min(static_cast<int>(along), bones - 1);
    const double within = along - nearest;  // [0, 1] of its bone: blends over a quarter at either end
    if (within < 0.25 && nearest > 0)
      model.influences[v] = influence({{nearest, 0.5 + 2 * within}, {nearest - 1, 0.5 - 2 * within}});
    else if (within > 0.75 && nearest + 1 < bones)
      model.influences[v] = influence({{nearest, 2.5 - 2 * within}, {nearest + 1, 2 * within - 1.5}});
    else
      model.influences[v] = influence({{nearest, 1}});
  }
  set_spokes(model);
  model.parts.push_back({"tube", {}});
  for (std::size_t v = 0; v < model.rest.size(); ++v) model.parts[0].vertex_of.push_back(static_cast<int>(v));
  for (int r = 0; r < rings; ++r) model.parts[0].vertex_of.push_back(r * columns);
  model.height = length;
  return model;
}

// A sphere of 10 * 4^level + 2 vertices around the origin, on one bone along x within it.
inline SurfaceModel sphere(int level, double radius = 0.5) {
  SurfaceModel model;
  const double golden = (1 + std::sqrt(5.0)) / 2;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-golden, golden}) {
      model.rest.push_back({0, s, t});
      model.rest.push_back({s, t, 0});
      model.rest.push_back({t, 0, s});
    }
  Triangles triangles;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c) {
        const auto p = [&](int i) { return model.rest[static_cast<std::size_t>(i)]; };
        if (distance(p(a), p(b)) > 2.1 || distance(p(b), p(c)) > 2.1 || distance(p(a), p(c)) > 2.1) continue;
        if (dot(cross(p(b) - p(a), p(c) - p(a)), p(a)) > 0)
          triangles.push_back({a, b, c});
        else
          triangles.push_back({a, c, b});
      }
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<int, int>, int> middle;
    const auto between = [&](int a, int b) {
      const auto [at, is_new] = middle.try_emplace(std::minmax(a, b), static_cast<int>(model.rest.size()));
      if (is_new) {
        const Vec3 p = model.rest[static_cast<std::size_t>(a)] + model.rest[static_cast<std::size_t>(b)];
        model.rest.push_back(p * 0.5);
      }
      return at->second;
    };
    Triangles finer;
    for (const auto& [a, b, c] : triangles) {
      const int ab = between(a, b), bc = between(b, c), ca = between(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  for (Vec3& p : model.rest) p = normalized(p) * radius;
  set_surface(model, triangles);
  model.bones.push_back({"middle", {}});
  model.segments.push_back({0, {-radius / 2, 0, 0}, {radius / 2, 0, 0}});
  std::fill(model.influences.begin(), model.influences.end(), influence({{0, 1}}));
  set_spokes(model);
  model.parts.push_back({"sphere", {}});
  for (std::size_t v = 0; v < model.rest.size(); ++v) model.parts[0].vertex_of.push_back(static_cast<int>(v));
  model.height = 2 * radius;
  return model;
}

inline void set_parameters(SurfaceModel& model, const VertexParameters& parameters) {
  std::fill(model.parameters.begin(), model.parameters.end(), parameters);
}

// Restoration that differs between directions, another at every vertex.
inline void set_shapes(SurfaceModel& model) {
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    const double a = 0.7 * static_cast<double>(v);
    model.shape.push_back({1 + 0.8 * std::sin(a), 1, 1 - 0.8 * std::sin(a), 0.3 * std::cos(a), 0.2, -0.1});
  }
}

// Soft flesh that swings for half a second or so. Without lambda or delta the forces of neighbours, which have no
// counterparts, may feed motion (docs/runtime.md).
inline constexpr VertexParameters soft{0.02, 0.3, 0.1, 0.2, 0.03};

// ---- the run-time with memory of its own ----

struct FreeAligned {
  void operator()(void* p) const { ::operator delete(p, std::align_val_t(SINEW_ALIGNMENT)); }
};
using Aligned = std::unique_ptr<void, FreeAligned>;
inline Aligned aligned(std::size_t bytes) {
  return Aligned(::operator new(std::max<std::size_t>(bytes, 1), std::align_val_t(SINEW_ALIGNMENT)));
}

inline void must(sinew_status status) {
  if (status != SINEW_OK) throw std::runtime_error(sinew_sentence(status));
}

struct RuntimeModel {
  explicit RuntimeModel(const std::vector<std::byte>& file) {
    std::size_t bytes = 0;
    must(sinew_model_memory(file.data(), file.size(), &bytes));
    memory = aligned(bytes);
    must(sinew_model_open(file.data(), file.size(), memory.get(), bytes, &model));
  }
  explicit RuntimeModel(const SurfaceModel& source) : RuntimeModel(cook_runtime_file(source)) {}

  Aligned memory;
  const sinew_model* model = nullptr;
};

struct RuntimeBody {
  explicit RuntimeBody(const RuntimeModel& of) {
    const std::size_t bytes = sinew_body_memory(of.model);
    memory = aligned(bytes);
    must(sinew_body_create(of.model, memory.get(), bytes, &body));
    sinew_model_facts facts;
    sinew_model_get_facts(of.model, &facts);
    vertices = facts.vertices;
  }
  std::vector<Vec3> positions() const {
    std::vector<float> flat(3 * vertices);
    must(sinew_body_shape(body, SINEW_ALL_VERTICES, flat.data(), 12, nullptr, 0));
    return widened(flat);
  }
  std::vector<Vec3> normals() const {
    std::vector<float> flat(3 * vertices);
    must(sinew_body_shape(body, SINEW_ALL_VERTICES, nullptr, 0, flat.data(), 12));
    return widened(flat);
  }
  std::vector<Vec3> velocities() const {
    std::vector<float> flat(3 * vertices);
    must(sinew_body_velocities(body, SINEW_ALL_VERTICES, flat.data(), 12));
    return widened(flat);
  }

  Aligned memory;
  sinew_body* body = nullptr;
  std::size_t vertices = 0;

 private:
  static std::vector<Vec3> widened(const std::vector<float>& flat) {
    std::vector<Vec3> wide;
    for (std::size_t i = 0; i + 2 < flat.size(); i += 3) wide.push_back({flat[i], flat[i + 1], flat[i + 2]});
    return wide;
  }
};

using Bones = std::vector<float>;

inline void append_bone(Bones& bones, const Affine& matrix) {
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) bones.push_back(static_cast<float>(matrix.linear(row, column)));
    bones.push_back(static_cast<float>(matrix.translation[row]));
  }
}

inline Bones to_bones(const std::vector<Affine>& matrices) {
  Bones bones;
  for (const Affine& matrix : matrices) append_bone(bones, matrix);
  return bones;
}

inline Bones rest_bones(const SurfaceModel& model) { return to_bones(std::vector<Affine>(model.bones.size())); }

inline Affine turned(const Vec3& axis, double radians, const Vec3& about = {}) {
  const Mat3 linear = to_matrix(axis_angle(normalized(axis), radians));
  return {linear, about - linear * about};
}

// A chain that bends by `radians` at each joint of tube(), and moves by `offset`.
inline Bones bent(const SurfaceModel& model, double radians, const Vec3& offset = {}) {
  std::vector<Affine> matrices;
  Affine matrix;
  matrix.translation = offset;
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    if (b > 0) matrix = matrix * turned({0, 0, 1}, radians, model.segments[b].head);
    matrices.push_back(matrix);
  }
  return to_bones(matrices);
}

}  // namespace sinew::test
