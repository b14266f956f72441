// The GPU that compute work runs on, through Vulkan 1.1: any driver will do, a processor's (Mesa's lavapipe) included.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct GpuDeviceOptions {
  std::string name;       // a piece of the device's name; empty: the most capable one
  bool validate = false;  // ask Khronos' validation layer to judge every call; an input_error where it is not installed
};

struct VulkanDevice;  // sinew/gpu/vulkan_device.h

// Holds one device with one compute queue; everything made from it must be gone before it is. Calls for one device come
// from one thread at a time. Throws input_error where no device fits and says what to install.
class GpuDevice {
 public:
  explicit GpuDevice(const GpuDeviceOptions& options = {});
  ~GpuDevice();
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const std::string& name() const;
  // A processor that plays a GPU: right in its numbers, not in its times.
  bool is_processor() const;
  // What the validation layer found so far, one sentence each; empty where it was not asked.
  const std::vector<std::string>& validation_messages() const;

  VulkanDevice& vulkan() { return *vulkan_; }

 private:
  std::unique_ptr<VulkanDevice> vulkan_;
};

// Names of all devices that could run compute work, the most capable first; empty without Vulkan.
std::vector<std::string> gpu_device_names();

}  // namespace sinew
