#include "sinew/files/flesh_settings_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/acting_settings_json.h"
#include "sinew/files/look_names.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {


constexpr Names<Warping, 2> warpings{{{"element", Warping::element}, {"vertex", Warping::vertex}}};
constexpr Names<Element, 2> elements{{{"patch", Element::patch}, {"linear", Element::linear}}};
constexpr Names<SubdivisionScheme, 3> bases{{{"trilinear", SubdivisionScheme::trilinear},
                                             {"maccracken-joy", SubdivisionScheme::maccracken_joy},
                                             {"mlca", SubdivisionScheme::mlca}}};
constexpr Names<Linearization, 5> linearizations{{{"linear", Linearization::linear},
                                                  {"quasi", Linearization::quasi},
                                                  {"blended", Linearization::blended},
                                                  {"warped", Linearization::warped},
                                                  {"none", Linearization::none}}};
constexpr Names<HeldBy, 2> constraint_forms{{{"subspace", HeldBy::subspace}, {"lagrange", HeldBy::multipliers}}};
constexpr Names<LatticeMass, 2> masses{{{"consistent", LatticeMass::consistent}, {"lumped", LatticeMass::lumped}}};
constexpr Names<LatticeIntegrator, 2> integrators{
    {{"generalized-alpha", LatticeIntegrator::generalized_alpha}, {"implicit-euler", LatticeIntegrator::implicit_euler}}};
constexpr Names<GravityInRest, 3> gravities{
    {{"pose", GravityInRest::pose}, {"bind", GravityInRest::bind}, {"off", GravityInRest::off}}};

JointSettings joint_from(SettingsFields& fields) {
  JointSettings joint;
  if (!fields.string("joints", joint.joints)) throw fields.wrong("joints", "must name the joints");
  fields.number("stiffness", joint.stiffness);
  fields.number("damping", joint.damping);
  fields.optional("core", joint.core);
  return joint;
}

GrabSettings grab_from(SettingsFields& fields) {
  GrabSettings grab;
  fields.string("name", grab.name);
  fields.vector("point", grab.point);
  fields.vector("to", grab.to);
  fields.string("joint", grab.joint);
  fields.optional("begin", grab.begin);
  fields.optional("end", grab.end);
  fields.number("reach", grab.reach);
  return grab;
}

SettingsJson grab_json(const GrabSettings& grab) {
  return {{"name", grab.name},
          {"point", three_numbers(grab.point)},
          {"to", three_numbers(grab.to)},
          {"joint", grab.joint},
          {"begin", optional_number(grab.begin)},
          {"end", optional_number(grab.end)},
          {"reach", grab.reach}};
}

BeltSettings belt_from(SettingsFields& fields) {
  BeltSettings belt;
  fields.string("name", belt.name);
  fields.vector("point", belt.point);
  fields.vector("normal", belt.normal);
  fields.number("width", belt.width);
  fields.number("radius", belt.radius);
  fields.number("size", belt.size);
  if (!fields.string("joint", belt.joint)) throw fields.wrong("joint", "must name the joint that the belt moves with");
  return belt;
}

SettingsJson belt_json(const BeltSettings& belt) {
  return {{"name", belt.name},   {"point", three_numbers(belt.point)}, {"normal", three_numbers(belt.normal)},
          {"width", belt.width}, {"radius", belt.radius},              {"size", belt.size},
          {"joint", belt.joint}};
}

}  // namespace

Look look_from_name(const std::string& name) { return value_of(looks, name, "look"); }
Reference reference_from_name(const std::string& name) { return value_of(references, name, "reference"); }
Warping warping_from_name(const std::string& name) { return value_of(warpings, name, "warping"); }
Element element_from_name(const std::string& name) { return value_of(elements, name, "element"); }
GravityInRest gravity_in_rest_from_name(const std::string& name) {
  return value_of(gravities, name, "gravity in rest");
}

SubdivisionScheme basis_from_name(const std::string& name) { return value_of(bases, name, "basis"); }
Linearization linearization_from_name(const std::string& name) { return value_of(linearizations, name, "linearization"); }
HeldBy constraints_from_name(const std::string& name) { return value_of(constraint_forms, name, "constraints"); }
LatticeMass mass_from_name(const std::string& name) { return value_of(masses, name, "mass"); }
LatticeIntegrator integrator_from_name(const std::string& name) { return value_of(integrators, name, "integrator"); }

