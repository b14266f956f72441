// Bodies with flesh as the surface alone (docs/surface_dynamics.md) on the GPU: bone matrices go in, vertices come out,
// and all bodies together are one dispatch a step. docs/gpu.md.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/gpu/gpu_device.h"
#include "sinew/gpu/surface_gpu_model.h"

namespace sinew {

// What acts on all vertices of a body besides its model.
struct SurfaceSurroundings {
  Vec3 acceleration;  // m/s^2
  Vec3 wind;          // m/s
  double air = 0;     // 1/s: how fast a vertex takes on the wind's velocity; at most 0.5 / step
};

// World space, metres and seconds; in the order of the model.
struct SurfaceGpuState {
  std::vector<Vec3> positions, velocities, goals;  // without what low-frequency modes add, which is in shapes alone
  std::vector<Quat> rotations;                     // of the neighbourhoods; w >= 0
};

// In the order of the file's vertices, part after part (SurfaceGpuModel::first_output); zero where the model has none.
struct SurfaceGpuShape {
  std::vector<float> positions, normals;  // 3 each
};

struct SurfaceGpuOptions {
  int threads = 128;   // in a workgroup: a multiple of 32, at most 1024
  int most_steps = 8;  // that one call of step() hands to the GPU at once; more are done in several
};

// Positions are relative to an origin of the caller's choice, in single precision. Bodies are numbered as in
// `model_of_body`. Calls come from one thread at a time, and return when the GPU is through with them.
class SurfaceGpu {
 public:
  // Copies what it needs of the models to the GPU. Throws input_error where they are more than the device can hold.
  SurfaceGpu(GpuDevice& device, std::span<const SurfaceGpuModel> models, std::span<const int> model_of_body,
             const SurfaceGpuOptions& options = {});
  ~SurfaceGpu();
  SurfaceGpu(SurfaceGpu&&) noexcept;
  SurfaceGpu& operator=(SurfaceGpu&&) noexcept;

  int body_count() const;

  // Matrices of the model's bones, rest space to world space, metres: where the next step() or reset() ends. Throws
  // input_error where they are too few or too many, not finite or larger than 1e6.
  void set_bones(int body, std::span<const Affine> bones);
  // From the next step on. Nothing acts at first.
  void set_surroundings(int body, const SurfaceSurroundings& surroundings);

  // Onto the goal of the bones that were set: of one body, or of all. It is at rest there, or, where the bones of one
  // step before are given, as fast as the goal.
  void reset(int body, std::span<const Affine> bones_before = {});
  void reset();
  // So many steps of the model's length for all bodies. Where a model's modes are coupled to its surface, the state is
  // read back before each. Bones go evenly from those of the last call to those set since.
  void step(int steps = 1);
  // Vertices within `radius` of `centre` change their velocity: fully at the centre, by (1 - r^2)^2 around it.
  void poke(int body, const Vec3& centre, double radius, const Vec3& velocity_change);
  // Moves the origin of a body's world by `shift`: everything that the GPU knows of it is at `shift` less. Bones that
  // are set afterwards are seen from the new origin; set them before the next step.
  void rebase(int body, const Vec3& shift);

  SurfaceGpuState state(int body) const;
  // What is seen between the last two steps (`fraction` 1: at the end of the last): what physics adds to the goal,
  // interpolated, on the goal of `bones`, or, where there are none, of the bones of the last step.
  SurfaceGpuShape shape(int body, double fraction = 1, std::span<const Affine> bones = {}) const;

  // Seconds that the GPU itself counted for the steps of the last step(); 0 where it has no clock.
  double last_step_seconds() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew
