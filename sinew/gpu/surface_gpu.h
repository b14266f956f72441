// Learned dynamic skinning (docs/surface_dynamics.md) on the GPU: takes bone matrices and returns vertices, with one
// dispatch per step for all bodies together (docs/gpu.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/gpu/gpu_device.h"
#include "sinew/gpu/surface_gpu_model.h"

namespace sinew {

// External influences on all vertices of a body.
struct SurfaceSurroundings {
  Vec3 acceleration;  // m/s^2
  Vec3 wind;          // m/s
  double air = 0;     // 1/s: rate at which a vertex takes on the wind's velocity; at most 0.5 / step
};

// State of a body: world space, metres and seconds, in the vertex order of the model.
struct SurfaceGpuState {
  std::vector<Vec3> positions, velocities, goals;  // without low-frequency modes, which only shapes contain
  std::vector<Quat> rotations;                     // of the vertices' neighbourhoods; w >= 0
};

// Output in the order of the file's vertices, part after part (SurfaceGpuModel::first_output); zero for vertices that
// are not in the model.
struct SurfaceGpuShape {
  std::vector<float> positions, normals;  // 3 each
};

struct SurfaceGpuOptions {
  int threads = 128;   // per workgroup: a multiple of 32, at most 1024
  int most_steps = 8;  // largest number of steps per submission; step() splits longer calls
};

// Simulates many bodies. Positions are relative to an origin that the caller chooses, in single precision. Bodies are
// numbered as in `model_of_body`. Calls must come from one thread at a time, and return when the GPU has finished.
class SurfaceGpu {
 public:
  // Copies the models to the GPU. Throws input_error where they exceed the device's limits.
  SurfaceGpu(GpuDevice& device, std::span<const SurfaceGpuModel> models, std::span<const int> model_of_body,
             const SurfaceGpuOptions& options = {});
  ~SurfaceGpu();
  SurfaceGpu(SurfaceGpu&&) noexcept;
  SurfaceGpu& operator=(SurfaceGpu&&) noexcept;

  int body_count() const;

  // Matrices of the model's bones at the end of the next step() or reset(), rest space to world space, metres. Throws
  // input_error where their number is wrong, or they are not finite or larger than 1e6.
  void set_bones(int body, std::span<const Affine> bones);
  // Takes effect with the next step. By default nothing acts.
  void set_surroundings(int body, const SurfaceSurroundings& surroundings);

  // Moves a body, or all, onto the goal for the current bones. It is at rest there, or has the velocity of the goal if
  // the bones of the step before are given.
  void reset(int body, std::span<const Affine> bones_before = {});
  void reset();
  // Takes `steps` steps of the model's length for all bodies. Bones are interpolated from those of the last call to the
  // current ones. If a model's modes are coupled to its surface, the state is read back before each step.
  void step(int steps = 1);
  // Adds `velocity_change` to vertices within `radius` of `centre`, weighted by (1 - r^2)^2 with r = distance / radius.
  void poke(int body, const Vec3& centre, double radius, const Vec3& velocity_change);
  // Moves the origin of a body's world by `shift`, which is subtracted from everything stored on the GPU. Bones set
  // afterwards are relative to the new origin; set them before the next step.
  void rebase(int body, const Vec3& shift);

  SurfaceGpuState state(int body) const;
  // The output between the last two steps (`fraction` 1: at the end of the last): the interpolated displacement from
  // the goal, applied to the goal of `bones`, or of the last step's bones if `bones` is empty.
  SurfaceGpuShape shape(int body, double fraction = 1, std::span<const Affine> bones = {}) const;

  // Duration of the last step() in seconds, measured by the GPU; 0 if it has no clock.
  double last_step_seconds() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew
