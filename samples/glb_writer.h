// A sample character as a whole, and its binary glTF 2.0 file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motion.h"
#include "skeleton.h"
#include "surface.h"
#include "weights.h"

namespace sinew::samples {

struct Material {
  std::string name;
  Vec3 colour;  // linear RGB
  double roughness = 0.8;
};

// A hard part that hangs on a joint: eye, tusk. Positions are relative to the joint.
struct RigidPart {
  std::string name;
  Index joint = 0;
  Index material = 0;
  std::vector<Vec3> position, normal;
  std::vector<Triangle> triangle;
};

// A node that hangs on a joint and carries neither mesh nor weights: what a deformer is steered by.
struct Control {
  std::string name;
  Index joint = 0;
  Vec3 position;  // rest, world, metres
};

struct MorphTarget {
  std::string name;
  std::vector<Vec3> offset;  // one per vertex of the surface, mostly zero
};

struct Sample {
  std::string name;
  Skeleton skeleton;
  Surface surface;                  // region of a triangle: its material
  std::vector<Vec3> normal;         // per vertex
  std::vector<Influences> weights;  // per vertex
  std::vector<Material> materials;
  std::vector<MorphTarget> morphs;
  std::vector<RigidPart> parts;
  std::vector<Control> controls;
  std::vector<Clip> clips;
};

// One primitive for each material that the surface uses, so that vertices on the borders of
// materials are doubled as exporters do; morph targets as sparse accessors; one animation for each clip.
std::vector<std::byte> to_glb(const Sample& sample);

// Sphere or ellipsoid of triangles around `centre` (world), for eyes.
RigidPart ball(const std::string& name, const Skeleton& skeleton, const std::string& joint, Index material,
               const Vec3& centre, const Vec3& radii, const Quat& orientation);
// A horn: circles of the given radii around a polyline (world), closed at both ends.
RigidPart horn(const std::string& name, const Skeleton& skeleton, const std::string& joint, Index material,
               const std::vector<Vec3>& path, const std::vector<double>& radius);

}  // namespace sinew::samples
