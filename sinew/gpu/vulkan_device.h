// Vulkan handles of one device and basic operations: buffers, pipelines, submission.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/gpu/gpu_device.h"

namespace sinew {

struct VulkanDevice {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint32_t timestamp_bits = 0;  // valid bits of the queue's timestamps; 0: no clock
  std::string name;
  std::vector<std::string> messages;

  VulkanDevice() = default;
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;
  ~VulkanDevice();
  // For the destructor. Everything made from the device must be destroyed before; the validation layer reports
  // violations.
  void close_device();
};

// Throws simulation_error unless `result` is success: "the GPU NAME failed to ... (Vulkan's code)".
void check(const VulkanDevice& device, VkResult result, const char* what);

enum class BufferMemory {
  device,    // GPU memory that the processor cannot access
  upload,    // written sequentially by the processor, read by the GPU
  readback,  // written by the GPU, read by the processor
};

// A storage buffer, also usable as source and target of copies. Empty after it was moved from.
class VulkanBuffer {
 public:
  VulkanBuffer() = default;
  // Throws where the buffer is larger than the device allows, or memory is short; `what` names it in the message.
  VulkanBuffer(VulkanDevice& device, std::size_t bytes, BufferMemory memory, const char* what);
  ~VulkanBuffer();
  VulkanBuffer(VulkanBuffer&& other) noexcept;
  VulkanBuffer& operator=(VulkanBuffer&& other) noexcept;

  VkBuffer handle() const { return buffer_; }
  std::size_t size() const { return size_; }
  // Pointer to mapped memory; null for BufferMemory::device.
  std::byte* mapped() const { return mapped_; }

 private:
  void release();

  VulkanDevice* device_ = nullptr;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  std::size_t size_ = 0;
  std::byte* mapped_ = nullptr;
};

// Compute pipelines of one shader, one for each set of specialisation constants, with storage buffers 0 to `buffers` -
// 1 in set 0.
class VulkanPipelines {
 public:
  // `constants`: per pipeline, the values of constant_id 0, 1, ...
  VulkanPipelines(VulkanDevice& device, std::span<const std::uint32_t> spirv, std::uint32_t buffers,
                  std::uint32_t push_constant_bytes, std::span<const std::vector<std::uint32_t>> constants);
  ~VulkanPipelines();
  VulkanPipelines(const VulkanPipelines&) = delete;
  VulkanPipelines& operator=(const VulkanPipelines&) = delete;

  VkPipeline pipeline(std::size_t i) const { return pipelines_[i]; }
  VkPipelineLayout layout() const { return layout_; }
  // Creates a descriptor set with one buffer per binding, which lives as long as the pipelines. At most `max_sets` of
  // them.
  VkDescriptorSet bind(std::span<const VkBuffer> buffers);

  static constexpr std::uint32_t max_sets = 4;

 private:
  void release();

  VulkanDevice& device_;
  std::uint32_t buffers_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines_;
};

// Records commands, submits them, and waits until the GPU has finished.
void run_commands(VulkanDevice& device, const std::function<void(VkCommandBuffer)>& record);

// Makes all previous writes visible to everything that follows: dispatches, copies and reads by the processor.
void memory_barrier(VkCommandBuffer commands);

// Copy bytes to a buffer of BufferMemory::device, and back, through a temporary buffer. Ranges are in bytes.
void upload(VulkanDevice& device, const VulkanBuffer& target, std::size_t offset, std::span<const std::byte> bytes);
void download(VulkanDevice& device, const VulkanBuffer& source, std::size_t offset, std::span<std::byte> bytes);

}  // namespace sinew
