#include "sinew/cook/flesh/flesh_settings.h"

#include "sinew/cook/body_settings.h"
#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/skinning_setting.h"
#include "sinew/files/keys_json.h"
#include "sinew/files/lattice_json.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

constexpr Word<Warping> warpings[] = {{"element", Warping::element}, {"vertex", Warping::vertex}};
constexpr Word<Elasticity> elasticities[] = {{"linear", Elasticity::linear}, {"nonlinear", Elasticity::nonlinear}};
constexpr Word<Element> elements[] = {{"patch", Element::patch}, {"linear", Element::linear}};
constexpr Word<GravityInRest> gravities[] = {
    {"pose", GravityInRest::pose}, {"bind", GravityInRest::bind}, {"off", GravityInRest::off}};
constexpr Word<SubdivisionScheme> bases[] = {{"trilinear", SubdivisionScheme::trilinear},
                                             {"maccracken-joy", SubdivisionScheme::maccracken_joy},
                                             {"mlca", SubdivisionScheme::mlca}};
constexpr Word<Linearization> linearizations[] = {{"linear", Linearization::linear},
                                                  {"quasi", Linearization::quasi},
                                                  {"blended", Linearization::blended},
                                                  {"warped", Linearization::warped},
                                                  {"none", Linearization::none}};
constexpr Word<Creases> creases_words[] = {
    {"off", Creases::off}, {"yield", Creases::yield}, {"resolve", Creases::resolve}};
constexpr Word<HeldBy> constraint_forms[] = {{"subspace", HeldBy::subspace}, {"lagrange", HeldBy::multipliers}};
constexpr Word<LatticeMass> masses[] = {{"consistent", LatticeMass::consistent}, {"lumped", LatticeMass::lumped}};
constexpr Word<LatticeIntegrator> integrators[] = {{"generalized-alpha", LatticeIntegrator::generalized_alpha},
                                                   {"implicit-euler", LatticeIntegrator::implicit_euler}};

constexpr const char* in_lattice = "Of flesh in a control lattice";  // section of the docs' table

std::string elasticity_rule(const FleshSettings& s) {
  const LatticeDiscretization& lattice = s.lattice;
  const bool usual = lattice.linearization == Linearization::warped && s.warping == Warping::element &&
                     lattice.constraints == HeldBy::subspace;
  if (elasticity_of(s) == Elasticity::linear || usual) return "";
  return "nonlinear takes the place of linearization and warping, and holds constraints in the subspace; leave these "
         "out.";
}

std::string weight_rule(const FleshSettings& s) {
  if (!s.weight || !s.gravity_in_rest || *s.gravity_in_rest == GravityInRest::off) return "";
  return "asks for something else than gravity_in_rest does; leave one of them out.";
}

bool moves_in_some_lattice(const FleshSettings& s) { return !s.lattice.file.empty() || !asks_for_lattice(s).empty(); }

std::string friction_rule(const FleshSettings& s) {
  return moves_in_some_lattice(s) && friction_of(s) > 0 ? "acts on flesh in tetrahedra; leave it out with a lattice."
                                                        : "";
}

std::string creases_rule(const FleshSettings& s) {
  if (s.creases == Creases::off) return "";
  const bool other_goal = s.skinning != SkinningKind::linear && s.skinning != SkinningKind::implicit;
  return s.creases == Creases::resolve && other_goal
             ? "resolve poses the goal by implicit skinning; leave out skinning, or use creases yield."
             : "";
}

