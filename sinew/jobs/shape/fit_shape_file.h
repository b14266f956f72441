// Force rigs from shapes: forces that give the skin a target shape, from meshes or morph targets (Capell 2004, section
// 6.5), and template rigs that follow dragged points (section 6.4.3). See docs/shape_control.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/jobs/shape_file.h"
#include "sinew/shape/fit_pose.h"
#include "sinew/shape/fit_template.h"

namespace sinew {

// The pose that a shape belongs to: the default one, or one of a clip, with joints turned from there.
struct ShapePose {
  std::optional<std::string> clip;  // as choose_clip() finds it
  double time = 0;                  // seconds on the clip's time line
  std::vector<std::string> turns;   // "elbow_l=90" or "elbow_l:x=90"
  // Points of the skin in that pose and where the target has them, world, metres: the pose is changed until they meet
  // (shape/fit_pose.h).
  std::vector<std::pair<Vec3, Vec3>> features{};
  std::vector<PoseFeature> at_vertices{};  // more of them, by vertices
  std::optional<Pose> exactly{};           // in place of clip, time and turns
};

// A ball around which a target counts, fully at its centre (force_template.h, bell()).
struct ShapeRegion {
  Vec3 centre;  // metres, at rest
  double radius = 0;
};

struct FitShapeJob {
  std::filesystem::path input;  // the character
  std::filesystem::path rigs;   // the file, which is made if it does not exist
  SizeRequest size;
  FleshSettings flesh;  // the flesh in which forces are found
  std::string name;     // of the rig. A rig of this name gets one more sample; one at the same value is replaced
  std::string control;  // empty: that of the rig of this name, else `name`
  // Value of the control in this shape; empty: that which a joint has in the pose, and 1 for other controls.
  std::optional<double> at;
  ShapePose pose;

  // A surface deformation rig: a file, or morph:NAME. Empty: a template follows points.
  std::string target;
  double target_scale = 1;             // units of the character's file per unit of the target's
  double smoothness = 1e-3;            // SkinFitOptions
  std::vector<ShapeRegion> regions{};  // empty: all skin counts
  std::vector<double> weight{};        // per vertex of the skin, in [0, 1], in place of regions; empty: by regions

  // Points of the skin, metres in the pose of the rig alone, and where each is dragged.
  std::vector<std::pair<Vec3, Vec3>> drags{};
  std::vector<DraggedPoint> dragged{};  // more of them, by vertices
  std::vector<std::string> fixed{};     // parameters that are kept
  int iterations = 30;                  // at most, of the search for parameters
};

AddedShape fit_shape(const FitShapeJob& job, const Progress& progress = {});
// Does the job in flesh that is there already; its `input`, `rigs` and `flesh` are not read.
AddedShape fit_shape_in(ShapeWork& work, const FitShapeJob& job, const Progress& progress = {});

// A rig for each morph target of the skin, or those that are named: forces that make its shape at weight 1, so that the
// shape swings (ShapeRig::morph). Those that do not move the skin are left out and named.
struct MorphsToForces {
  std::filesystem::path input, rigs;
  SizeRequest size;
  FleshSettings flesh;
  std::vector<std::string> names;  // empty: all
  double smoothness = 1e-3;
};
AddedShape shapes_from_morphs(const MorphsToForces& job, const Progress& progress = {});
AddedShape shapes_from_morphs_in(ShapeWork& work, const MorphsToForces& job, const Progress& progress = {});

}  // namespace sinew
