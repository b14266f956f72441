#include "sinew/gpu/gpu_device.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/gpu/vulkan_device.h"

namespace sinew {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL remember_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* message, void* device) {
  static_cast<VulkanDevice*>(device)->messages.emplace_back(message->pMessage);
  return VK_FALSE;
}

bool has_validation_layer() {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(),
                     [](const VkLayerProperties& l) { return std::strcmp(l.layerName, validation_layer) == 0; });
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(VulkanDevice& device) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = remember_message;
  info.pUserData = &device;
  return info;
}

// Returns whether there is a Vulkan loader with a driver at all.
bool open_instance(VulkanDevice& device, bool validate) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "Sinew";
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const VkDebugUtilsMessengerCreateInfoEXT messages = messenger_info(device);
  // Also reports barriers that are missing between dispatches and copies.
  const VkValidationFeatureEnableEXT feature = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{};
  features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features.pNext = &messages;
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &feature;
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  if (validate) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = extensions;
  }
  if (vkCreateInstance(&info, nullptr, &device.instance) != VK_SUCCESS) return false;
  if (validate) {
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(device.instance, "vkCreateDebugUtilsMessengerEXT"));
    if (create) create(device.instance, &messages, nullptr, &device.messenger);
  }
  return true;
}

struct Candidate {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  std::uint32_t queue_family = 0, timestamp_bits = 0;
};

// Prefers a queue for computing only, which does not share its time with drawing.
std::optional<Candidate> compute_candidate(VkPhysicalDevice physical) {
  Candidate candidate{physical, {}, 0, 0};
  vkGetPhysicalDeviceProperties(physical, &candidate.properties);
  if (candidate.properties.apiVersion < VK_API_VERSION_1_1) return std::nullopt;
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  bool found = false;
  for (std::uint32_t f = 0; f < count; ++f) {
    if (families[f].queueCount == 0 || !(families[f].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    const bool alone = !(families[f].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    if (found && !alone) continue;
    candidate.queue_family = f;
    candidate.timestamp_bits = families[f].timestampValidBits;
    found = true;
    if (alone) break;
  }
  return found ? std::optional(candidate) : std::nullopt;
}

int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 3;
  }
}

std::vector<Candidate> compute_candidates(VkInstance instance) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> physical(count);
  vkEnumeratePhysicalDevices(instance, &count, physical.data());
  physical.resize(count);
  std::vector<Candidate> candidates;
  for (const VkPhysicalDevice p : physical)
    if (const auto candidate = compute_candidate(p)) candidates.push_back(*candidate);
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return rank(a.properties.deviceType) < rank(b.properties.deviceType);
  });
  return candidates;
}

Candidate choose(VkInstance instance, const std::string& name) {
  const std::vector<Candidate> candidates = compute_candidates(instance);
  if (candidates.empty())
    throw input_error(
        "no Vulkan device was found: install the driver of your GPU, or Mesa's for the processor "
        "(Debian's package mesa-vulkan-drivers)");
  std::string all;
  for (const Candidate& candidate : candidates) {
    if (std::strstr(candidate.properties.deviceName, name.c_str())) return candidate;
    all += (all.empty() ? "'" : ", '") + std::string(candidate.properties.deviceName) + "'";
  }
  throw input_error("no Vulkan device has '" + name + "' in its name: there are " + all);
}

void open_queue(VulkanDevice& device) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = device.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  check(device, vkCreateDevice(device.physical, &info, nullptr, &device.device), "open");
  vkGetDeviceQueue(device.device, device.queue_family, 0, &device.queue);

  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = device.queue_family;
  check(device, vkCreateCommandPool(device.device, &pool, nullptr, &device.command_pool), "make a command pool");
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  check(device, vkCreateFence(device.device, &fence, nullptr, &device.fence), "make a fence");
}

}  // namespace

void VulkanDevice::close_device() {
  if (!device) return;
  vkDeviceWaitIdle(device);
  vkDestroyFence(device, fence, nullptr);
  vkDestroyCommandPool(device, command_pool, nullptr);
  vkDestroyDevice(device, nullptr);
  device = VK_NULL_HANDLE;
}

VulkanDevice::~VulkanDevice() {
  close_device();
  if (messenger) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    if (destroy) destroy(instance, messenger, nullptr);
  }
  if (instance) vkDestroyInstance(instance, nullptr);
}

GpuDevice::GpuDevice(const GpuDeviceOptions& options) : vulkan_(std::make_unique<VulkanDevice>()) {
  VulkanDevice& device = *vulkan_;
  if (options.validate && !has_validation_layer())
    throw input_error(
        "Vulkan's validation layer is not installed: install it (Debian's package "
        "vulkan-validationlayers) or do without validation");
  if (!open_instance(device, options.validate))
    throw input_error(
        "Vulkan could not be started: install the driver of your GPU, or Mesa's for the processor "
        "(Debian's package mesa-vulkan-drivers)");
  const Candidate chosen = choose(device.instance, options.name);
  device.physical = chosen.physical;
  device.properties = chosen.properties;
  device.queue_family = chosen.queue_family;
  device.timestamp_bits = chosen.timestamp_bits;
  device.name = chosen.properties.deviceName;
  vkGetPhysicalDeviceMemoryProperties(device.physical, &device.memory);
  open_queue(device);
}

GpuDevice::~GpuDevice() = default;

const std::string& GpuDevice::name() const { return vulkan_->name; }
bool GpuDevice::is_processor() const { return vulkan_->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
const std::vector<std::string>& GpuDevice::validation_messages() const { return vulkan_->messages; }

std::vector<std::string> gpu_device_names() {
  VulkanDevice device;
  std::vector<std::string> names;
  if (!open_instance(device, false)) return names;
  for (const Candidate& candidate : compute_candidates(device.instance))
    names.emplace_back(candidate.properties.deviceName);
  return names;
}

}  // namespace sinew