std::string free_body_rule(const FleshSettings& s) {
  if (!s.free_body && (s.toss != Vec3{} || s.spin != Vec3{}))
    return "toss and spin move free bodies only; ask for one with free_body, or leave them out.";
  if (!s.free_body) return "";
  if (s.reference == Reference::elastic || elasticity_of(s) == Elasticity::linear)
    return "free bodies are nonlinear flesh; leave out reference and elasticity.";
  if (s.lattice.integrator == LatticeIntegrator::implicit_euler)
    return "implicit-euler would slow a free body's fall; leave integrator out.";
  if (!s.muscles.empty() || s.creases != Creases::off)
    return "muscles and creases are those of parts on bones, which a free body has none of; leave them out.";
  if (!s.shapes.empty() && (!s.lattice.file.empty() || !asks_for_lattice(s).empty()))
    return "force rigs find no equilibrium on a free body in a lattice; leave out one of the two.";
  return "";
}

std::string control_rule(const FleshSettings& s) {
  return s.shapes.empty() && !s.control.empty() ? "holds controls of force rigs; name their file in shapes." : "";
}

std::string muscles_rule(const FleshSettings& s) {
  return s.muscles.empty() || (elasticity_of(s) == Elasticity::nonlinear && !moves_in_some_lattice(s))
             ? ""
             : "need nonlinear flesh in tetrahedra; set elasticity to nonlinear and leave out what asks for a lattice.";
}

std::string activation_rule(const FleshSettings& s) {
  return s.muscles.empty() && !s.activation.empty() ? "activates muscles; name their file in muscles, or auto." : "";
}

std::string constraints_rule(const FleshSettings& s) {
  const bool symmetric = s.lattice.linearization != Linearization::blended &&
                         (s.lattice.linearization != Linearization::warped || s.warping == Warping::element);
  if (s.lattice.constraints == HeldBy::subspace || symmetric) return "";
  return "lagrange needs one symmetric system; use subspace, or warping element and not the linearization blended.";
}

std::string mass_rule(const FleshSettings& s) {
  const LatticeDiscretization& lattice = s.lattice;
  if (lattice.mass == LatticeMass::consistent) return "";
  if (lattice.basis == SubdivisionScheme::mlca && lattice.smooth_dynamics)
    return "functions of mlca are negative in places, so that masses at vertices would be; use consistent, or leave "
           "smooth dynamics out.";
  if (lattice.basis == SubdivisionScheme::maccracken_joy && lattice.levels > 1)
    return "with maccracken-joy detail has no value at vertices to lump; use consistent, or levels 1.";
  return "";
}

std::string linearization_rule(const FleshSettings& s) {
  if (s.lattice.linearization == Linearization::warped || s.reference == Reference::elastic) return "";
  return "only warped can hold the rig's shape; use --reference elastic with the others.";
}

std::string region_bones_rule(const FleshSettings& s) {
  if (s.lattice.region_bones.empty()) return "";
  for (const std::string& text : s.lattice.region_bones)
    if (text.size() < 3 || text[1] != '=' || text[0] < '1' || text[0] >= static_cast<char>('1' + region_fields))
      return "'" + text + "' is not the number of a region and a bone, as in 1=forearm.L; regions are 1 to " +
             std::to_string(region_fields) + ".";
  for (std::size_t k = 1; k < s.lattice.region_bones.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (s.lattice.region_bones[j][0] == s.lattice.region_bones[k][0])
        return std::string("region ") + s.lattice.region_bones[k][0] + " has two bones; name one.";
  if (s.lattice.linearization == Linearization::blended) return "";
  return "only the linearization blended has painted regions; use it, or leave region_bones out.";
}

}  // namespace

// clang-format off
SettingsTable JointSettings::describe() {
  return {
      {.key = "joints", .value = &JointSettings::joints, .help = "Name of a joint, or a pattern with * and ?",
       .required = true},
      {.key = "stiffness", .value = &JointSettings::stiffness, .help = "Multiplies Young's modulus around these joints",
       .range = above(0), .recooks = Recooks::body},
      {.key = "damping", .value = &JointSettings::damping, .help = "Multiplies the damping", .range = from(0),
       .recooks = Recooks::body},
      {.key = "core", .value = &JointSettings::core, .help = "Rigid share of the flesh's thickness",
       .range = {.least = 0, .most = 1, .without_most = true}, .none = "as everywhere", .recooks = Recooks::body},
  };
}

