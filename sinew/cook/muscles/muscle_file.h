// The files of muscles and of their activation (docs/muscles.md, docs/muscles.schema.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// The thing that activates a muscle.
enum class ActivationSource {
  constant,
  turn,     // of the insertion's bone relative to the origin's, about the axis by which the muscle pulls it
  control,  // of a rig: a joint's angle, a morph target, a property or a control of the file (shape/control_values.h)
};

struct MuscleActivation {
  ActivationSource source = ActivationSource::turn;
  double value = 0;     // of `constant`, 0 to 1
  std::string control;  // of `control`
  // Values of the source, degrees for angles, at which activation is 0 and 1; different ones. It goes smoothly from one
  // to the other.
  double from = 10, to = 100;

  bool operator==(const MuscleActivation&) const = default;
};

// An end of a muscle.
struct MuscleEnd {
  std::string joint;  // joint of the bone that it is attached to
  Vec3 place;         // rest space, metres

  bool operator==(const MuscleEnd&) const = default;
};

// A curve from origin to insertion, along which fibres run, in a spindle that is thickest in the middle, or in a closed
// surface.
struct Muscle {
  std::string name;
  MuscleEnd origin, insertion;
  std::vector<Vec3> path;        // places between the ends that the curve passes, rest space, metres
  double radius = 0;             // of the spindle's middle, metres; 0: a surface gives the shape
  TriangleMesh mesh;             // the surface, rest space, metres; empty: a spindle
  std::optional<double> stress;  // largest active stress, pascals; empty: usual_muscle_stress times Young's modulus
  double optimal_length = 1;     // length of fibres at which they are strongest, relative to their length at rest
  double stiffness = 1;          // multiplies Young's modulus inside
  MuscleActivation activation;
};

// Largest active stress of a muscle whose file gives none, as a multiple of the flesh's Young's modulus, so that a look
// moves visibly whatever the character's size.
inline constexpr double usual_muscle_stress = 8;

struct MuscleFile {
  std::string file;  // as named by the user, for messages
  std::vector<Muscle> muscles;
  std::vector<std::string> left_out = {};  // names of muscles of `auto` that would lie in no flesh
};

std::string muscles_json(const MuscleFile& file);
// Throws input_error naming file, muscle, key and remedy. `file`: a name for messages.
MuscleFile muscles_from_json(std::string_view text, const std::string& file);

// Values of the setting `muscles` other than a file's name and a file's text, which begins with a brace.
inline constexpr const char* auto_muscles = "auto";
// The muscles of such a setting, which must not be empty or `auto`.
MuscleFile muscles_of_setting(const std::string& setting);

// The activation of the muscle of this name, or of those whose names match a pattern with * and ?.
struct NamedActivation {
  std::string muscles;
  MuscleActivation activation;
};
struct ActivationFile {
  std::string file;                          // as named by the user, for messages
  std::vector<AbstractControl> controls;     // keyed
  std::vector<NamedActivation> activations;  // of several that match a muscle, the last one counts
  std::string clip = {};                     // the clip that it was made for; empty: any
};
std::string activation_json(const ActivationFile& file);
ActivationFile activation_from_json(std::string_view text, const std::string& file);
// The activation of a setting: a file's name or text; empty: none.
ActivationFile activation_of_setting(const std::string& setting);

// JSON schemas of such texts in a schema of settings.
inline constexpr const char* muscles_schema = R"({"$ref": "muscles.schema.json"})";
inline constexpr const char* activation_schema = R"({"$ref": "muscles.schema.json#/$defs/activation_file"})";

}  // namespace sinew
