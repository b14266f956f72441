// Parses a page's text message into a typed command, or a sentence about what is wrong. Pages are not trusted: numbers
// must be finite and within bounds, texts short and lists limited (docs/studio_protocol.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/jobs/motion/draw_motion.h"
#include "sinew/jobs/motion/edit_path.h"
#include "sinew/linalg/small.h"
#include "sinew/rigging/joint_placing.h"
#include "sinew/session/action.h"

namespace sinew::studio {

// A point of the skin, on a triangle of the surface. A SkinPlace may also be the skin's nearest point to a point in
// rest space.
struct SkinSpot {
  int triangle = 0;
  double u = 0, v = 0;  // weights of corners 1 and 2
};
using SkinPlace = std::variant<SkinSpot, Vec3>;

namespace command {

struct Hello {
  int version = 0;
};
struct Next {};
struct ListFiles {
  std::string folder;
};
struct Open {
  std::string path;
  bool look = false;  // a sample is opened where it is, and nothing that is done to it is kept
};
struct Play {
  std::optional<std::string> clip;
  std::optional<bool> loop;
  std::optional<double> speed;
};
struct Pause {};
struct Scrub {
  double time = 0;
};
struct Speed {
  double value = 1;
};
// All changes from a pointer's press to its release have the same `stroke` and are undone together; 0: none.
struct PoseJoints {
  std::map<int, Quat> joints;  // local rotations
  int stroke = 0;
};
// A joint is led to a place, and the limb follows (kinematics/reach_pose.h).
struct ReachJoint {
  int joint = 0;
  Vec3 target;                 // metres, world
  std::map<int, Vec3> pinned;  // joints and their places, metres, world
  double clip_time = 0;        // seconds on the clip's time line at which the page shows the character
  int stroke = 0;
};
// The line of the body follows a stroke (kinematics/line_of_action.h).
struct DrawLine {
  std::vector<Vec3> points;    // of the stroke, in the plane through the character that faces the viewer; metres
  Vec3 normal, eye;            // of the plane, towards the viewer; where the viewer is, metres, world
  std::optional<int> through;  // a joint of the line; empty: any
  bool feet_stay = false;      // feet that stand keep their places, as pinned joints do
  std::map<int, Vec3> pinned;  // joints and their places, metres, world
  double clip_time = 0;        // seconds on the clip's time line at which the page shows the character
  int stroke = 0;
};
struct Unpose {
  std::vector<int> joints;  // empty: all
};
// Keeps a pose in the project; without joints, forgets it.
struct KeepPose {
  std::string name;
  std::map<std::string, Quat> joints;  // local rotations, by the names of joints
};
struct Carry {
  Vec3 by;
  int stroke = 0;
};
struct Grab {
  std::string name;
  SkinPlace at;
  std::optional<Vec3> target;
  std::optional<double> radius;
  bool stays = false;  // keeps holding when its page is closed
};
struct Drag {
  std::string name;
  Vec3 target;
};
struct Release {
  std::string name;  // empty: everything
};
struct Act {
  Action action;  // a load, without its point
  SkinPlace at;
};
struct Gravity {
  std::optional<Vec3> value;  // empty: the clip's and the settings' again
};
// Multiplies stiffness and damping of the whole body.
struct Tissue {
  std::optional<double> stiffness, damping;
};
// Holds a control of force rigs, or multiplies the forces of a rig.
struct Shape {
  Action action;
};
// Adds the rigs of a preset, or one of a template.
struct AddShape {
  std::string preset, kind;     // one of the two; `kind` is the template's
  std::string name;             // of the rig; empty: the preset's, or one that is free
  std::optional<SkinPlace> at;  // of a face: its anchor on the skin, empty: found; of a template: where it is
};
// Replaces a rig, or removes it.
struct EditShape {
  std::string name;
  std::string rig;  // JSON; empty: removed
  int stroke = 0;
};
// Moves a rig's guide.
struct MoveShape {
  std::string name;
  SkinPlace to;  // of the template's centre
  int stroke = 0;
};
// Fits a template rig to points that are dragged, or forces to a target shape, in the pose that is displayed.
struct FitShape {
  std::string name;     // of the rig
  std::string control;  // FitShapeJob
  std::optional<double> at;
  std::vector<std::pair<SkinPlace, Vec3>> points;  // of the skin, and where they are dragged, metres, world
  std::vector<std::string> fixed;                  // parameters that are kept
  bool dragging = false;                           // the pointer is still down: a few iterations are enough
  std::string target;                              // a file, or morph:NAME; empty: points are dragged
  double scale = 1, smoothness = 1e-3;             // FitShapeJob
  // Places of the skin and of the target, metres, that show in which pose the target is; empty: in the displayed one.
  std::vector<std::pair<SkinPlace, Vec3>> features;
  std::vector<int> vertices;  // of the skin, that count; empty: all
  int stroke = 0;
};
// Makes forces of morph targets.
struct ShapesOfMorphs {
  std::vector<std::string> names;  // empty: all
};
// Draws the samples of a rig.
struct PictureShape {
  std::string name;
};
// Watches how a rig's shape swings, or plays a clip with it.
struct RehearseShape {
  std::string name;
  std::optional<std::string> clip;  // empty: the swing; empty text: the rest pose is played
};
// Carries the rigs of another character over to this one.
struct TransferShapes {
  std::string from;                                  // its file
  std::string rigs;                                  // file of its rigs; empty: those of its project
  std::vector<std::pair<Vec3, SkinPlace>> features;  // points that correspond: there, rest space, metres; here
  // Control points of the fitted lattice that are moved by hand: where one is and where it goes, here, rest space,
  // metres.
  std::vector<std::pair<Vec3, Vec3>> moves;
  bool lattice_only = false;  // the fitted lattice is shown, and no rigs are carried
};
// The surface of another character at rest; with `scale` all meshes of a file as a target of FitShape.
struct ShowSurface {
  std::string path;
  std::optional<double> scale;
};
struct ChooseMethod {
  std::string name, model;
  std::string settings;  // JSON object of settings that are set with it; empty: none
};
struct Set {
  std::string path;
  std::string value;  // JSON
  int stroke = 0;
};
struct Reset {
  std::string path;  // empty: all
};
struct Paint {
  std::string channel;
  std::vector<std::pair<int, float>> values;  // per surface vertex
};
struct Channel {
  std::string name;
};
// Adds, replaces or removes a curve along a limb.
struct EditLimb {
  int index = 0;      // of the curve; the number of curves for a new one
  std::string curve;  // JSON, as in the setting `along`; empty: removed
  int stroke = 0;
};
// Where the skin is along a chain of bones.
struct ShowLimb {
  std::string from, to;  // names of bones
};
// Gives the character motion of another file or a built-in one, takes it away again, or names its bones by hand.
struct EditMotion {
  std::string action;  // add, remove, map
  std::string motion;  // a value of --motion; of `map`, that of --motion-map, empty: none
};
struct ListMotions {};
struct PictureMotion {
  std::string motion;
};
// Pushes the body: it reacts as a body of rigid links does, in a new clip.
struct PushBody {
  SkinPlace at;          // what is pushed
  Vec3 impulse;          // N s, world
  double clip_time = 0;  // when, seconds on the clip's time line
};
// Asks for the path of a joint over the clip that plays.
struct ShowPath {
  int joint = 0;
};
// Edits that path (jobs/motion/edit_path.h): the edited clip becomes a motion of the project.
struct EditPath {
  PathEdit edit;       // metres, world
  bool trial = false;  // answers with the path alone
};
// Leads the body along a stroke with the timing of its drawing: the clip becomes a motion of the project.
struct DrawMotion {
  DrawnStroke stroke;
};
// Steers the character through the motion graph of its clips.
struct Steer {
  std::string action;  // begin, go or end
  double turn = 0;     // -1 (to its right) to 1 (to its left)
  double pace = 0;     // 0: stands, 1: walks, 2: runs
};
struct Undo {};
struct Redo {};
struct EditTake {
  std::string action, name, to;
  std::optional<double> from, seconds;  // begin and end of a trimmed take, seconds into the take
};
struct Bake {
  std::string output, clip, take, preview;
  double frames_per_second = 30;
  std::optional<bool> loop;
  std::optional<double> from, to;  // part of the clip, seconds; empty: its start, its end
  bool replace = false;            // overwrite existing files that this studio did not bake
};
// Learns a model from clips of the flesh that plays.
struct Fit {
  std::string output;              // .sinew, beside the character
  std::vector<std::string> clips;  // names; empty: the first
  bool replace = false;
};
// Learns how the inside of the body follows the controls that the method rigspace frees.
struct Learn {
  std::string output;  // .vskin, beside the character
  bool replace = false;
};
struct Cancel {};
struct Check {};
struct Show {
  std::optional<bool> heat, goal, measures, cells, muscles;
  std::optional<SkinPlace> picked;
};
struct ShowCells {};
// Edits the joints of a mesh without a skeleton (rigging/rig_bench.h).
struct EditJoint {
  std::string action, name, to;
  std::string parent, above;        // of a new joint, or of a bone; the joint above which another is inserted
  std::string axis;                 // "x", "z" or "none"; empty: as before
  std::optional<LineOfSight> line;  // where the pointer is
  std::optional<Vec3> position, normal;
  bool snap = true;   // a dragged joint goes to the middle of the body
  bool both = false;  // its partner moves too
  int stroke = 0;
};
struct ShowRigMesh {};
struct TryJoints {
  std::map<std::string, Quat> joints;  // local rotations
};
struct ShowWeights {
  std::string name;  // of a joint; empty: the strongest
};
// Corrects weights of the mesh that gets a rig.
struct PaintWeights {
  std::string action, name;                    // of a joint
  std::vector<std::pair<int, double>> values;  // vertices with amounts
  std::vector<std::string> locked;             // joints
  int stroke = 0;
};
struct ReportRig {};
struct SaveRig {
  std::string output;
  bool replace = false, open = false;
};
struct LetFall {
  std::string output;
  bool replace = false;
};
struct PlayComparison {
  std::string method, model;  // empty: end the comparison
};
// Edits a control lattice by hand (lattice/lattice_bench.h). Which members count depends on the action.
struct EditLattice {
  std::string action;                   // open, close, use, move, snap, free, split, merge, collapse, add, ...
  std::string from, bone, how;          // what it begins with; a bone's name; how vertices are snapped
  std::vector<int> vertices, cells;     // indices
  std::vector<std::vector<int>> edges;  // by two vertices
  std::vector<std::vector<int>> faces;  // by their corners
  Vec3 by;                              // metres, rest space, from the stroke's beginning
  double falloff = 0;                   // metres along edges
  std::optional<double> height;         // metres, of added cells; empty: the mean edge of their faces
  int count = 0;                        // wanted number of cells, or of cubes along the longest side; 0: the usual one
  bool mirror = false, apex = false, on = true;
  int stroke = 0;
};
// Puts a ring around the skin, or moves one.
struct PlaceRing {
  std::optional<int> ring;      // index of a ring that is moved; empty: a new one
  std::optional<SkinPlace> at;  // a point of the skin that its plane goes through, across the nearest bone; or
  std::vector<int> vertices;    // of the surface: a band that its plane goes along
  int stroke = 0;
};
struct ShowRings {};
// Attaches the skin around a point to a joint: an entry of the setting `grabs`.
struct AttachSkin {
  SkinPlace at;
  std::string joint;  // empty: that of the bone that the skin follows most there
};
// Puts a free handle on the skin.
struct PlaceHandle {
  SkinPlace at;
  bool frame = false;  // else a point
};
struct ShowHandles {};
// Places muscles in the flesh, or changes one.
struct EditMuscle {
  enum class Kind {
    place,   // those that skeleton and flesh suggest
    remove,  // one, or without a name all
    hold,    // fixes the activation at `value`; without one, it follows its source again
    move     // moves an end to another place of its bone
  };
  Kind kind = Kind::place;
  std::string name;  // of the muscle
  std::optional<double> value;
  bool origin = false;  // the end that moves; else the insertion
  Vec3 to;              // metres, rest space
  int stroke = 0;
};
struct ShowLattice {};
// Whether the page shows the curves that the method computes.
struct ShowCurves {
  bool on = true;
};
// Fixes a parameter of the method `rigspace` by keys.
struct EditCurve {
  std::string clip, parameter;
  std::string stretches;  // JSON list; empty list: physics has the parameter back
  int stroke = 0;
};
struct ShowLatticeSkin {};
struct CheckLattice {};

}  // namespace command

using Request =
    std::variant<command::Hello, command::Next, command::ListFiles, command::Open, command::Play, command::Pause,
                 command::Scrub, command::Speed, command::PoseJoints, command::ReachJoint, command::DrawLine,
                 command::Unpose, command::KeepPose, command::Carry, command::Grab, command::Drag, command::Release,
                 command::Act, command::Gravity, command::Tissue, command::Shape, command::AddShape, command::EditShape,
                 command::MoveShape, command::FitShape, command::ShapesOfMorphs, command::PictureShape,
                 command::RehearseShape, command::TransferShapes, command::ShowSurface, command::ChooseMethod,
                 command::Set, command::Reset, command::Paint, command::Channel, command::EditLimb, command::ShowLimb,
                 command::Undo, command::Redo, command::EditTake, command::Bake, command::Cancel, command::Check,
                 command::Show, command::ShowCells, command::PlayComparison, command::EditJoint, command::ShowRigMesh,
                 command::TryJoints, command::ShowWeights, command::PaintWeights, command::ReportRig, command::SaveRig,
                 command::LetFall, command::Fit, command::Learn, command::EditLattice, command::ShowLattice,
                 command::ShowLatticeSkin, command::CheckLattice, command::PlaceRing, command::EditMotion,
                 command::ListMotions, command::PictureMotion, command::Steer, command::PushBody, command::ShowPath,
                 command::EditPath, command::DrawMotion, command::ShowRings, command::AttachSkin, command::PlaceHandle,
                 command::ShowHandles, command::EditMuscle, command::ShowCurves, command::EditCurve>;

struct Command {
  std::optional<std::int64_t> id;  // empty if it could not be read
  Request request;
  std::string complaint;  // a sentence; empty if the request is valid
};

// Parses a message. Never throws.
Command parse_command(std::string_view text);

}  // namespace sinew::studio