SettingsTable FleshSettings::describe() {
  const auto in_cells = [](auto member) { return Member(&FleshSettings::lattice, member); };
  constexpr OnCommandLine rare = OnCommandLine::rare;
  return {
      look_setting(&FleshSettings::look),
      reference_setting(&FleshSettings::reference),
      skinning_setting(&FleshSettings::skinning, Recooks::body),
      {.key = "elasticity", .value = choice(&FleshSettings::elasticity, elasticities),
       .help = "True elasticity, or the linear law about the rig's shape, whose steps cost a fraction",
       .none = "nonlinear with the reference rig in tetrahedra and for free bodies, otherwise linear", .option = rare, .page = "flesh.md",
       .recooks = Recooks::body, .rule = elasticity_rule},
      {.key = "stiffening", .value = &FleshSettings::stiffening,
       .help = "Shear at which nonlinear tissue is e times as stiff as at rest; 0: it does not stiffen",
       .range = from(0), .option = rare, .takes = "SHEAR", .page = "flesh.md", .recooks = Recooks::run},
      {.key = "warping", .value = choice(&FleshSettings::warping, warpings),
       .help = "Frames of the elastic reference (of elements, in a lattice of cells, or of vertices: Capell's equation "
               "5.10)",
       .option = rare, .page = "flesh.md", .recooks = Recooks::run},
      {.key = "element", .value = choice(&FleshSettings::element, elements),
       .help = "Finite element (patch does not lock)", .option = rare, .page = "elements.md", .recooks = Recooks::body},
      tetrahedra_setting(&FleshSettings::tetrahedra, 20, 5e6),
      cell_size_setting(&FleshSettings::cell_size),
      young_setting(&FleshSettings::young),
      poisson_setting(&FleshSettings::poisson, between(0, 0.49)),
      density_setting(&FleshSettings::density),
      damping_setting(&FleshSettings::damping),
      {.key = "core", .value = &FleshSettings::core, .help = "Rigid share of the flesh's thickness around bones",
       .range = {.least = 0, .most = 1, .without_most = true}, .option = rare, .takes = "SHARE",
       .recooks = Recooks::body},
      {.key = "bone_hold", .value = &FleshSettings::bone_hold,
       .help = "Strength of the bone displacement energy beyond the core", .range = from(0), .page = "binding.md",
       .recooks = Recooks::body},
      {.key = "anatomy", .value = &FleshSettings::anatomy, .file = true,
       .help = "Where skulls, sheets and rigid things are: auto, nameless (whatever things are called), off (flesh everywhere), or a file of `sinew anatomy`",
       .option = rare, .page = "anatomy.md", .recooks = Recooks::body},
      {.key = "limit", .value = &FleshSettings::limit,
       .help = "Largest shown displacement as a share of the distance from the bone", .range = above(0),
       .none = "2, linear 0.3 with reference rig, none where colliders, grabs or belts act",
       .option = rare, .takes = "SHARE", .example = "0.5", .recooks = Recooks::run},
      {.key = "gravity", .value = &FleshSettings::gravity, .help = "In the world", .unit = units::acceleration,
       .recooks = Recooks::run},
      {.key = "gravity_in_rest", .value = choice(&FleshSettings::gravity_in_rest, gravities),
       .help = "Gravity that the modelled shape holds already (in every pose, in the bind pose, or none)",
       .none = "pose for the reference rig, bind for elastic", .option = rare, .takes = "WHEN",
       .recooks = Recooks::factor},
      {.key = "weight", .value = &FleshSettings::weight,
       .help = "The flesh's whole weight acts, as with gravity_in_rest off", .option = rare, .spelled = "gravity", .recooks = Recooks::factor, .rule = weight_rule},
      {.key = "free_body", .value = &FleshSettings::free_body,
       .help = "No bone holds the body: it falls, is tossed and comes to rest as a whole",
       .option = rare, .page = "free_bodies.md", .recooks = Recooks::body, .rule = free_body_rule},
      {.key = "toss", .value = &FleshSettings::toss, .help = "Velocity of a free body as it is let go",
       .unit = units::velocity, .option = rare, .page = "free_bodies.md", .recooks = Recooks::run},
      {.key = "spin", .value = &FleshSettings::spin,
       .help = "Spin of a free body as it is let go, in turns a second about this axis through its middle", .option = rare,
       .page = "free_bodies.md", .recooks = Recooks::run},
      {.key = "box", .value = &FleshSettings::box,
       .help = "Inner side of a box of walls around the rest pose", .range = above(0),
       .unit = units::metres, .none = "none", .option = rare, .takes = "METRES", .example = "2",
       .page = "free_bodies.md", .recooks = Recooks::run},
      {.key = "friction", .value = &FleshSettings::friction, .help = "Coefficient of friction with obstacles",
       .range = between(0, 10), .none = "0.5 for free bodies of tetrahedra, otherwise 0", .option = rare, .page = "constraints.md",
       .recooks = Recooks::run, .rule = friction_rule},
      {.key = "creases", .value = choice(&FleshSettings::creases, creases_words),
       .help = "What skin does where it touches other skin: pass through it, go no deeper than the rig, or meet it",
       .option = rare, .page = "flesh.md", .recooks = Recooks::body, .rule = creases_rule},
      ground_setting(&FleshSettings::ground),
      colliders_setting(list(&FleshSettings::colliders)),
      {.key = "grabs", .value = list(&FleshSettings::grabs), .help = "Hands that take hold of the skin around points",
       .page = "constraints.md", .recooks = Recooks::run},
      {.key = "belts", .value = list(&FleshSettings::belts),
       .help = "Rings of points of the skin that keep their shape, as nearly as the cells there can follow them",
       .page = "constraints.md", .recooks = Recooks::run},
      loads_setting(list(&FleshSettings::loads)),
      {.key = "keys", .value = &FleshSettings::keys, .file = true, .object = keys_schema(),
       .help = "Stiffness, damping and gravity over the time of clips", .none = "none", .option = rare,
       .page = "environment.md", .recooks = Recooks::run},
      {.key = "shapes", .value = &FleshSettings::shapes, .file = true, .object = shapes_schema,
       .help = "Force rigs that shape the flesh: a file of `sinew shape`", .none = "none",
       .option = OnCommandLine::common, .page = "shape_control.md", .recooks = Recooks::run},
      {.key = "control", .value = &FleshSettings::control,
       .help = "Holds controls of force rigs at values, in place of their keys", .option = rare,
       .takes = "NAME=VALUE", .example = "breathe=0.5", .page = "shape_control.md", .recooks = Recooks::run,
       .rule = control_rule},
      {.key = "muscles", .value = &FleshSettings::muscles, .file = true, .object = muscles_schema,
       .help = "Muscles inside the flesh: a file, or auto (those that skeleton and flesh suggest)", .none = "none",
       .option = rare, .page = "muscles.md", .recooks = Recooks::body, .rule = muscles_rule},
      {.key = "activation", .value = &FleshSettings::activation, .file = true, .object = activation_schema,
       .help = "What activates the muscles: a file", .none = "as the muscles say, the turn of their joints",
       .option = rare, .page = "muscles.md", .recooks = Recooks::run, .rule = activation_rule},
      step_setting(&FleshSettings::step, {.least = 1e-6, .most = 0.1, .without_least = true},
                   "1/240, shorter for stiff flesh, longer for soft"),
      {.key = "spectral_radius", .value = &FleshSettings::spectral_radius,
       .help = "Of the time integration at infinite frequency: 1 conserves energy", .range = between(0, 1),
       .page = "time_stepping.md", .recooks = Recooks::factor},
      {.key = "tolerance", .value = &FleshSettings::tolerance, .help = "Relative residual of iterative solves",
       .range = {.least = 0, .most = 1, .without_least = true, .without_most = true},
       .none = "0.0001, 1e-06 with levels, and 0.001 with adapt", .option = rare, .takes = "E", .example = "1e-4",
       .recooks = Recooks::run},
      {.key = "preroll", .value = &FleshSettings::preroll, .help = "Time in the first pose before the clip begins",
       .range = between(0, 600), .unit = units::seconds, .option = rare, .example = "0.5", .recooks = Recooks::run},
      color_stiffness_setting(&FleshSettings::color_stiffness),
      along_setting(&FleshSettings::along),
      {.key = "lattice", .value = in_cells(&LatticeDiscretization::file), .file = true, .object = lattice_schema,
       .help = "Control lattice that flesh moves in: a file, or auto", .none = "where one is needed",
       .option = OnCommandLine::common, .section = in_lattice, .page = "lattice_flesh.md", .recooks = Recooks::body},
      {.key = "lattice_cells", .value = in_cells(&LatticeDiscretization::cells), .help = "Cells that auto aims at",
       .range = between(1, 1e5), .option = rare, .section = in_lattice, .recooks = Recooks::body},
      {.key = "basis", .value = choice(in_cells(&LatticeDiscretization::basis), bases),
       .help = "Functions that carry the surface (mlca: the motion of trilinear, shown without creases)",
       .option = rare, .section = in_lattice, .recooks = Recooks::body},
      {.key = "smooth_dynamics", .value = in_cells(&LatticeDiscretization::smooth_dynamics),
       .help = "Solve for the functions of mlca as well, at many times the cost", .option = rare,
       .section = in_lattice, .recooks = Recooks::body},
      {.key = "levels", .value = in_cells(&LatticeDiscretization::levels),
       .help = "Levels of detail, each with about eight times the unknowns of the one before", .range = between(1, 4),
       .option = rare, .example = "2", .section = in_lattice, .recooks = Recooks::body},
      {.key = "adapt", .value = in_cells(&LatticeDiscretization::adapt),
       .help = "Strain from which on finer levels are used where it is reached",
       .range = from(0), .none = "everywhere", .option = rare, .takes = "STRAIN", .example = "0.02",
       .section = in_lattice, .recooks = Recooks::run},
      {.key = "most_functions", .value = in_cells(&LatticeDiscretization::most_functions),
       .help = "With levels: functions solved for at a time, at most; 0: any number", .range = from(0), .option = rare,
       .example = "500", .section = in_lattice, .recooks = Recooks::run},
      {.key = "budget", .value = in_cells(&LatticeDiscretization::budget),
       .help = "With levels: computing per step to keep to on this machine, from which most_functions follows",
       .range = above(0), .unit = units::milliseconds, .none = "none", .option = rare, .example = "4ms",
       .section = in_lattice, .recooks = Recooks::run},
      {.key = "constraints", .value = choice(in_cells(&LatticeDiscretization::constraints), constraint_forms),
       .help = "How grabs and belts are held (exactly, or by multipliers, which give way and come back)",
       .option = rare, .section = in_lattice, .page = "constraints.md", .recooks = Recooks::run,
       .rule = constraints_rule},
      {.key = "mass", .value = choice(in_cells(&LatticeDiscretization::mass), masses),
       .help = "Inertia of the functions, or of masses at vertices (not for maccracken-joy of several levels, nor with "
               "smooth_dynamics)",
       .option = rare, .section = in_lattice, .recooks = Recooks::body,
       .rule = mass_rule},
      {.key = "integrator", .value = choice(in_cells(&LatticeDiscretization::integrator), integrators),
       .help = "How time is stepped", .option = rare, .section = in_lattice, .page = "time_stepping.md",
       .recooks = Recooks::factor},
      {.key = "linearization", .value = choice(in_cells(&LatticeDiscretization::linearization), linearizations),
       .help = "How elasticity is made linear (others than warped need the reference elastic)", .option = rare,
       .section = in_lattice, .recooks = Recooks::body, .rule = linearization_rule},
      {.key = "region_bones", .value = in_cells(&LatticeDiscretization::region_bones),
       .help = "Bones whose frames painted regions have", .none = "the bone of most of the painted flesh",
       .option = rare, .takes = "REGION=BONE", .example = "1=forearm.L,2=hand.L", .section = in_lattice,
       .page = "lattice_flesh.md", .recooks = Recooks::body, .rule = region_bones_rule},
      {.key = "joints", .value = list(&FleshSettings::joints),
       .help = "What some joints have of their own; of two entries that match a joint, the later one wins",
       .recooks = Recooks::body},
  };
}
// clang-format on

