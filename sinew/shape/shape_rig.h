// Force rigs (Capell 2004, section 6.3): a template on a guide, whose parameters eta follow controls gamma through
// samples (gamma_k, eta_k). Plain values, as files, sliders and optimisers have them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/shape/force_template.h"
#include "sinew/shape/guide.h"

namespace sinew {

// A dab of paint on the skin: a bell around a point, B(|x - point|, radius).
struct PaintDab {
  Vec3 point;         // rest space, metres
  double radius = 0;  // metres
  double value = 1;   // at the point; dabs add
};

// A force on a vertex of the skin.
struct SkinForce {
  int vertex = -1;  // of SimulationSurface::rest
  Vec3 force;       // newtons, rest space; turned with the flesh
};

// An ellipsoid in which a sample changes the tissue.
struct TissueRegion {
  Vec3 centre;                   // rest space, metres
  Mat3 axes = Mat3::identity();  // columns: half axes, rest space, metres
};

struct ShapeSample {
  std::vector<double> at;   // value of each control
  std::vector<double> eta;  // value of each row of parameters_of()
  // Forces of a `field`, ascending by vertex: eta of a surface deformation rig, which is the generalised force itself
  // (equation 6.6).
  std::vector<SkinForce> forces = {};
  // True, of a `field`, for a sample that was found along with the next one (SkinFit::between), and goes with it.
  bool between = false;
  // Reach of a `field`: the farthest that these forces would move the skin at rest if flesh were linear, in the flesh
  // that they were found in, metres. In stiffer or softer flesh they are scaled so that this holds again. 0: they are
  // not scaled.
  double reach = 0;
  // Two changes of the tissue, in the middle of a template with a guide or of `region`, from where both fade out with
  // the bell of the template's support. `strain`: stretch of the flesh's natural shape along the first axis, at
  // constant volume; below 1: a muscle that shortens. `stiffness`: factor of the flesh's stiffness.
  double strain = 1, stiffness = 1;
  TissueRegion region = {};  // of a `field` with such a change
};

inline constexpr ShapeParameter strain_parameter{
    "strain", {}, 1, between(0.3, 3), "Stretch of the flesh's natural shape along the template's x axis"},
    stiffness_parameter{"stiffness", {}, 1, between(0.05, 20), "Factor of the flesh's stiffness"};

inline constexpr ShapeParameter balance_parameter{
    "balance", {}, 0, between(1, 10), "Radius of the flesh that is pushed against, relative to the template's support"};

struct ShapeRig {
  std::string name;
  TemplateKind kind = TemplateKind::bump;
  Guide guide;                  // where has_guide(kind)
  std::vector<PaintDab> paint;  // of `painted`
  // True: amplitudes are displacements, metres: the farthest that the skin moves at rest, from which the force follows
  // by one static solve, so that a rig does the same whatever the tissue. False: they are forces.
  bool by_displacement = false;
  // Radius of the ball around a template's guide whose flesh is pushed against, so that the force neither carries that
  // flesh off nor turns it (force_balance.h), relative to the template's support. 0: nothing is pushed against.
  double balance = 0;
  // Names of controls (control_values.h). One: eta is piecewise linear, constant beyond the samples (algorithm 6.1).
  // More: radial functions, exact at the samples (sample_weights.h).
  std::vector<std::string> controls;
  std::vector<ShapeSample> samples;  // at least one
  // Name of a morph target whose shape these forces make. It goes on showing the shape, and flesh adds how the shape
  // swings and settles. Empty: none.
  std::string morph = {};
};

// The rows of eta: the template's, then the guide's.
std::vector<ShapeParameter> parameters_of(const ShapeRig& rig);
std::vector<double> usual_parameters(const ShapeRig& rig);

// An abstract control, such as `breathe`: a value, or keys over time.
struct AbstractControl {
  std::string name;
  double value = 0;                         // where nothing else sets it
  std::vector<std::array<double, 2>> keys;  // seconds on the clip's time line, ascending, and value; linear in between
  bool loop = false;                        // after the last key the first one follows
};

// The character that rigs were made for.
struct ShapedCharacter {
  std::string name;   // of its file
  double height = 0;  // metres
  int bones = 0;      // bones that carry skin
};

struct ShapeFile {
  std::string file;  // as named by the user, for messages
  ShapedCharacter character;
  std::vector<AbstractControl> controls;
  std::vector<ShapeRig> rigs;
};

// The character as a file records it.
ShapedCharacter shaped_character(const std::string& name, const SimulationSurface& surface);

// Throws input_error naming the file, the rig and a remedy if the rigs are for another character, or a rig names a bone
// that does not exist.
void check_character(const ShapeFile& file, const std::string& name, const SimulationSurface& surface);

}  // namespace sinew
