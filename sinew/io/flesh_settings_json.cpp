#include "sinew/io/flesh_settings_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

template <class Value, std::size_t N>
using Names = std::array<std::pair<const char*, Value>, N>;

constexpr Names<Look, 3> looks{{{"subtle", Look::subtle}, {"natural", Look::natural}, {"lively", Look::lively}}};
constexpr Names<Reference, 2> references{{{"rig", Reference::rig}, {"elastic", Reference::elastic}}};
constexpr Names<Warping, 2> warpings{{{"element", Warping::element}, {"vertex", Warping::vertex}}};
constexpr Names<Element, 2> elements{{{"patch", Element::patch}, {"linear", Element::linear}}};
constexpr Names<GravityInRest, 3> gravities{
    {{"pose", GravityInRest::pose}, {"bind", GravityInRest::bind}, {"off", GravityInRest::off}}};

template <class Value, std::size_t N>
Value value_of(const Names<Value, N>& names, const std::string& name, const char* what) {
  std::string known;
  for (const auto& [text, value] : names) {
    if (name == text) return value;
    known += std::string(known.empty() ? "" : ", ") + text;
  }
  throw usage_error(std::string(what) + ": '" + name + "' is not one of " + known + ".");
}

template <class Value, std::size_t N>
const char* name_of(const Names<Value, N>& names, Value value) {
  for (const auto& [text, candidate] : names)
    if (candidate == value) return text;
  return "";
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// Takes keys out of one object and, at the end, complains about what nobody took.
class Fields {
 public:
  Fields(const Json& object, std::string file, std::string where)
      : object_(object), file_(std::move(file)), where_(std::move(where)) {
    if (!object.is_object()) throw wrong("", "must be an object");
  }

  void number(const char* key, double& value) {
    if (const Json* found = take(key)) {
      if (!found->is_number()) throw wrong(key, "must be a number");
      value = found->get<double>();
    }
  }
  void optional(const char* key, std::optional<double>& value) {
    if (const Json* found = take(key)) {
      if (found->is_null())
        value.reset();
      else if (found->is_number())
        value = found->get<double>();
      else
        throw wrong(key, "must be a number or null");
    }
  }
  void integer(const char* key, int& value) {
    if (const Json* found = take(key)) {
      if (!found->is_number_integer() || found->get<double>() < -1e9 || found->get<double>() > 1e9)
        throw wrong(key, "must be a whole number");
      value = found->get<int>();
    }
  }
  void boolean(const char* key, bool& value) {
    if (const Json* found = take(key)) {
      if (!found->is_boolean()) throw wrong(key, "must be true or false");
      value = found->get<bool>();
    }
  }
  bool string(const char* key, std::string& value) {
    const Json* found = take(key);
    if (!found || found->is_null()) return false;
    if (!found->is_string()) throw wrong(key, "must be a string");
    value = found->get<std::string>();
    return true;
  }
  void vector(const char* key, Vec3& value) {
    if (const Json* found = take(key)) {
      if (!found->is_array() || found->size() != 3) throw wrong(key, "must be three numbers");
      for (std::size_t k = 0; k < 3; ++k) {
        if (!(*found)[k].is_number()) throw wrong(key, "must be three numbers");
        value[k] = (*found)[k].get<double>();
      }
    }
  }
  const Json* take(const char* key) {
    taken_.push_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  void finish() const {
    for (const auto& [key, value] : object_.items())
      if (std::find(taken_.begin(), taken_.end(), key) == taken_.end())
        throw wrong(key, "is not a setting; `sinew settings` writes a file with all of them");
  }
  Error wrong(const std::string& key, const std::string& what) const {
    return input_error(file_ + ": " + where_ + (key.empty() ? "" : "'" + key + "' ") + what + ".");
  }

 private:
  const Json& object_;
  std::string file_, where_;
  std::vector<std::string> taken_;
};

JointSettings joint_from(const Json& object, const std::string& file, std::size_t index) {
  JointSettings joint;
  Fields fields(object, file, "joints[" + std::to_string(index) + "]: ");
  if (!fields.string("joints", joint.joints)) throw fields.wrong("joints", "must name the joints");
  fields.number("stiffness", joint.stiffness);
  fields.number("damping", joint.damping);
  fields.optional("core", joint.core);
  fields.finish();
  return joint;
}

}  // namespace

Look look_from_name(const std::string& name) { return value_of(looks, name, "look"); }
Reference reference_from_name(const std::string& name) { return value_of(references, name, "reference"); }
Warping warping_from_name(const std::string& name) { return value_of(warpings, name, "warping"); }
Element element_from_name(const std::string& name) { return value_of(elements, name, "element"); }
GravityInRest gravity_in_rest_from_name(const std::string& name) {
  return value_of(gravities, name, "gravity in rest");
}

std::string flesh_settings_json(const FleshSettings& s) {
  Json json;
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
  json["gravity"] = {s.gravity.x, s.gravity.y, s.gravity.z};
  json["gravity_in_rest"] = s.gravity_in_rest ? Json(name_of(gravities, *s.gravity_in_rest)) : Json(nullptr);
  json["ground"] = optional_number(s.ground);
  json["step"] = s.step;
  json["spectral_radius"] = s.spectral_radius;
  json["tolerance"] = s.tolerance;
  json["preroll"] = s.preroll;
  json["color_stiffness"] = s.color_stiffness;
  json["joints"] = Json::array();
  for (const JointSettings& joint : s.joints)
    json["joints"].push_back({{"joints", joint.joints},
                              {"stiffness", joint.stiffness},
                              {"damping", joint.damping},
                              {"core", optional_number(joint.core)}});
  return json.dump(2) + "\n";
}

FleshSettings flesh_settings_from_json(std::string_view text, const std::string& file, const FleshSettings& base) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw input_error(file + ": is not JSON; `sinew settings` writes a file to start from.");
  FleshSettings s = base;
  Fields fields(json, file, "");
  std::string name;
  const auto named = [&](const char* key, auto& value, auto from_name) {
    if (!fields.string(key, name)) return;
    try {
      value = from_name(name);
    } catch (const Error& error) {
      throw input_error(file + ": " + error.what());
    }
  };
  fields.string("$schema", name);
  named("look", s.look, look_from_name);
  named("reference", s.reference, reference_from_name);
  named("warping", s.warping, warping_from_name);
  named("element", s.element, element_from_name);
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
  named("gravity_in_rest", s.gravity_in_rest, gravity_in_rest_from_name);
  fields.optional("ground", s.ground);
  fields.number("step", s.step);
  fields.number("spectral_radius", s.spectral_radius);
  fields.number("tolerance", s.tolerance);
  fields.number("preroll", s.preroll);
  fields.boolean("color_stiffness", s.color_stiffness);
  if (const Json* joints = fields.take("joints")) {
    if (!joints->is_array()) throw fields.wrong("joints", "must be a list");
    s.joints.clear();
    for (std::size_t k = 0; k < joints->size(); ++k) s.joints.push_back(joint_from((*joints)[k], file, k));
  }
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