double friction_of(const FleshSettings& settings) {
  constexpr double of_free_bodies = 0.5;
  return settings.friction.value_or(settings.free_body && !moves_in_some_lattice(settings) ? of_free_bodies : 0);
}

// Settings that describe a given lattice, or how it holds things, do not ask for one. The number of cells comes last.
std::string asks_for_lattice(const FleshSettings& settings) {
  const FleshSettings usual;
  std::string cells;
  for (const Setting& setting : table_of<FleshSettings>()) {
    const std::string key = setting.key;
    if (setting.section != std::string(in_lattice) || key == "lattice" || key == "constraints" ||
        same_value(setting, settings_of(settings), settings_of(usual)))
      continue;
    if (key != "lattice_cells") return key;
    cells = key;
  }
  return cells;
}

std::optional<double> strain_of_detail(const LatticeDiscretization& lattice) {
  constexpr double within_a_budget = 0.002;  // flesh that is strained less looks the same without detail
  if (!lattice.adapt && (lattice.budget || lattice.most_functions > 0)) return within_a_budget;
  return lattice.adapt;
}

SkinningKind skinning_of(const FleshSettings& settings) {
  return settings.creases == Creases::resolve ? SkinningKind::implicit : settings.skinning;
}

Elasticity elasticity_of(const FleshSettings& settings) {
  const bool usual = (settings.lattice.file.empty() || settings.free_body) && settings.reference == Reference::rig;
  return settings.elasticity.value_or(usual ? Elasticity::nonlinear : Elasticity::linear);
}

