// An elastic block whose surface is bent, twisted, squeezed and pushed about, with its inside in equilibrium: what
// volumetric skinning learns from, and is judged by.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/elastic/green_strain.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/boundary_surface.h"
#include "studies/reference/nonlinear_equilibrium.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

// Vertices of the boundary and of the inside, ascending.
struct Inside {
  std::vector<int> boundary, interior;
};

inline Inside inside_of(const TetrahedralMesh& mesh) {
  std::vector<char> outer(mesh.positions.size(), 0);
  for (const Triangle& t : boundary_surface(mesh).triangles)
    for (const int v : t) outer[at(v)] = 1;
  Inside result;
  for (std::size_t v = 0; v < outer.size(); ++v)
    (outer[v] ? result.boundary : result.interior).push_back(static_cast<int>(v));
  return result;
}

// A motion of the box [0, size], by smooth maps of space.
struct BlockPose {
  double bend = 0;           // radians from end to end, of the x axis towards +y
  double twist = 0;          // radians from end to end, about the x axis
  double squeeze = 0;        // share by which the middle is thinner across
  std::vector<Vec3> push{};  // metres at each of push_sites(), fading like a Gaussian
};

inline std::vector<Vec3> push_sites(const Vec3& size) {
  std::vector<Vec3> sites;
  for (const double x : {0.25, 0.5, 0.75})
    for (const double side : {-1, 1}) {
      sites.push_back({x * size.x, (0.5 + 0.5 * side) * size.y, 0.5 * size.z});
      sites.push_back({x * size.x, 0.5 * size.y, (0.5 + 0.5 * side) * size.z});
    }
  return sites;
}

inline Vec3 posed(const BlockPose& pose, const Vec3& size, Vec3 x) {
  const std::vector<Vec3> sites = push_sites(size);
  Vec3 moved = x;
  for (std::size_t i = 0; i < pose.push.size(); ++i) {
    const double reach = 0.35 * size.y;
    moved += pose.push[i] * std::exp(-squared_norm(x - sites[i]) / (2 * reach * reach));
  }
  const double along = x.x / size.x;
  const double thin = 1 - pose.squeeze * std::sin(std::numbers::pi * along);
  const double y = (moved.y - size.y / 2) * thin, z = (moved.z - size.z / 2) * thin;
  const double turn = pose.twist * (moved.x / size.x - 0.5), c = std::cos(turn), s = std::sin(turn);
  const double across = c * y - s * z, depth = s * y + c * z;
  // The axis becomes an arc of the same length.
  const double angle = pose.bend * (moved.x / size.x - 0.5);
  const double radius = std::abs(pose.bend) > 1e-9 ? size.x / pose.bend : 0;
  const double on_axis = radius != 0 ? radius * std::sin(angle) : moved.x - size.x / 2;
  const double off_axis = radius != 0 ? radius * (1 - std::cos(angle)) : 0;
  return {on_axis - across * std::sin(angle), off_axis + across * std::cos(angle), depth};
}

struct ElasticBlock {
  TetrahedralMesh mesh;
  Vec3 size;
  Inside parts;
  StrainSamples samples;

  explicit ElasticBlock(std::array<int, 3> cells = {8, 4, 4}, const Vec3& extent = {0.8, 0.4, 0.4},
                        const Material& material = {2e4, 0.4, 1000})
      : mesh(lattice_block(cells, extent)), size(extent), parts(inside_of(mesh)) {
    samples = strain_samples(mesh, Element::linear, {material, {}, {}});
  }

  std::vector<Vec3> displacements(std::span<const Vec3> positions) const {
    std::vector<Vec3> d;
    for (std::size_t v = 0; v < positions.size(); ++v) d.push_back(positions[v] - mesh.positions[v]);
    return d;
  }
  // Joules.
  double energy(std::span<const Vec3> positions) const {
    GreenStrainEnergy potential(samples, static_cast<int>(mesh.positions.size()));
    return potential.energy(displacements(positions));
  }
  // The surface as posed, the inside in equilibrium (equation 5).
  std::vector<Vec3> equilibrium(const BlockPose& pose) const {
    std::vector<Vec3> x;
    for (const Vec3& p : mesh.positions) x.push_back(posed(pose, size, p));
    GreenStrainEnergy potential(samples, static_cast<int>(x.size()));
    const std::vector<Vec3> nothing(x.size());
    const std::vector<Vec3> q = nonlinear_equilibrium(potential, displacements(x), nothing, parts.boundary).q;
    for (std::size_t v = 0; v < x.size(); ++v) x[v] = mesh.positions[v] + q[v];
    return x;
  }
  std::vector<Vec3> equilibria(std::span<const BlockPose> poses) const {
    std::vector<Vec3> all;
    for (const BlockPose& pose : poses) {
      const std::vector<Vec3> x = equilibrium(pose);
      all.insert(all.end(), x.begin(), x.end());
    }
    return all;
  }
  // One pose with the inside as the weights carry it.
  std::vector<Vec3> skinned(const SparseRows& weights, std::span<const Vec3> pose) const {
    std::vector<Vec3> x(pose.begin(), pose.end()), b;
    for (const int v : parts.boundary) b.push_back(x[at(v)]);
    for (std::size_t i = 0; i < parts.interior.size(); ++i) x[at(parts.interior[i])] = row_times(weights, i, b);
    return x;
  }
};

