#include "sinew/gpu/vulkan_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr std::uint32_t none = ~0u;

// The first kind of memory with all of `wanted`, preferring those with `liked`.
std::uint32_t memory_type(const VulkanDevice& device, std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                          VkMemoryPropertyFlags liked) {
  std::uint32_t found = none;
  for (std::uint32_t t = 0; t < device.memory.memoryTypeCount; ++t) {
    const VkMemoryPropertyFlags flags = device.memory.memoryTypes[t].propertyFlags;
    if (!(allowed & (1u << t)) || (flags & wanted) != wanted) continue;
    if ((flags & liked) == liked) return t;
    if (found == none) found = t;
  }
  return found;
}

std::uint32_t memory_type(const VulkanDevice& device, std::uint32_t allowed, BufferMemory memory) {
  constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (memory) {
    case BufferMemory::device:
      return memory_type(device, allowed, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    case BufferMemory::upload:
      return memory_type(device, allowed, seen, 0);
    case BufferMemory::readback:
      return memory_type(device, allowed, seen, VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  }
  return none;
}

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + 1048575) / 1048576) + " MB"; }

}  // namespace

void check(const VulkanDevice& device, VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  throw simulation_error("the GPU '" + device.name + "' failed to " + what + " (Vulkan's code " +
                         std::to_string(static_cast<int>(result)) + ")");
}

