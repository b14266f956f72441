#include "sinew/picture/ray_scene.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr int triangle_vertices = 3;

RTCRay embree_ray(const Vec3& origin, const Vec3& direction, double nearest, double farthest) {
  RTCRay ray{};
  ray.org_x = static_cast<float>(origin.x);
  ray.org_y = static_cast<float>(origin.y);
  ray.org_z = static_cast<float>(origin.z);
  ray.dir_x = static_cast<float>(direction.x);
  ray.dir_y = static_cast<float>(direction.y);
  ray.dir_z = static_cast<float>(direction.z);
  ray.tnear = static_cast<float>(nearest);
  ray.tfar = static_cast<float>(farthest);
  ray.mask = ~0u;
  return ray;
}

// Embree 4 replaced the context argument of version 3 by optional arguments at the end.
void occlude(RTCScene scene, RTCRay& ray) {
#if RTC_VERSION_MAJOR >= 4
  rtcOccluded1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &ray);
#endif
}

template <class Value>
Value* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
  void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, triangle_vertices * sizeof(Value), count);
  if (!buffer)
    throw simulation_error("the picture's ray caster is out of memory for " + std::to_string(count) +
                           " mesh elements; render a smaller mesh");
  return static_cast<Value*>(buffer);
}

}  // namespace

struct RayScene::Hierarchy {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

  Hierarchy() {
    device = rtcNewDevice(nullptr);
    if (device) scene = rtcNewScene(device);
    if (!scene) throw simulation_error("the picture's ray caster could not start; check the installation of Embree");
  }
  ~Hierarchy() {
    if (scene) rtcReleaseScene(scene);
    if (device) rtcReleaseDevice(device);
  }
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
};

RayScene::RayScene(std::span<const Vec3> positions, std::span<const Triangle> triangles)
    : hierarchy_(std::make_unique<Hierarchy>()) {
  RTCScene scene = hierarchy_->scene;
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  if (!triangles.empty()) {
    RTCGeometry geometry = rtcNewGeometry(hierarchy_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);  // the scene keeps it from here on
    float* vertex = new_buffer<float>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, positions.size());
    for (const Vec3& p : positions)
      for (std::size_t axis = 0; axis < 3; ++axis) *vertex++ = static_cast<float>(p[axis]);
    unsigned* index = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles.size());
    for (const Triangle& triangle : triangles)
      for (int corner : triangle) *index++ = static_cast<unsigned>(corner);
    rtcCommitGeometry(geometry);
  }
  tbb::task_arena one_thread(1);
  one_thread.execute([&] { rtcCommitScene(scene); });
}

RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;

bool RayScene::occluded(const Vec3& origin, const Vec3& direction, double nearest, double farthest) const {
  RTCRay ray = embree_ray(origin, direction, nearest, farthest);
  occlude(hierarchy_->scene, ray);
  return ray.tfar < 0;
}

}  // namespace sinew