TissueLaw law_of(const FleshSettings& settings) {
  if (settings.energy && (elasticity_of(settings) == Elasticity::linear || moves_in_some_lattice(settings)))
    throw usage_error(
        "energy: an energy of the host's moves nonlinear flesh in tetrahedra; set elasticity to "
        "nonlinear and leave out the lattice.");
  TissueLaw law;
  law.energy = settings.energy;
  law.stiffening = settings.energy ? 0 : settings.stiffening;
  return law;
}

bool can_change_tissue(const FleshSettings& settings) {
  return settings.lattice.file.empty() && elasticity_of(settings) == Elasticity::nonlinear;
}

bool stiffens(const FleshSettings& settings) {
  return settings.reference == Reference::rig && elasticity_of(settings) == Elasticity::nonlinear;
}

double solver_tolerance(const FleshSettings& settings) {
  // Functions of a finer level that hardly reach into flesh contribute almost nothing to a residual and still move far:
  // with 1e-4 they were off by 3e-5 of the height, differently each time. Adaptation accepts such errors in return for
  // speed.
  constexpr double of_one_level = 1e-4, of_levels = 1e-6, adapting = 1e-3;
  const double usual = settings.lattice.levels > 1 ? of_levels : of_one_level;
  return settings.tolerance.value_or(strain_of_detail(settings.lattice) ? adapting : usual);
}

}  // namespace sinew