VulkanBuffer::VulkanBuffer(VulkanDevice& device, std::size_t bytes, BufferMemory memory, const char* what)
    : device_(&device), size_(std::max<std::size_t>(bytes, 16)) {
  if (memory == BufferMemory::device && size_ > device.properties.limits.maxStorageBufferRange)
    throw input_error(std::string("the ") + what + " need " + megabytes(size_) + " in one buffer and '" + device.name +
                      "' allows " + megabytes(device.properties.limits.maxStorageBufferRange) +
                      ": put fewer bodies together");
  try {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size_;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (memory == BufferMemory::device) info.usage |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    check(device, vkCreateBuffer(device.device, &info, nullptr, &buffer_), "make a buffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device.device, buffer_, &needs);
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = memory_type(device, needs.memoryTypeBits, memory);
    if (allocation.memoryTypeIndex == none ||
        vkAllocateMemory(device.device, &allocation, nullptr, &memory_) != VK_SUCCESS)
      throw simulation_error(std::string("the GPU '") + device.name + "' has no " + megabytes(size_) +
                             " of memory left for the " + what + ": put fewer bodies together");
    check(device, vkBindBufferMemory(device.device, buffer_, memory_, 0), "bind memory");
    if (memory != BufferMemory::device) {
      void* bytes_seen = nullptr;
      check(device, vkMapMemory(device.device, memory_, 0, VK_WHOLE_SIZE, 0, &bytes_seen), "map memory");
      mapped_ = static_cast<std::byte*>(bytes_seen);
    }
  } catch (...) {
    release();
    throw;
  }
}

VulkanBuffer::~VulkanBuffer() { release(); }

VulkanBuffer::VulkanBuffer(VulkanBuffer&& other) noexcept { *this = std::move(other); }

VulkanBuffer& VulkanBuffer::operator=(VulkanBuffer&& other) noexcept {
  if (this == &other) return *this;
  release();
  device_ = std::exchange(other.device_, nullptr);
  buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
  memory_ = std::exchange(other.memory_, VK_NULL_HANDLE);
  size_ = std::exchange(other.size_, 0);
  mapped_ = std::exchange(other.mapped_, nullptr);
  return *this;
}

void VulkanBuffer::release() {
  if (!device_) return;
  vkDestroyBuffer(device_->device, buffer_, nullptr);
  vkFreeMemory(device_->device, memory_, nullptr);
  device_ = nullptr;
}

VulkanPipelines::VulkanPipelines(VulkanDevice& device, std::span<const std::uint32_t> spirv, std::uint32_t buffers,
                                 std::uint32_t push_constant_bytes,
                                 std::span<const std::vector<std::uint32_t>> constants)
    : device_(device), buffers_(buffers) {
  if (buffers > device.properties.limits.maxPerStageDescriptorStorageBuffers)
    throw input_error("'" + device.name + "' lets a shader see " +
                      std::to_string(device.properties.limits.maxPerStageDescriptorStorageBuffers) + " buffers, and " +
                      std::to_string(buffers) + " are needed: choose another device");
  VkShaderModule shader = VK_NULL_HANDLE;
  try {
    std::vector<VkDescriptorSetLayoutBinding> bindings(buffers);
    for (std::uint32_t b = 0; b < buffers; ++b)
      bindings[b] = {b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = buffers;
    set.pBindings = bindings.data();
    check(device, vkCreateDescriptorSetLayout(device.device, &set, nullptr, &set_layout_), "make a descriptor layout");

    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constant_bytes};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = push_constant_bytes ? 1 : 0;
    layout.pPushConstantRanges = &push;
    check(device, vkCreatePipelineLayout(device.device, &layout, nullptr, &layout_), "make a pipeline layout");

    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers * max_sets};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = max_sets;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(device, vkCreateDescriptorPool(device.device, &pool, nullptr, &pool_), "make a descriptor pool");

    VkShaderModuleCreateInfo code{};
    code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    code.codeSize = spirv.size_bytes();
    code.pCode = spirv.data();
    check(device, vkCreateShaderModule(device.device, &code, nullptr, &shader), "read a shader");
    for (const std::vector<std::uint32_t>& values : constants) {
      std::vector<VkSpecializationMapEntry> entries;
      for (std::uint32_t id = 0; id < values.size(); ++id)
        entries.push_back({id, static_cast<std::uint32_t>(id * sizeof(std::uint32_t)), sizeof(std::uint32_t)});
      const VkSpecializationInfo special{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                         values.size() * sizeof(std::uint32_t), values.data()};
      VkComputePipelineCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
      info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
      info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
      info.stage.module = shader;
      info.stage.pName = "main";
      info.stage.pSpecializationInfo = &special;
      info.layout = layout_;
      VkPipeline pipeline = VK_NULL_HANDLE;
      check(device, vkCreateComputePipelines(device.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            "compile a shader");
      pipelines_.push_back(pipeline);
    }
  } catch (...) {
    vkDestroyShaderModule(device.device, shader, nullptr);
    release();
    throw;
  }
  vkDestroyShaderModule(device.device, shader, nullptr);
}

VulkanPipelines::~VulkanPipelines() { release(); }

void VulkanPipelines::release() {
  for (const VkPipeline pipeline : pipelines_) vkDestroyPipeline(device_.device, pipeline, nullptr);
  vkDestroyDescriptorPool(device_.device, pool_, nullptr);
  vkDestroyPipelineLayout(device_.device, layout_, nullptr);
  vkDestroyDescriptorSetLayout(device_.device, set_layout_, nullptr);
}

VkDescriptorSet VulkanPipelines::bind(std::span<const VkBuffer> buffers) {
  if (buffers.size() != buffers_)
    throw usage_error("a shader of " + std::to_string(buffers_) + " buffers was given " +
                      std::to_string(buffers.size()));
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pool_;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &set_layout_;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(device_, vkAllocateDescriptorSets(device_.device, &info, &set), "bind buffers");
  std::vector<VkDescriptorBufferInfo> ranges;
  for (const VkBuffer buffer : buffers) ranges.push_back({buffer, 0, VK_WHOLE_SIZE});
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = buffers_;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = ranges.data();
  vkUpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
  return set;
}

void run_commands(VulkanDevice& device, const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBufferAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = device.command_pool;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(device, vkAllocateCommandBuffers(device.device, &allocation, &commands), "make a command buffer");
  struct Freed {
    VulkanDevice& device;
    VkCommandBuffer& commands;
    ~Freed() { vkFreeCommandBuffers(device.device, device.command_pool, 1, &commands); }
  } const freed{device, commands};

  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(device, vkBeginCommandBuffer(commands, &begin), "begin commands");
  record(commands);
  check(device, vkEndCommandBuffer(commands), "end commands");
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  check(device, vkQueueSubmit(device.queue, 1, &submit, device.fence), "take commands");
  check(device, vkWaitForFences(device.device, 1, &device.fence, VK_TRUE, UINT64_MAX), "finish its work");
  check(device, vkResetFences(device.device, 1, &device.fence), "reset a fence");
}

void memory_barrier(VkCommandBuffer commands) {
  constexpr VkPipelineStageFlags work = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                          VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, work, work | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void upload(VulkanDevice& device, const VulkanBuffer& target, std::size_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const VulkanBuffer staging(device, bytes.size(), BufferMemory::upload, "data on their way to the GPU");
  std::memcpy(staging.mapped(), bytes.data(), bytes.size());
  run_commands(device, [&](VkCommandBuffer commands) {
    const VkBufferCopy range{0, offset, bytes.size()};
    vkCmdCopyBuffer(commands, staging.handle(), target.handle(), 1, &range);
    memory_barrier(commands);
  });
}

void download(VulkanDevice& device, const VulkanBuffer& source, std::size_t offset, std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  const VulkanBuffer staging(device, bytes.size(), BufferMemory::readback, "data on their way from the GPU");
  run_commands(device, [&](VkCommandBuffer commands) {
    memory_barrier(commands);
    const VkBufferCopy range{offset, 0, bytes.size()};
    vkCmdCopyBuffer(commands, source.handle(), staging.handle(), 1, &range);
    memory_barrier(commands);
  });
  std::memcpy(bytes.data(), staging.mapped(), bytes.size());
}

}  // namespace sinew
