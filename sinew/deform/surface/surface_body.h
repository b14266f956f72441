// One character's flesh as the run-time for engines moves it (runtime/sinew_runtime.h), with its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

struct sinew_model;
struct sinew_body;

namespace sinew {

// A model file that is open. Never changes; may be shared.
class OpenSurfaceModel {
 public:
  // Throws input_error that names `name` where the file is not sound.
  OpenSurfaceModel(std::span<const std::byte> file, const std::string& name);
  ~OpenSurfaceModel();
  OpenSurfaceModel(const OpenSurfaceModel&) = delete;
  OpenSurfaceModel& operator=(const OpenSurfaceModel&) = delete;

  const sinew_model* get() const { return model_; }
  std::size_t vertices() const;
  std::size_t modes() const;
  double step() const;  // seconds
  // Per vertex, 1/m^2; all zero without ranges.
  const std::vector<double>& inverse_squared_ranges() const { return inverse_squared_ranges_; }

 private:
  std::vector<double> inverse_squared_ranges_;
  std::vector<std::byte> memory_;
  const sinew_model* model_ = nullptr;
};

class SurfaceBody {
 public:
  explicit SurfaceBody(std::shared_ptr<const OpenSurfaceModel> model);
  ~SurfaceBody();
  SurfaceBody(const SurfaceBody&) = delete;
  SurfaceBody& operator=(const SurfaceBody&) = delete;

  // In the goal of `bones`, moving along with it towards that of `next`, one step later. Rest to world, metres.
  void reset(std::span<const Affine> bones, std::span<const Affine> next);
  // In place of a step, where the rig is cut: offsets from the goal, and how they change, go along with the bones,
  // which move on from `bones` to `next`.
  void carry(std::span<const Affine> bones, std::span<const Affine> next);
  // One internal step, to `bones`.
  void step(std::span<const Affine> bones);
  // Vertices around `centre` change their velocity, m/s: fully there, smoothly to nothing at `radius`. World, metres.
  void poke(const Vec3& centre, double radius, const Vec3& velocity_change);
  static constexpr std::size_t most_held = 64;  // vertices
  // Holds a vertex at a point in the world, metres, at most the model's reach from its goal, until released or held
  // elsewhere. Throws usage_error where so many are held already.
  void hold(int vertex, const Vec3& position);
  void release(int vertex);
  // Per vertex of the model: position minus goal, metres, world axes; positions.
  void offsets(std::vector<Vec3>& offsets) const;
  void positions(std::vector<Vec3>& positions) const;

  // The run-time's own bytes, four to a number. load() throws input_error where they are another model's, or none that
  // it leaves.
  std::vector<double> save() const;
  void load(std::span<const double> state);

 private:
  void require(int status, const char* doing) const;
  void fill_with_step_before(std::span<const Affine> bones, std::span<const Affine> next, std::vector<float>& before);
  void add_modes(std::vector<Vec3>& to) const;

  std::shared_ptr<const OpenSurfaceModel> model_;
  std::vector<std::byte> memory_;
  sinew_body* body_ = nullptr;
  std::vector<float> bones_;
};

}  // namespace sinew
