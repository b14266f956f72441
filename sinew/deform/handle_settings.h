// Free handles of the method `mixed` in settings and files: points and frames in a body that lead it (Song et al. 2024;
// docs/mixed_characters.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/setting.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class HandleKind {
  point,  // leads a place of the body; the flesh there is turned as the rest of the body asks for
  frame,  // leads a place and turns the flesh there
  slide,  // holds a patch of skin along its mean normal alone; across it the skin slides freely
};

// The part of the body that a handle holds.
enum class HandleGrip {
  flesh,  // all flesh within the radius, connected with the place
  skin,   // the patch of skin within the radius, measured along the skin
};

// Where a handle is led at a time.
struct HandleKey {
  double time = 0;  // seconds on the clip's time line
  Vec3 move;        // offset from its place, metres, in the default pose
  Vec3 turn;        // rotation vector, degrees, in the default pose

  static SettingsTable describe();
};

struct HandleSettings {
  std::string name;  // for messages; empty: its number
  HandleKind kind = HandleKind::point;
  Vec3 place;                    // in the body or on its skin, metres, rest pose
  std::optional<double> radius;  // of what it holds around its place, metres; empty: hand_of_height
  HandleGrip grip = HandleGrip::flesh;
  std::string joint;            // joint that carries it; empty: fixed in the world
  Vec3 move;                    // offset from its place where it has no keys, metres, in the default pose
  Vec3 turn;                    // of a frame or slide without keys: rotation vector, degrees, in the default pose
  std::vector<HandleKey> keys;  // ascending by time; in place of `move` and `turn`

  static SettingsTable describe();
};

// Content of a file of handles.
struct HandleList {
  std::vector<HandleSettings> handles;

  static SettingsTable describe();
};

// Largest number of handles of a character.
inline constexpr std::size_t most_handles = 200;

// "handle 'tip'", or "handle 3" for one without a name, for messages. `index` counts from 0.
std::string handle_words(const HandleSettings& handle, std::size_t index);

// Offset and rotation vector (degrees) at a time of the clip: linear between keys, constant before the first and after
// the last. `time` of the result is meaningless.
HandleKey handle_at(const HandleSettings& handle, double clip_time);

// The rigid motion of a key about a place, metres, default pose.
Affine motion_about(const Vec3& place, const HandleKey& key);

// The last time of all keys, seconds; empty: there are no keys.
std::optional<double> last_key_time(const std::vector<HandleSettings>& handles);

// The handles where their regions are at rest: without keys and offsets. A body depends on no more than that.
std::vector<HandleSettings> without_motion(std::vector<HandleSettings> handles);

}  // namespace sinew
