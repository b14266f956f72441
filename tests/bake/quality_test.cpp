// Figures of a bake, on surfaces of which they are known in closed form.
#include "sinew/bake/quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sinew/base/threads/parallel.h"
#include "tests/bake/tube_character.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

// A square of 1 m in the plane z = 0, of n x n cells.
TriangleMesh square(int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.positions.push_back({double(i) / n, double(j) / n, 0});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

QualityMeter meter_of(const TriangleMesh& mesh, int bone = -1) {
  return QualityMeter({mesh.triangles, std::vector<int>(mesh.positions.size(), bone)});
}

std::vector<Vec3> moved(std::span<const Vec3> points, const std::function<Vec3(const Vec3&)>& map) {
  std::vector<Vec3> result;
  for (const Vec3& x : points) result.push_back(map(x));
  return result;
}

Quality of_frame(const TriangleMesh& mesh, const std::vector<Vec3>& shown, int bone = -1) {
  QualityMeter meter = meter_of(mesh, bone);
  meter.add(mesh.positions, shown);
  return meter.result();
}

TEST(Quality, AStretchedSurfaceIsStretchedByThat) {
  const TriangleMesh mesh = square(16);
  for (const double factor : {1.5, 1 / 1.5}) {
    const Quality all = of_frame(mesh, moved(mesh.positions, [&](const Vec3& x) { return factor * x; }));
    EXPECT_NEAR(all.stretch.value(), 1.5, 1e-12);
    EXPECT_NEAR(all.worst.value(), 1.5, 1e-12);
    EXPECT_EQ(all.flips, 0);
  }
  // One edge of a hundred thousand is the worst and no percentile.
  const TriangleMesh fine = square(170);
  std::vector<Vec3> shown = fine.positions;
  shown[0] -= Vec3{0.5 / 170, 0, 0};
  const Quality one = of_frame(fine, shown);
  EXPECT_NEAR(one.worst.value(), 1.5, 1e-12);
  EXPECT_NEAR(one.stretch.value(), 1, 1e-12);
}

// A quantile lies on the line between the two values around it, also where the frame before had one nearly as large.
TEST(Quality, TheStretchIsThe999thThousandthOfEachFrame) {
  const int count = 10000;  // edges, of a metre each, back and forth
  QualitySurface strip{{}, std::vector<int>(count + 1, -1)};
  std::vector<Vec3> zigzag;
  for (int k = 0; k <= count; ++k) zigzag.push_back({0, k % 2 == 0 ? 0.0 : 1.0, 0});
  for (int k = 0; k < count; ++k) strip.triangles.push_back({k, k + 1, k + 1});
  QualityMeter meter(strip);
  const auto frame = [&](double least, double most) {
    std::vector<Vec3> shown = zigzag;
    double y = 0;
    for (std::size_t v = 1; v < shown.size(); ++v) {
      const double ratio = least + (most - least) * double(v - 1) / (count - 1);
      y += v % 2 ? ratio : -ratio;
      shown[v].y = y;
    }
    meter.add(zigzag, shown);
    return meter.result();
  };
  EXPECT_NEAR(frame(1, 2).stretch.value(), 1.999, 1e-12);
  EXPECT_NEAR(frame(1, 1.9).stretch.value(), 1.999, 1e-12);
  EXPECT_NEAR(frame(1, 1.9995).stretch.value(), 1.999, 1e-12);
  EXPECT_NEAR(frame(1, 2.0005).stretch.value(), 1 + 0.999 * 1.0005, 1e-12);
  EXPECT_NEAR(frame(1, 3).stretch.value(), 2.998, 1e-12);
  EXPECT_NEAR(meter.result().worst.value(), 3, 1e-12);
}

TEST(Quality, SeenIsThe95thPercentileOfTheFarthest) {
  const TriangleMesh mesh = square(16);
  QualityMeter meter = meter_of(mesh);
  const std::size_t count = mesh.positions.size();
  std::vector<Vec3> shown = mesh.positions;
  for (std::size_t v = 0; v < count; ++v) shown[v].z = 0.1 * double(v) / double(count - 1);
  meter.add(mesh.positions, shown);
  meter.add(mesh.positions, mesh.positions);  // what was far once was seen
  EXPECT_NEAR(meter.result().seen, 0.095, 1e-12);
  EXPECT_NEAR(meter.result().largest, 0.1, 1e-12);
  EXPECT_EQ(meter.result().rig, 0);
}

TEST(Quality, TrianglesThatFaceAwayAreCountedInTheWorstFrame) {
  const TriangleMesh mesh = square(4);
  QualityMeter meter = meter_of(mesh);
  std::vector<Vec3> shown = mesh.positions;
  shown[0] = {0.6, 0.5, 0};  // beyond the diagonals opposite: both triangles at the corner are turned over
  meter.add(mesh.positions, shown);
  EXPECT_EQ(meter.result().flips, 2);
  meter.add(mesh.positions, moved(mesh.positions, [](const Vec3& x) { return Vec3{1 - x.x, x.y, 0}; }));
  EXPECT_EQ(meter.result().flips, 32);
  meter.add(mesh.positions, mesh.positions);
  EXPECT_EQ(meter.result().flips, 32);
}

// A turned and shifted ball on one bone is as it was; one that grows by e is off by e times its RMS radius.
TEST(Quality, OnlyPiecesOnOneBoneAreToBeRigid) {
  TriangleMesh mesh = square(4);
  const TriangleMesh ball = sphere({0.5, 0.5, 0.5}, 0.1, 12);
  const auto first = static_cast<int>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), ball.positions.begin(), ball.positions.end());
  for (const Triangle& t : ball.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const auto rigid = [&](int bone, const std::function<Vec3(const Vec3&)>& map) {
    std::vector<Vec3> shown = mesh.positions;
    for (std::size_t v = std::size_t(first); v < shown.size(); ++v) shown[v] = map(shown[v]);
    return of_frame(mesh, shown, bone).rigid;
  };
  const Vec3 centre{0.5, 0.5, 0.5};
  const Mat3 turn = to_matrix(normalized(Quat{0.1, 0.3, -0.2, 0.9}));
  Vec3 low = ball.positions[0], high = low, mean;
  for (const Vec3& x : ball.positions) {
    low = min(low, x), high = max(high, x);
    mean += x / double(ball.positions.size());
  }
  double squares = 0;
  for (const Vec3& x : ball.positions) squares += squared_norm(x - mean) / double(ball.positions.size());
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  EXPECT_NEAR(rigid(3, [&](const Vec3& x) { return turn * x + Vec3{1, 2, 3}; }), 0, 1e-12);
  const auto grown = [&](const Vec3& x) { return centre + turn * ((x - centre) * 1.05); };
  EXPECT_NEAR(rigid(3, grown), 0.05 * std::sqrt(squares) / extent, 1e-12);
  EXPECT_EQ(rigid(-1, grown), 0);  // held by several
}

