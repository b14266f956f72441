#include "sinew/cook/methods.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/cook/surface/surface_method.h"
#include "sinew/deform/geometric/geometric_method.h"
#include "sinew/deform/springs/springs_method.h"

namespace sinew {
namespace {

std::vector<MethodChoice>& registry() {
  static std::vector<MethodChoice> methods{FleshMethod(),
                                           MixedMethod(),
                                           SurfaceMethod(),
                                           RigSpaceMethod(),
                                           SpringsMethod(),
                                           GeometricMethod(GeometricSkinning::linear),
                                           GeometricMethod(GeometricSkinning::dual_quaternion),
                                           GeometricMethod(GeometricSkinning::volume),
                                           GeometricMethod(GeometricSkinning::implicit),
                                           GeometricMethod(GeometricSkinning::rigid)};
  return methods;
}

}  // namespace

std::vector<std::unique_ptr<Method>> all_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  for (const MethodChoice& method : registry()) methods.push_back(method->clone());
  return methods;
}

MethodChoice method_named(const std::string& name) {
  std::vector<std::string> known;
  for (const MethodChoice& method : registry()) {
    if (name == method->name()) return method;
    known.emplace_back(method->name());
  }
  throw usage_error("--method: '" + name + "' is not a method of this version, which has " + listed_methods(known) +
                    ".");
}

std::string listed_methods(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

void check_capabilities(const std::string& method, const Capabilities& can, const Environment& environment,
                        const std::string& all_with) {
  const auto check = [&](bool asked, bool Capabilities::*part, const char* what) {
    if (!asked || can.*part) return;
    std::vector<std::string> who;
    for (const MethodChoice& other : registry())
      if (other->traits().obeys.*part) who.emplace_back(other->name());
    if (std::find(who.begin(), who.end(), method) != who.end())
      throw usage_error("the method " + method + " knows no " + what + " with these settings; it does with " +
                        all_with + ".");
    throw usage_error("the method " + method + " knows no " + what + "; " + listed_methods(who) +
                      (who.size() == 1 ? " does." : " do."));
  };
  check(environment.ground.has_value(), &Capabilities::ground, "ground");
  check(!environment.colliders.empty(), &Capabilities::colliders, "colliders");
  check(!environment.balls.empty(), &Capabilities::balls, "balls that fall");
  check(!environment.held.empty(), &Capabilities::held, "points that are held");
  check(!environment.loads.empty(), &Capabilities::loads, "pokes");
  check(environment.gravity.has_value(), &Capabilities::gravity, "gravity that changes");
  check(environment.stiffness != 1, &Capabilities::stiffness, "stiffness that changes");
  check(environment.damping != 1, &Capabilities::damping, "damping that changes");
}

void register_method(const Method& method) { registry().emplace_back(method); }

}  // namespace sinew
