// State of SurfaceGpu on the host and on the device. For its sources only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/surface/surface_modes.h"
#include "sinew/gpu/surface_gpu.h"
#include "sinew/gpu/surface_shader_records.h"
#include "sinew/gpu/vulkan_device.h"

namespace sinew {

using namespace surface_shader;

// The limit of the run-time (SINEW_LARGEST), below which no computation overflows.
inline constexpr double largest_number = 1e6;

// The low-frequency modes of a body, which the host steps.
struct BodyModes {
  std::shared_ptr<const SurfaceModel> model;  // null if it has none
  std::vector<double> scale, turn_scale;
  ModeState state;
};

struct SurfaceGpu::Implementation {
  VulkanDevice& device;
  SurfaceGpuOptions options;
  std::vector<BodyRecord> bodies;
  std::vector<std::uint32_t> bone_count, model_of;           // per body
  std::vector<std::vector<std::uint32_t>> order;             // per model
  std::vector<std::uint32_t> first_group, first_show_group;  // per body, and the end
  std::uint32_t all_bones = 0;
  std::vector<BoneRecord> before_pose, last_pose, next_pose;  // of all bodies; before_pose is one step before last_pose
  std::vector<BodyModes> modal;                               // per body
  std::vector<bool> ready;                                    // per body: was reset
  std::vector<MotionRecord> motions;
  bool motions_changed = true;
  std::uint32_t after = 1;  // index of the state buffer with the end of the last step; the other one has its beginning
  double last_step_seconds = 0;

  VulkanBuffer groups, bodies_buffer, models, poses, motions_buffer, state[2], positions, normals;
  VulkanBuffer pose_staging, motion_staging;
  std::unique_ptr<VulkanPipelines> pipelines;
  VkDescriptorSet sets[2] = {};  // [k]: writes state k
  VkQueryPool clock = VK_NULL_HANDLE;

  Implementation(GpuDevice& gpu, const SurfaceGpuOptions& wanted) : device(gpu.vulkan()), options(wanted) {}
  ~Implementation() { vkDestroyQueryPool(device.device, clock, nullptr); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  std::size_t body_index(int body) const {
    if (body < 0 || static_cast<std::size_t>(body) >= bodies.size())
      throw usage_error("there is no body " + std::to_string(body) + " among the " + std::to_string(bodies.size()) +
                        " on the GPU");
    return static_cast<std::size_t>(body);
  }

  void make_bodies(std::span<const SurfaceGpuModel> packed, std::span<const int> model_of_body);
  void make_buffers(std::span<const SurfaceGpuModel> packed);
  void set_bones(std::size_t body, std::span<const Affine> bones, std::vector<BoneRecord>& pose) const;
  void dispatch(VkCommandBuffer commands, Entry entry, std::uint32_t written, const Call& call) const;
  void copy_poses(VkCommandBuffer commands, std::size_t poses) const;
  void stage_pose(std::size_t slot, const std::vector<BoneRecord>& pose) const;
  void require_ready(std::size_t body) const;
  bool is_coupled() const;
  void rest_modes(std::size_t body);
  void step_modes_of(std::size_t body, std::span<const BoneRecord> now, std::span<const BoneRecord> next);
  void stage_modes(std::size_t body, double fraction) const;
  void copy_modes(VkCommandBuffer commands, std::size_t body) const;
  SurfaceGpuState state_of(std::size_t body) const;
  Call call_for(std::size_t body) const;
  void run_steps(int steps, double begin, double end);
  void reset_groups(Call call);
  void change(Entry entry, const Call& call);
};

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

inline std::uint32_t narrow(std::size_t count, const char* what) {
  if (count > UINT32_MAX)
    throw input_error(std::string("the ") + what +
                      " of all bodies are more than the GPU can count: put fewer together");
  return static_cast<std::uint32_t>(count);
}

}  // namespace sinew