// What the paper's calisthenics and shaking are here: 7 postures, each with pushes that swing and fade for ten frames.
inline std::vector<BlockPose> exercises() {
  const std::vector<BlockPose> postures{{},
                                        {.bend = 0.8},
                                        {.bend = -0.8},
                                        {.twist = 0.9},
                                        {.twist = -0.9},
                                        {.squeeze = 0.2},
                                        {.bend = 0.5, .twist = 0.5, .squeeze = -0.15}};
  std::vector<BlockPose> poses;
  for (std::size_t k = 0; k < postures.size(); ++k) {
    Noise noise(40 + k);
    std::vector<Vec3> impulse, other;
    for (std::size_t i = 0; i < 12; ++i)
      impulse.push_back(noise.vector() * 0.04), other.push_back(noise.vector() * 0.04);
    for (int frame = 0; frame < 10; ++frame) {
      BlockPose pose = postures[k];
      const double phase = 0.7 * (frame + 1), fade = std::exp(-0.1 * frame);
      for (std::size_t i = 0; i < impulse.size(); ++i)
        pose.push.push_back(fade * (std::sin(phase) * impulse[i] + std::sin(1.7 * phase) * other[i]));
      poses.push_back(pose);
    }
  }
  return poses;
}

// What a few impulses on the whole body leave: the pushes all point one way, so that places far apart move alike.
inline std::vector<BlockPose> shaken_as_a_whole() {
  std::vector<BlockPose> poses;
  for (const BlockPose& posture : {BlockPose{}, BlockPose{.bend = 0.4}, BlockPose{.twist = 0.5}})
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int frame = 1; frame <= 8; ++frame) {
        BlockPose pose = posture;
        Vec3 push;
        push[axis] = 0.03 * std::sin(0.9 * frame) * std::exp(-0.15 * frame);
        pose.push.assign(12, push);
        poses.push_back(pose);
      }
  return poses;
}

// And what has to be predicted from that: every place for itself.
inline std::vector<BlockPose> local_motion(int frames) {
  std::vector<BlockPose> poses;
  for (int frame = 0; frame < frames; ++frame) {
    const double t = 2 * std::numbers::pi * frame / 32;
    BlockPose pose{.bend = 0.2 * std::sin(t)};
    Noise noise(105);
    for (int i = 0; i < 12; ++i) {
      const Vec3 one = noise.vector() * 0.03, other = noise.vector() * 0.03;
      pose.push.push_back(std::sin(2 * t + 0.5 * i) * one + std::cos(3 * t + 0.3 * i) * other);
    }
    poses.push_back(pose);
  }
  return poses;
}

// A motion that is in none of the exercises.
inline std::vector<BlockPose> performance(int frames) {
  std::vector<BlockPose> poses;
  Noise noise(7);
  std::vector<Vec3> one, other;
  for (std::size_t i = 0; i < 12; ++i) one.push_back(noise.vector() * 0.025), other.push_back(noise.vector() * 0.025);
  for (int frame = 0; frame < frames; ++frame) {
    const double t = 2 * std::numbers::pi * frame / 32;
    BlockPose pose{.bend = 0.6 * std::sin(t), .twist = 0.6 * std::sin(t + 1), .squeeze = 0.1 * std::sin(2 * t)};
    for (std::size_t i = 0; i < one.size(); ++i)
      pose.push.push_back(std::sin(2 * t + 0.5 * double(i)) * one[i] + std::cos(3 * t) * other[i]);
    poses.push_back(pose);
  }
  return poses;
}

}  // namespace sinew::test
