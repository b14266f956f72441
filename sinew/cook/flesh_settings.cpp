#include "sinew/cook/flesh_settings.h"

#include <cmath>

#include "sinew/cook/require.h"
#include "sinew/base/error.h"

namespace sinew {
namespace {

void check_grab(const GrabSettings& g, const std::string& name) {
  require(is_finite(g.point) && is_finite(g.to), name + ": point and to must be finite.");
  require((!g.begin || std::isfinite(*g.begin)) && (!g.end || std::isfinite(*g.end)),
          name + ": begin and end must be finite, in seconds.");
  require(!g.begin || !g.end || *g.begin <= *g.end, name + ": must begin before it ends.");
  require(g.reach >= 0 && std::isfinite(g.reach), name + ": reach must not be negative, in seconds.");
}

void check_belt(const BeltSettings& b, const std::string& name) {
  require(is_finite(b.point) && is_finite(b.normal) && norm(b.normal) > 0,
          name + ": point and normal must be finite, the normal not zero.");
  require(b.width > 0 && std::isfinite(b.width), name + ": the width must be positive, in metres.");
  require(b.radius > 0 && std::isfinite(b.radius), name + ": the radius must be positive, in metres.");
  require(b.size > 0 && b.size <= 10, name + ": the size must be positive and at most 10.");
}

}  // namespace

std::string asks_for_lattice(const FleshSettings& settings) {
  const LatticeDiscretization &asked = settings.lattice, usual;
  if (asked.linearization != usual.linearization) return "linearization";
  if (asked.integrator != usual.integrator) return "integrator";
  if (asked.basis != usual.basis) return "basis";
  if (asked.smooth_dynamics) return "smooth_dynamics";
  if (asked.levels != usual.levels) return "levels";
  if (asked.adapt) return "adapt";
  if (asked.budget) return "budget";
  if (asked.most_functions != usual.most_functions) return "most_functions";
  if (asked.mass != usual.mass) return "mass";
  if (asked.cells != usual.cells) return "lattice_cells";
  return {};
}

std::optional<double> strain_of_detail(const LatticeDiscretization& lattice) {
  constexpr double within_a_budget = 0.002;  // what deforms less looks the same without detail
  if (!lattice.adapt && (lattice.budget || lattice.most_functions > 0)) return within_a_budget;
  return lattice.adapt;
}

double solver_tolerance(const FleshSettings& settings) {
  return settings.tolerance.value_or(strain_of_detail(settings.lattice) ? 1e-3 : 1e-4);
}

void check_settings(const FleshSettings& s) {
  require(s.tetrahedra >= 20 && s.tetrahedra <= 5'000'000, "tetrahedra: must lie between 20 and 5000000.");
  require(!s.cell_size || (*s.cell_size > 0 && std::isfinite(*s.cell_size)), "cell size: must be positive, in metres.");
  require_young(s.young.value_or(1));
  require(s.poisson >= 0 && s.poisson <= 0.49, "poisson: must lie between 0 and 0.49.");
  require(s.density > 0 && std::isfinite(s.density), "density: must be positive, in kilograms per cubic metre.");
  require(!s.damping || (*s.damping >= 0 && *s.damping <= 10), "damping: must lie between 0 and 10.");
  require(s.core >= 0 && s.core < 1, "core: must be at least 0 and less than 1.");
  require(s.bone_hold >= 0 && std::isfinite(s.bone_hold), "bone hold: must not be negative.");
  require(!s.limit || (*s.limit > 0 && std::isfinite(*s.limit)), "limit: must be positive.");
  require(is_finite(s.gravity), "gravity: must be finite.");
  require(!s.ground || std::isfinite(*s.ground), "ground: must be finite, in metres.");
  check_collider_settings(s.colliders);
  for (std::size_t k = 0; k < s.grabs.size(); ++k) check_grab(s.grabs[k], "grabs[" + std::to_string(k) + "]");
  for (std::size_t k = 0; k < s.belts.size(); ++k) check_belt(s.belts[k], "belts[" + std::to_string(k) + "]");
  check_poke_settings(s.pokes);
  require(s.step > 1e-6 && s.step <= 0.1, "step: must lie between 0.000001 and 0.1 seconds.");
  require(s.spectral_radius >= 0 && s.spectral_radius <= 1, "spectral radius: must lie between 0 and 1.");
  require(!s.tolerance || (*s.tolerance > 0 && *s.tolerance < 1), "tolerance: must lie between 0 and 1.");
  require(s.preroll >= 0 && s.preroll <= 600, "preroll: must lie between 0 and 600 seconds.");
  require(s.lattice.cells >= 1 && s.lattice.cells <= 100'000, "lattice cells: must lie between 1 and 100000.");
  require(s.lattice.levels >= 1 && s.lattice.levels <= 4, "levels: must lie between 1 and 4.");
  require(!s.lattice.adapt || (*s.lattice.adapt >= 0 && std::isfinite(*s.lattice.adapt)),
          "adapt: must not be negative, as a strain.");
  require(s.lattice.most_functions >= 0, "most functions: must not be negative.");
  require(!s.lattice.budget || (*s.lattice.budget > 0 && std::isfinite(*s.lattice.budget)), "budget: must be positive, in milliseconds.");
  require(s.lattice.constraints == HeldBy::subspace ||
              (s.lattice.linearization != Linearization::blended &&
               (s.lattice.linearization != Linearization::warped || s.warping == Warping::element)),
          "constraints: lagrange needs one symmetric system; use subspace, or warping element and not the linearization blended.");
  require(s.lattice.mass == LatticeMass::consistent || s.lattice.basis != SubdivisionScheme::mlca || !s.lattice.smooth_dynamics,
          "mass: functions of mlca are negative in places, so that masses at vertices would be; use consistent, or leave "
          "smooth dynamics out.");
  require(s.lattice.mass == LatticeMass::consistent || s.lattice.basis != SubdivisionScheme::maccracken_joy || s.lattice.levels == 1,
          "mass: with maccracken-joy detail has no value at vertices to lump; use consistent, or levels 1.");
  require(s.lattice.linearization == Linearization::warped || s.reference == Reference::elastic,
          "linearization: only warped can hold the rig's shape; use --reference elastic with the others.");
  for (const JointSettings& joint : s.joints) {
    require(joint.stiffness > 0 && std::isfinite(joint.stiffness),
            "joint '" + joint.joints + "': stiffness must be positive.");
    require(joint.damping >= 0 && std::isfinite(joint.damping),
            "joint '" + joint.joints + "': damping must not be negative.");
    require(!joint.core || (*joint.core >= 0 && *joint.core < 1),
            "joint '" + joint.joints + "': core must be at least 0 and less than 1.");
  }
}

}  // namespace sinew
