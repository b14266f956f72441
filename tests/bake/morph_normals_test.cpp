// Offsets of tangents against known answers.
#include "sinew/bake/output/morph_normals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

constexpr int sheet_columns = 9, sheet_rows = 7;

std::size_t sheet_vertex(int column, int row) { return static_cast<std::size_t>(row * sheet_columns + column); }

// A grid of one unit, of this height, with the normals of its triangles. Texture coordinates are mirrored at a seam in
// the middle, whose vertices are there twice.
Part sheet(double height) {
  Part part;
  std::vector<Vec3>& positions = part.surface.positions;
  for (int row = 0; row < sheet_rows; ++row)
    for (int column = 0; column < sheet_columns; ++column) {
      const double x = static_cast<double>(column) / (sheet_columns - 1),
                   y = static_cast<double>(row) / (sheet_rows - 1);
      positions.push_back({x, y, height * std::sin(4 * x + 1) * std::cos(3 * y)});
    }
  const auto corner = [](int column, int row) { return static_cast<int>(sheet_vertex(column, row)); };
  for (int row = 0; row + 1 < sheet_rows; ++row)
    for (int column = 0; column + 1 < sheet_columns; ++column) {
      part.surface.triangles.push_back({corner(column, row), corner(column + 1, row), corner(column + 1, row + 1)});
      part.surface.triangles.push_back({corner(column, row), corner(column + 1, row + 1), corner(column, row + 1)});
    }
  for (const Vec3& area : vertex_area_vectors(positions, part.surface.triangles))
    part.normals.push_back(normalized(area));
  for (int row = 0; row < sheet_rows; ++row) {
    const std::size_t seam = sheet_vertex(sheet_columns / 2, row);
    for (Triangle& triangle : part.surface.triangles)
      if (positions[static_cast<std::size_t>(triangle[0])].x >= 0.5)
        for (int& v : triangle)
          if (v == static_cast<int>(seam)) v = static_cast<int>(positions.size());
    positions.push_back(positions[seam]);
    part.normals.push_back(part.normals[seam]);
  }
  return part;
}

// Unit tangents across the normals, towards +X; beyond the seam away from it.
std::vector<Vec3> tangents_of(const Part& part) {
  std::vector<Vec3> tangents;
  for (std::size_t v = 0; v < part.normals.size(); ++v) {
    const bool mirrored =
        v >= static_cast<std::size_t>(sheet_columns * sheet_rows) || part.surface.positions[v].x > 0.5;
    const Vec3 along{mirrored ? -1.0 : 1.0, 0.3, 0};
    tangents.push_back(normalized(along - dot(along, part.normals[v]) * part.normals[v]));
  }
  return tangents;
}

struct MovedSheet {
  std::vector<Vec3> tangents, normals;
  std::vector<float> tangent_offsets;
};

template <class Map>
MovedSheet moved_sheet(const Part& part, const Map& map) {
  std::vector<float> position;
  for (const Vec3& x : part.surface.positions) {
    const Vec3 offset = map(x) - x;
    for (std::size_t k = 0; k < 3; ++k) position.push_back(static_cast<float>(offset[k]));
  }
  const std::vector<float> normal = normal_offsets(part, position);
  MovedSheet result{tangents_of(part), part.normals, tangent_offsets(part, tangents_of(part), position, normal)};
  for (std::size_t v = 0; v < result.normals.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) {
      result.normals[v][k] += static_cast<double>(normal[3 * v + k]);
      result.tangents[v][k] += static_cast<double>(result.tangent_offsets[3 * v + k]);
    }
  return result;
}

TEST(MorphNormals, TangentsTurnWithASurfaceThatIsTurned) {
  const Part part = sheet(0.2);
  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), 1.9));
  const MovedSheet result = moved_sheet(part, [&](const Vec3& x) { return turn * x + Vec3{0.5, 1, -2}; });
  const std::vector<Vec3> before = tangents_of(part);
  for (std::size_t v = 0; v < before.size(); ++v) {
    EXPECT_LT(distance(result.normals[v], turn * part.normals[v]), 1e-5) << v;
    EXPECT_LT(distance(result.tangents[v], turn * before[v]), 1e-5) << v;
  }
}

// A turn in the plane, which leaves normals as they are.
TEST(MorphNormals, TangentsTurnInTheirPlane) {
  const Part part = sheet(0);
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, 0.7));
  const MovedSheet result = moved_sheet(part, [&](const Vec3& x) { return turn * x; });
  const std::vector<Vec3> before = tangents_of(part);
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT(distance(result.tangents[v], turn * before[v]), 1e-5) << v;
}

// A linear map of a plane takes lines on the surface to where it takes their direction.
TEST(MorphNormals, TangentsFollowStretchAndShear) {
  const Part part = sheet(0);
  const Mat3 map{{1.5, 0.4, 0, -0.2, 0.8, 0, 0.6, 0.3, 1}};
  const MovedSheet result = moved_sheet(part, [&](const Vec3& x) { return map * x; });
  const std::vector<Vec3> before = tangents_of(part);
  for (std::size_t v = 0; v < before.size(); ++v)
    EXPECT_LT(distance(result.tangents[v], normalized(map * before[v])), 1e-5) << v;
}

TEST(MorphNormals, TangentsStayUnitAndAcrossTheNormalAndOnlyMoveWhereTheSurfaceDoes) {
  const Part part = sheet(0.2);
  const MovedSheet result = moved_sheet(part, [](const Vec3& x) {
    const double push = std::fmax(0, x.x - 0.5);
    return x + Vec3{0.2 * push * x.y, push * push, 3 * push * push};
  });
  double most = 0;
  for (std::size_t v = 0; v < part.normals.size(); ++v) {
    EXPECT_NEAR(norm(result.tangents[v]), 1, 1e-6) << v;
    EXPECT_NEAR(dot(result.tangents[v], result.normals[v]), 0, 1e-6) << v;
    for (std::size_t k = 0; k < 3; ++k) {
      const double offset = static_cast<double>(result.tangent_offsets[3 * v + k]);
      most = std::fmax(most, std::abs(offset));
      if (part.surface.positions[v].x < 0.45) {
        EXPECT_EQ(offset, 0) << v;
      }
    }
  }
  EXPECT_GT(most, 0.2);
}

}  // namespace
}  // namespace sinew
