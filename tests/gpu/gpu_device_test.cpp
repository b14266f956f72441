#include "sinew/gpu/gpu_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/gpu/surface_gpu.h"
#include "sinew/gpu/vulkan_device.h"
#include "tests/gpu/test_device.h"
#include "tests/gpu/tube_model.h"

// What the validation layer and the driver keep for themselves. Objects of theirs that this program forgets are found
// by ClosingTheDeviceFindsEverythingDestroyed, all else by the leak checker.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libVkLayer_khronos_validation\nleak:libvulkan_\n"; }

namespace sinew {
namespace {

TEST(GpuDevice, TheOneThatIsOpenedIsAmongThoseListed) {
  const std::vector<std::string> names = gpu_device_names();
  ASSERT_FALSE(names.empty()) << "no Vulkan device: install a driver (Debian's package mesa-vulkan-drivers)";
  GpuDevice device;
  EXPECT_EQ(device.name(), names.front());
  EXPECT_EQ(GpuDevice({.name = names.back()}).name(), names.back());
}

TEST(GpuDevice, BytesComeBackAsTheyWere) {
  GpuDevice gpu({.name = "", .validate = true});
  VulkanDevice& device = gpu.vulkan();
  std::vector<std::uint32_t> sent(10001), received(5000);
  std::iota(sent.begin(), sent.end(), 7u);
  {
    const VulkanBuffer buffer(device, sent.size() * 4, BufferMemory::device, "numbers");
    upload(device, buffer, 0, std::as_bytes(std::span(sent)));
    download(device, buffer, 4 * 123, std::as_writable_bytes(std::span(received)));
  }
  EXPECT_TRUE(std::equal(received.begin(), received.end(), sent.begin() + 123));
  EXPECT_TRUE(gpu.validation_messages().empty());
}

TEST(GpuDevice, WhatADeviceCannotHoldIsRefusedWithASentence) {
  GpuDevice gpu;
  const std::size_t most = gpu.vulkan().properties.limits.maxStorageBufferRange;
  try {
    const VulkanBuffer buffer(gpu.vulkan(), most + 16, BufferMemory::device, "vertices of the bodies");
    ADD_FAILURE() << "a buffer of " << most + 16 << " bytes was made";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("vertices of the bodies"), std::string::npos) << error.what();
  }
}

TEST(GpuDevice, ClosingTheDeviceFindsEverythingDestroyed) {
  GpuDevice gpu({.name = "", .validate = true});
  {
    const std::vector<SurfaceGpuModel> models{pack_surface_model(test::tube())};
    SurfaceGpu bodies(gpu, models, std::vector<int>{0, 0});
    for (int b = 0; b < 2; ++b) bodies.set_bones(b, test::lively_bones(0, b));
    bodies.reset();
    bodies.step(3);
    SurfaceGpu moved = std::move(bodies);
    moved.shape(1);
  }
  EXPECT_TRUE(gpu.validation_messages().empty());
  gpu.vulkan().close_device();
  for (const std::string& message : gpu.validation_messages()) ADD_FAILURE() << message;
}

TEST(GpuDevice, ClosingTheDeviceFindsWhatIsLeft) {
  GpuDevice gpu({.name = "", .validate = true});
  VulkanDevice& device = gpu.vulkan();
  VkFenceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence forgotten = VK_NULL_HANDLE;
  ASSERT_EQ(vkCreateFence(device.device, &info, nullptr, &forgotten), VK_SUCCESS);
  device.close_device();
  EXPECT_FALSE(gpu.validation_messages().empty());
}

// The other tests take the layer's silence for a proof; here it must speak: a copy that reads what the one before it
// writes, without a barrier.
TEST(GpuDevice, ValidationFindsAMissingBarrier) {
  GpuDevice gpu({.name = "", .validate = true});
  {
    const VulkanBuffer a(gpu.vulkan(), 64, BufferMemory::device, "a"), b(gpu.vulkan(), 64, BufferMemory::device, "b");
    run_commands(gpu.vulkan(), [&](VkCommandBuffer commands) {
      const VkBufferCopy range{0, 0, 64};
      vkCmdCopyBuffer(commands, a.handle(), b.handle(), 1, &range);
      vkCmdCopyBuffer(commands, b.handle(), a.handle(), 1, &range);
    });
  }
  EXPECT_FALSE(gpu.validation_messages().empty());
}

}  // namespace
}  // namespace sinew
