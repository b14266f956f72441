#include "sinew/files/mixed_settings_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/acting_settings_json.h"
#include "sinew/files/settings_fields.h"

namespace sinew {
namespace {

constexpr Names<MixedMaterial, 4> materials{{{"arap", MixedMaterial::arap},
                                             {"corotated", MixedMaterial::corotated},
                                             {"neo-hookean", MixedMaterial::stable_neo_hookean},
                                             {"stvk", MixedMaterial::st_venant_kirchhoff}}};
constexpr Names<MixedClusters, 5> rules{{{"automatic", MixedClusters::automatic},
                                         {"weights", MixedClusters::weights},
                                         {"segment", MixedClusters::segment},
                                         {"midpoint", MixedClusters::midpoint},
                                         {"hierarchy", MixedClusters::hierarchy}}};
constexpr Names<Pinning, 2> pinnings{{{"held", Pinning::held}, {"tied", Pinning::tied}}};

MixedJoint mixed_joint_from(SettingsFields& fields) {
  MixedJoint joint;
  if (!fields.string("joints", joint.joints)) throw fields.wrong("joints", "must name the joints");
  fields.number("stiffness", joint.stiffness);
  return joint;
}

}  // namespace

MixedMaterial mixed_material_from_name(const std::string& name) { return value_of(materials, name, "material"); }
MixedClusters clusters_from_name(const std::string& name) { return value_of(rules, name, "clusters"); }
Pinning pinning_from_name(const std::string& name) { return value_of(pinnings, name, "pins"); }

std::string mixed_settings_json(const MixedSettings& s) {
  SettingsJson json;
  json["material"] = name_of(materials, s.material);
  json["young"] = s.young;
  json["poisson"] = s.poisson;
  json["tetrahedra"] = s.tetrahedra;
  json["cell_size"] = optional_number(s.cell_size);
  json["clusters"] = name_of(rules, s.clusters);
  json["smooth"] = s.smooth;
  json["pins"] = name_of(pinnings, s.pins);
  json["spring"] = optional_number(s.spring);
  json["gravity"] = s.gravity;
  json["density"] = s.density;
  json["ground"] = optional_number(s.ground);
  json["colliders"] = colliders_json(s.colliders);
  json["pokes"] = pokes_json(s.pokes);
  json["color_stiffness"] = s.color_stiffness;
  json["joints"] = SettingsJson::array();
  for (const MixedJoint& joint : s.joints)
    json["joints"].push_back({{"joints", joint.joints}, {"stiffness", joint.stiffness}});
  return json.dump(2) + "\n";
}

MixedSettings mixed_settings_from_json(std::string_view text, const std::string& file, const MixedSettings& base) {
  const SettingsJson json = parse_settings(text, file);
  MixedSettings s = base;
  SettingsFields fields(json, file, "");
  std::string schema;
  fields.string("$schema", schema);
  fields.named("material", s.material, mixed_material_from_name);
  fields.number("young", s.young);
  fields.number("poisson", s.poisson);
  fields.integer("tetrahedra", s.tetrahedra);
  fields.optional("cell_size", s.cell_size);
  fields.named("clusters", s.clusters, clusters_from_name);
  fields.number("smooth", s.smooth);
  fields.named("pins", s.pins, pinning_from_name);
  fields.optional("spring", s.spring);
  fields.boolean("gravity", s.gravity);
  fields.number("density", s.density);
  fields.optional("ground", s.ground);
  take_colliders(fields, s.colliders);
  take_pokes(fields, s.pokes);
  fields.boolean("color_stiffness", s.color_stiffness);
  std::vector<MixedJoint> joints;
  if (fields.list("joints", [&](SettingsFields& joint) { joints.push_back(mixed_joint_from(joint)); }))
    s.joints = std::move(joints);
  fields.finish();
  try {
    check_mixed_settings(s);
  } catch (const Error& error) {
    throw input_error(file + ": " + error.what());
  }
  return s;
}

MixedSettings read_mixed_settings(const std::filesystem::path& path, const MixedSettings& base) {
  return mixed_settings_from_json(read_text_file(path), path.string(), base);
}

}  // namespace sinew
