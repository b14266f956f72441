// One character's surface dynamics, run by the run-time for engines (runtime/sinew_runtime.h), with its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

struct sinew_model;
struct sinew_body;

namespace sinew {

// An opened model file. Immutable; may be shared.
class OpenSurfaceModel {
 public:
  // Throws an input_error that names `name` if the file is invalid.
  OpenSurfaceModel(std::span<const std::byte> file, const std::string& name);
  ~OpenSurfaceModel();
  OpenSurfaceModel(const OpenSurfaceModel&) = delete;
  OpenSurfaceModel& operator=(const OpenSurfaceModel&) = delete;

  const sinew_model* get() const { return model_; }
  std::size_t vertices() const;
  std::size_t modes() const;
  double step() const;                                  // seconds
  std::uint64_t checksum() const { return checksum_; }  // of the file
  // Per vertex, 1/m^2; all zero if the model has no ranges.
  const std::vector<double>& inverse_squared_ranges() const { return inverse_squared_ranges_; }

 private:
  std::vector<double> inverse_squared_ranges_;
  std::uint64_t checksum_ = 0;
  std::vector<std::byte> memory_;
  const sinew_model* model_ = nullptr;
};

class SurfaceBody {
 public:
  explicit SurfaceBody(std::shared_ptr<const OpenSurfaceModel> model);
  ~SurfaceBody();
  SurfaceBody(const SurfaceBody&) = delete;
  SurfaceBody& operator=(const SurfaceBody&) = delete;

  // Puts the surface in the goal of `bones`, moving along with it towards that of `next`, one step later. Rest to
  // world, metres.
  void reset(std::span<const Affine> bones, std::span<const Affine> next);
  // Replaces a step at a cut of the rig: offsets from the goal, and their rates, turn with the bones, which continue
  // from `bones` to `next`.
  void carry(std::span<const Affine> bones, std::span<const Affine> next);
  // Advances by one internal step, to `bones`.
  void step(std::span<const Affine> bones);
  // Changes the velocity of vertices around `centre` by `velocity_change`, m/s, falling off smoothly to zero at
  // `radius`. World, metres.
  void poke(const Vec3& centre, double radius, const Vec3& velocity_change);
  static constexpr std::size_t most_held = 64;  // vertices
  // Holds a vertex at a point in the world, metres, clamped to the model's reach from its goal, until it is released or
  // held elsewhere. Throws usage_error if most_held vertices are held already.
  void hold(int vertex, const Vec3& position);
  void release(int vertex);
  // Per vertex of the model: position minus goal, metres, world axes; and positions, world, metres.
  void offsets(std::vector<Vec3>& offsets) const;
  void positions(std::vector<Vec3>& positions) const;

  // The run-time's state, four bytes per number. load() throws input_error if it is invalid or belongs to another
  // model.
  std::vector<double> save() const;
  void load(std::span<const double> state);
  // Like load(), for the state of a model of the same character, steps and modes with other parameters.
  void take_over(std::span<const double> state);

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