// Off by so much as it has grown to, however small it began.
TEST(Quality, APieceThatTheRigScalesIsAsLargeAsItBecomes) {
  const TriangleMesh ball = sphere({0, 0, 0}, 0.1, 12);
  TriangleMesh mesh = square(4);
  const auto first = static_cast<int>(mesh.positions.size());
  for (const Triangle& t : ball.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const auto with_ball = [&](double size) {
    std::vector<Vec3> points = mesh.positions;
    for (const Vec3& x : ball.positions) points.push_back(Vec3{0.5, 0.5, 0.5} + size * x);
    return points;
  };
  const auto rigid = [&](double begin) {
    QualityMeter meter({mesh.triangles, std::vector<int>(with_ball(1).size(), 3)});
    meter.add(with_ball(begin), with_ball(begin));
    meter.add(with_ball(1), with_ball(1));
    meter.add(with_ball(1), with_ball(1.05));
    return meter.result().rigid;
  };
  EXPECT_GT(rigid(1), 0.02);
  EXPECT_NEAR(rigid(0.01), rigid(1), 1e-9);
}

// A square with a small patch above it, at this height in metres. The patch is on bone 5, and its vertices follow
// `skin` others.
struct PatchOnSquare {
  TriangleMesh mesh;
  std::vector<int> bone;
  std::size_t skin = 0;
};

PatchOnSquare patch_on_square(double height) {
  TriangleMesh mesh = square(16), patch = square(3);
  const std::size_t skin = mesh.positions.size();
  for (Vec3& x : patch.positions) x = 0.1 * x + Vec3{0.4, 0.4, height};
  append(mesh, patch);
  std::vector<int> bone(mesh.positions.size(), -1);
  std::fill(bone.begin() + static_cast<std::ptrdiff_t>(skin), bone.end(), 5);
  return {std::move(mesh), std::move(bone), skin};
}

// A patch on one bone lies on a square: what it comes off, or sinks into it, counts; where it slides to does not.
TEST(Quality, WhatLiesOnSkinIsToStayOnIt) {
  const PatchOnSquare both = patch_on_square(0.002);
  const TriangleMesh& mesh = both.mesh;
  const std::vector<int>& bone = both.bone;
  const std::size_t skin = both.skin;
  const auto sunk = [&](const Vec3& of_patch, const Vec3& of_skin) {
    QualityMeter meter({mesh.triangles, bone});
    std::vector<Vec3> shown = mesh.positions;
    for (std::size_t v = 0; v < shown.size(); ++v) shown[v] += v < skin ? of_skin : of_patch;
    meter.add(mesh.positions, shown);
    return meter.result().sunk.value();
  };
  EXPECT_NEAR(sunk({0, 0, 0.01}, {}), 0.01, 1e-12);
  EXPECT_NEAR(sunk({0, 0, -0.02}, {}), 0.02, 1e-12);
  EXPECT_NEAR(sunk({0, 0, 0.03}, {0, 0, 0.02}), 0.01, 1e-12);
  EXPECT_NEAR(sunk({0.05, 0, 0}, {}), 0, 1e-12);
  // A patch that the rig moves across the skin does not lie on it.
  QualityMeter swung({mesh.triangles, bone});
  swung.add(mesh.positions, mesh.positions);
  std::vector<Vec3> rig = mesh.positions, shown;
  for (std::size_t v = skin; v < rig.size(); ++v) rig[v] += Vec3{0, 0, 0.01};
  shown = rig;
  for (std::size_t v = skin; v < rig.size(); ++v) shown[v] += Vec3{0, 0, 0.01};
  swung.add(rig, rig);
  swung.add(rig, shown);
  EXPECT_FALSE(swung.result().sunk.has_value());
  QualityMeter alone({mesh.triangles, std::vector<int>(mesh.positions.size(), -1)});
  alone.add(mesh.positions, mesh.positions);
  EXPECT_FALSE(alone.result().sunk.has_value());
}

// Who is first shown at a scale of nothing is measured by its size at rest.
TEST(Quality, AHiddenFirstFrameIsNoSize) {
  const TriangleMesh mesh = square(8);
  QualityMeter meter({mesh.triangles, std::vector<int>(mesh.positions.size(), -1), mesh.positions});
  const std::vector<Vec3> hidden(mesh.positions.size());
  meter.add(hidden, hidden);
  meter.add(mesh.positions, moved(mesh.positions, [](const Vec3& x) { return x + Vec3{0, 0, 0.03}; }));
  EXPECT_NEAR(meter.result().seen, 0.03, 1e-12);
}

// A patch lies on the skin of somebody who grows from nothing: that it comes off counts, not that both grow.
TEST(Quality, WhatLiesOnSkinGrowsWithIt) {
  const auto [mesh, bone, skin] = patch_on_square(0.008);
  QualityMeter meter({mesh.triangles, bone, mesh.positions});
  for (const double size : {0.0, 0.5, 0.5, 1.0, 1.0}) {
    const std::vector<Vec3> rig = moved(mesh.positions, [&](const Vec3& x) { return size * x; });
    std::vector<Vec3> shown = rig;
    for (std::size_t v = skin; v < shown.size(); ++v) shown[v] += Vec3{0, 0, 0.01 * size};
    meter.add(rig, shown);
  }
  EXPECT_NEAR(meter.result().sunk.value(), 0.01, 1e-12);
}

TEST(Quality, PopIsTheFleshesSecondDifferenceOverTheRigs) {
  const TriangleMesh mesh = square(4);
  QualityMeter meter = meter_of(mesh);
  const double rig = 0.04, flesh = 0.021;  // metres per frame squared
  for (int f = 0; f < 6; ++f) {
    const std::vector<Vec3> goal = moved(mesh.positions, [&](const Vec3& x) {
      return x + Vec3{0.5 * rig * f * f, 0, 0};
    });
    meter.add(goal, moved(goal, [&](const Vec3& x) { return x + Vec3{0, 0.5 * flesh * f * f, 0}; }));
    EXPECT_EQ(meter.result().pop.has_value(), f > 1);
  }
  EXPECT_NEAR(meter.result().pop.value(), flesh / (rig + 0.002), 1e-10);
  EXPECT_NEAR(meter.result().rig, 0.5 * rig * 25, 1e-12);
  EXPECT_FALSE(meter.result().loop);
}

TEST(Quality, TheSeamOfALoopIsTheLastFrameAgainstTheFirst) {
  const TriangleMesh mesh = square(4);
  QualityMeter meter = meter_of(mesh);
  for (const double z : {0.01, 0.3, -0.02})
    meter.add(mesh.positions, moved(mesh.positions, [&](const Vec3& x) { return x + Vec3{0, 0, z}; }));
  EXPECT_NEAR(meter.result().loop.value(), 0.03, 1e-12);
}

TEST(Quality, VolumesAreOverTheRigs) {
  const TriangleMesh ball = sphere({3, 1, -2}, 0.4, 16);
  QualityMeter meter = meter_of(ball);
  for (const double factor : {1.1, 0.9, 1.0})
    meter.add(ball.positions, moved(ball.positions, [&](const Vec3& x) { return factor * x + Vec3{0.1, 0.2, 0}; }));
  EXPECT_NEAR(meter.result().most_volume, 1.331, 1e-9);
  EXPECT_NEAR(meter.result().least_volume, 0.729, 1e-9);
}

TEST(Quality, OfARecordingBesideItsRig) {
  const Character character = tube_character();
  BakeResult result = bake(character, quick_settings(), options_for(0));
  const Quality quality = measure_quality(character, result.recording);
  double largest = 0;
  for (std::size_t k = 0; k + 2 < values(result).size(); k += 3)
    largest = std::max(largest, norm(Vec3{values(result)[k], values(result)[k + 1], values(result)[k + 2]}));
  EXPECT_NEAR(quality.largest, largest, 1e-3 * largest);  // the tube is one metre high
  EXPECT_GT(quality.seen, 0.3 * quality.largest);
  EXPECT_GT(quality.rig, 0.1);
  EXPECT_GT(quality.stretch.value(), 1.005);
  // Moved by a centimetre altogether, it is stretched by nothing.
  std::vector<float>& displacement = result.recording.parts.at(0).displacement;
  for (std::size_t k = 0; k < displacement.size(); ++k) displacement[k] = k % 3 == 0 ? 0.01F : 0.0F;
  const Quality shifted = measure_quality(character, result.recording);
  EXPECT_NEAR(shifted.seen, 0.01, 1e-4);
  EXPECT_NEAR(shifted.seen, shifted.largest, 1e-9);
  EXPECT_NEAR(shifted.stretch.value(), 1, 1e-6);
  EXPECT_NEAR(shifted.worst.value(), 1, 1e-6);
  EXPECT_NEAR(shifted.loop.value_or(0), 0, 1e-12);
}

TEST(Quality, ThreadsDoNotMatter) {
  const TriangleMesh fine = square(170);
  const auto measure = [&](int threads) {
    set_thread_count(threads);
    QualityMeter meter = meter_of(fine);
    for (int f = 0; f < 4; ++f) {
      const auto rig = moved(fine.positions, [&](const Vec3& x) {
        return x + Vec3{0, 0, 0.1 * std::sin(3 * x.x + f)};
      });
      meter.add(rig, moved(rig, [&](const Vec3& x) { return x + Vec3{0, 0.05 * std::sin(7 * x.x * x.y + f), 0}; }));
    }
    set_thread_count(0);
    return meter.result();
  };
  const Quality one = measure(1), four = measure(4);
  EXPECT_EQ(one.seen, four.seen);
  EXPECT_EQ(one.stretch, four.stretch);
  EXPECT_EQ(one.worst, four.worst);
  EXPECT_EQ(one.pop, four.pop);
  EXPECT_EQ(one.least_volume, four.least_volume);
  EXPECT_EQ(one.most_volume, four.most_volume);
  EXPECT_EQ(one.flips, four.flips);
}

TEST(Quality, OfSeveralClipsTheWorst) {
  Quality a, b;
  a.seen = 0.02, b.seen = 0.03;
  a.flips = 2;
  b.loop = 0.01;
  a.stretch = 1.1, b.stretch = 1.2;
  a.least_volume = 0.9, b.most_volume = 1.2;
  const Quality both = worst_of(std::array{a, b});
  EXPECT_EQ(both.seen, 0.03);
  EXPECT_EQ(both.flips, 2);
  EXPECT_EQ(both.loop, 0.01);
  EXPECT_EQ(both.stretch, 1.2);
  EXPECT_EQ(both.least_volume, 0.9);
  EXPECT_EQ(both.most_volume, 1.2);
}

}  // namespace
}  // namespace sinew
