#include "sinew/files/rig_space_settings_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/flesh_settings_json.h"
#include "sinew/files/look_names.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

constexpr Names<HyperelasticLaw, 3> laws{{{"modified-stvk", HyperelasticLaw::modified_st_venant_kirchhoff},
                                          {"stvk", HyperelasticLaw::st_venant_kirchhoff},
                                          {"corotated", HyperelasticLaw::corotated}}};
constexpr Names<InteriorVertices, 3> insides{{{"corrected", InteriorVertices::corrected},
                                              {"skinning", InteriorVertices::skinning},
                                              {"equilibrium", InteriorVertices::equilibrium}}};

RigSpaceControl control_from(SettingsFields& fields) {
  RigSpaceControl control;
  if (!fields.string("controls", control.controls)) throw fields.wrong("controls", "must name the controls");
  fields.number("stiffness", control.stiffness);
  fields.optional("range", control.range);
  return control;
}

void take_free(SettingsFields& fields, std::vector<std::string>& free) {
  const SettingsJson* found = fields.take("free");
  if (!found) return;
  if (!found->is_array()) throw fields.wrong("free", "must be a list of patterns");
  free.clear();
  for (const SettingsJson& item : *found) {
    if (!item.is_string()) throw fields.wrong("free", "must be a list of patterns");
    free.push_back(item.get<std::string>());
  }
}

}  // namespace

HyperelasticLaw hyperelastic_law_from_name(const std::string& name) { return value_of(laws, name, "material"); }
InteriorVertices inside_from_name(const std::string& name) { return value_of(insides, name, "inside"); }

std::string rig_space_settings_json(const RigSpaceSettings& s) {
  SettingsJson json;
  json["free"] = s.free;
  json["rig"] = s.rig;
  json["look"] = name_of(looks, s.look);
  json["reference"] = name_of(references, s.reference);
  json["material"] = name_of(laws, s.material);
  json["young"] = optional_number(s.young);
  json["poisson"] = s.poisson;
  json["density"] = s.density;
  json["damping"] = optional_number(s.damping);
  json["gravity"] = s.gravity;
  json["tetrahedra"] = s.tetrahedra;
  json["cell_size"] = optional_number(s.cell_size);
  json["color_stiffness"] = s.color_stiffness;
  json["step"] = s.step;
  json["adaptive_step"] = s.adaptive;
  json["inside"] = name_of(insides, s.inside);
  json["deferred_jacobian"] = s.deferred;
  json["predictor"] = s.predictor;
  json["linearity"] = s.linearity;
  json["limit"] = s.limit;
  json["poses"] = s.poses;
  json["candidates"] = s.candidates;
  json["key_error"] = s.key_error;
  json["whole_clip"] = s.whole_clip;
  json["controls"] = SettingsJson::array();
  for (const RigSpaceControl& control : s.controls)
    json["controls"].push_back(
        {{"controls", control.controls}, {"stiffness", control.stiffness}, {"range", optional_number(control.range)}});
  return json.dump(2) + "\n";
}

RigSpaceSettings rig_space_settings_from_json(std::string_view text, const std::string& file, const RigSpaceSettings& base) {
  const SettingsJson json = parse_settings(text, file);
  RigSpaceSettings s = base;
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.string("$schema", schema);
  take_free(fields, s.free);
  fields.string("rig", s.rig);
  fields.named("look", s.look, look_from_name);
  fields.named("reference", s.reference, reference_from_name);
  fields.named("material", s.material, hyperelastic_law_from_name);
  fields.optional("young", s.young);
  fields.number("poisson", s.poisson);
  fields.number("density", s.density);
  fields.optional("damping", s.damping);
  fields.boolean("gravity", s.gravity);
  fields.integer("tetrahedra", s.tetrahedra);
  fields.optional("cell_size", s.cell_size);
  fields.boolean("color_stiffness", s.color_stiffness);
  fields.number("step", s.step);
  fields.boolean("adaptive_step", s.adaptive);
  fields.named("inside", s.inside, inside_from_name);
  fields.boolean("deferred_jacobian", s.deferred);
  fields.boolean("predictor", s.predictor);
  fields.number("linearity", s.linearity);
  fields.number("limit", s.limit);
  fields.integer("poses", s.poses);
  fields.integer("candidates", s.candidates);
  fields.number("key_error", s.key_error);
  fields.boolean("whole_clip", s.whole_clip);
  std::vector<RigSpaceControl> controls;
  if (fields.list("controls", [&](SettingsFields& item) { controls.push_back(control_from(item)); }))
    s.controls = std::move(controls);
  fields.finish();
  return s;
}

RigSpaceSettings read_rig_space_settings(const std::filesystem::path& path, const RigSpaceSettings& base) {
  return rig_space_settings_from_json(read_text_file(path), path.string(), base);
}

}  // namespace sinew