std::string flesh_settings_json(const FleshSettings& s) {
  SettingsJson json;
  json["look"] = name_of(looks, s.look);
  json["reference"] = name_of(references, s.reference);
  json["warping"] = name_of(warpings, s.warping);
  json["element"] = name_of(elements, s.element);
  json["tetrahedra"] = s.tetrahedra;
  json["cell_size"] = optional_number(s.cell_size);
  json["young"] = optional_number(s.young);
  json["poisson"] = s.poisson;
  json["density"] = s.density;
  json["damping"] = optional_number(s.damping);
  json["core"] = s.core;
  json["bone_hold"] = s.bone_hold;
  json["limit"] = optional_number(s.limit);
  json["gravity"] = three_numbers(s.gravity);
  json["gravity_in_rest"] = s.gravity_in_rest ? SettingsJson(name_of(gravities, *s.gravity_in_rest)) : SettingsJson(nullptr);
  json["ground"] = optional_number(s.ground);
  json["colliders"] = colliders_json(s.colliders);
  json["grabs"] = SettingsJson::array();
  for (const GrabSettings& grab : s.grabs) json["grabs"].push_back(grab_json(grab));
  json["belts"] = SettingsJson::array();
  for (const BeltSettings& belt : s.belts) json["belts"].push_back(belt_json(belt));
  json["pokes"] = pokes_json(s.pokes);
  json["step"] = s.step;
  json["spectral_radius"] = s.spectral_radius;
  json["tolerance"] = optional_number(s.tolerance);
  json["preroll"] = s.preroll;
  json["color_stiffness"] = s.color_stiffness;
  json["lattice"] = s.lattice.file;
  json["lattice_cells"] = s.lattice.cells;
  json["basis"] = name_of(bases, s.lattice.basis);
  json["smooth_dynamics"] = s.lattice.smooth_dynamics;
  json["levels"] = s.lattice.levels;
  json["adapt"] = optional_number(s.lattice.adapt);
  json["most_functions"] = s.lattice.most_functions;
  json["budget"] = optional_number(s.lattice.budget);
  json["constraints"] = name_of(constraint_forms, s.lattice.constraints);
  json["mass"] = name_of(masses, s.lattice.mass);
  json["integrator"] = name_of(integrators, s.lattice.integrator);
  json["linearization"] = name_of(linearizations, s.lattice.linearization);
  json["joints"] = SettingsJson::array();
  for (const JointSettings& joint : s.joints)
    json["joints"].push_back({{"joints", joint.joints},
                              {"stiffness", joint.stiffness},
                              {"damping", joint.damping},
                              {"core", optional_number(joint.core)}});
  return json.dump(2) + "\n";
}

FleshSettings flesh_settings_from_json(std::string_view text, const std::string& file, const FleshSettings& base) {
  const SettingsJson json = parse_settings(text, file);
  FleshSettings s = base;
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.string("$schema", schema);
  fields.named("look", s.look, look_from_name);
  fields.named("reference", s.reference, reference_from_name);
  fields.named("warping", s.warping, warping_from_name);
  fields.named("element", s.element, element_from_name);
  fields.integer("tetrahedra", s.tetrahedra);
  fields.optional("cell_size", s.cell_size);
  fields.optional("young", s.young);
  fields.number("poisson", s.poisson);
  fields.number("density", s.density);
  fields.optional("damping", s.damping);
  fields.number("core", s.core);
  fields.number("bone_hold", s.bone_hold);
  fields.optional("limit", s.limit);
  fields.vector("gravity", s.gravity);
  if (fields.takes_null("gravity_in_rest"))
    s.gravity_in_rest.reset();
  else
    fields.named("gravity_in_rest", s.gravity_in_rest, gravity_in_rest_from_name);
  fields.optional("ground", s.ground);
  take_colliders(fields, s.colliders);
  std::vector<GrabSettings> grabs;
  if (fields.list("grabs", [&](SettingsFields& item) { grabs.push_back(grab_from(item)); })) s.grabs = std::move(grabs);
  std::vector<BeltSettings> belts;
  if (fields.list("belts", [&](SettingsFields& item) { belts.push_back(belt_from(item)); })) s.belts = std::move(belts);
  take_pokes(fields, s.pokes);
  fields.number("step", s.step);
  fields.number("spectral_radius", s.spectral_radius);
  fields.optional("tolerance", s.tolerance);
  fields.number("preroll", s.preroll);
  fields.boolean("color_stiffness", s.color_stiffness);
  fields.string("lattice", s.lattice.file);
  fields.integer("lattice_cells", s.lattice.cells);
  fields.named("basis", s.lattice.basis, basis_from_name);
  fields.boolean("smooth_dynamics", s.lattice.smooth_dynamics);
  fields.integer("levels", s.lattice.levels);
  fields.optional("adapt", s.lattice.adapt);
  fields.integer("most_functions", s.lattice.most_functions);
  fields.optional("budget", s.lattice.budget);
  fields.named("constraints", s.lattice.constraints, constraints_from_name);
  fields.named("mass", s.lattice.mass, mass_from_name);
  fields.named("integrator", s.lattice.integrator, integrator_from_name);
  fields.named("linearization", s.lattice.linearization, linearization_from_name);
  std::vector<JointSettings> joints;
  if (fields.list("joints", [&](SettingsFields& joint) { joints.push_back(joint_from(joint)); }))
    s.joints = std::move(joints);
  fields.finish();
  try {
    check_settings(s);
  } catch (const Error& error) {
    throw input_error(file + ": " + error.what());
  }
  return s;
}

FleshSettings read_flesh_settings(const std::filesystem::path& path, const FleshSettings& base) {
  return flesh_settings_from_json(read_text_file(path), path.string(), base);
}

}  // namespace sinew
