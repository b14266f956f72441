// The path of a joint of a clip, edited in space or time: a new clip of the character (docs/motion.md).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"
#include "sinew/kinematics/line_of_action.h"

namespace sinew {

struct PathEdit {
  int joint = -1;           // index into Skeleton::joints
  double time = 0;          // clip time that is edited, seconds; cut to the clip
  double width = 0.3;       // seconds on either side of it within which the edit fades
  std::vector<int> pinned;  // joints that keep their paths, besides the feet
  // One of these is done.
  Vec3 by{};                          // displaces the joint at `time`, metres, world
  std::optional<DrawnLine> stroke{};  // replaces the path from `time` until `until`; metres, world
  double until = 0;
  std::optional<double> from{};  // the joint is at `time` where it was at this time; its path in space stays
  double linger = 0;             // and it is so much slower there (kinematics/paths/joint_path.h)
};

struct EditedPath {
  Clip clip;
  double missed = 0;       // largest distance of the joint from where it should be, metres
  double pins_missed = 0;  // of feet and pinned joints from theirs, metres
  bool trunk_helps = false;
};

// Edits the paths of joints of one clip. Feet keep their paths, and their orientation where they are led themselves. A
// foot that is led while it stands is displaced as long as it stands; one that is led in the air comes back before it
// stands. Of a clip that repeats the edit fades beyond its ends into its beginning, and the other way round. The new
// clip has the name of the old one with ", edited". The functions throw usage_error, sentences that name the clip or
// the joint.
class PathEditor {
 public:
  // `clip`: name or number; empty: the first. The character must outlive this.
  PathEditor(const OpenedCharacter& opened, const std::string& clip);
  ~PathEditor();
  PathEditor(PathEditor&&) noexcept;

  EditedPath edit(const PathEdit& edit) const;

 private:
  struct Body;
  const OpenedCharacter* opened_;
  const Clip* clip_;
  std::unique_ptr<const Body> body_;
};

// An edit from file to file; joints by name.
struct EditPathJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  SizeRequest size;
  std::string clip;  // name or number; empty: the first
  std::string joint;
  std::vector<std::string> pinned{};
  PathEdit edit;     // its joint and pinned joints are not used
  std::string name;  // of the new clip; empty: that of the old one with ", edited"
};
EditedPath edit_path(const EditPathJob& job);

// Places of a joint over a clip, for a picture.
struct PathOfJoint {
  std::vector<double> times;  // clip time, seconds: the frames of the clip
  std::vector<Vec3> places;   // metres, world
};
PathOfJoint path_of_joint(const Character& character, const Clip& clip, int joint);

// The name that an edited clip has.
std::string edited_name(const std::string& clip);

}  // namespace sinew
