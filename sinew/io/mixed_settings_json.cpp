#include "sinew/io/mixed_settings_json.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/io/settings_fields.h"

namespace sinew {
namespace {

constexpr Names<MixedMaterial, 4> materials{{{"arap", MixedMaterial::arap},
                                             {"corotated", MixedMaterial::corotated},
                                             {"neo-hookean", MixedMaterial::stable_neo_hookean},
                                             {"stvk", MixedMaterial::st_venant_kirchhoff}}};
constexpr Names<ClusterRule, 3> rules{
    {{"segment", ClusterRule::segment}, {"midpoint", ClusterRule::midpoint}, {"hierarchy", ClusterRule::hierarchy}}};
constexpr Names<Pinning, 2> pinnings{{{"held", Pinning::held}, {"tied", Pinning::tied}}};

MixedJoint joint_from(SettingsFields& fields) {
  MixedJoint joint;
  if (!fields.string("joints", joint.joints)) throw fields.wrong("joints", "must name the joints");
  fields.number("stiffness", joint.stiffness);
  return joint;
}

}  // namespace

MixedMaterial mixed_material_from_name(const std::string& name) { return value_of(materials, name, "material"); }
ClusterRule cluster_rule_from_name(const std::string& name) { return value_of(rules, name, "clusters"); }
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
  fields.named("clusters", s.clusters, cluster_rule_from_name);
  fields.number("smooth", s.smooth);
  fields.named("pins", s.pins, pinning_from_name);
  fields.optional("spring", s.spring);
  fields.boolean("gravity", s.gravity);
  fields.number("density", s.density);
  fields.boolean("color_stiffness", s.color_stiffness);
  std::vector<MixedJoint> joints;
  if (fields.list("joints", [&](SettingsFields& joint) { joints.push_back(joint_from(joint)); }))
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
