#include "studio/server/instrument/project_muscles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/muscles/muscle_activation.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"
#include "studio/server/cook/method_settings.h"

namespace sinew::studio {
namespace {

// Depths below the skin, in radii of the muscle, at which an end is put that was dragged out of the body.
constexpr std::array depths_below_skin = {0.5, 0.25, 0.1, 0.02};

FleshSettings flesh_settings(const Application& app, const Project& project) {
  const MethodChoice choice = choice_of(app, project);
  const auto* flesh = dynamic_cast<const FleshMethod*>(&*choice);
  if (!flesh) throw usage_error("Muscles need the method Flesh; choose it first.");
  return flesh->values;
}

void refuse_other_bodies(const FleshSettings& settings) {
  if (settings.free_body) throw usage_error("A free body has no bones, which muscles are attached to.");
  const std::string lattice = settings.lattice.file.empty() ? asks_for_lattice(settings) : "lattice";
  if (!lattice.empty())
    throw usage_error("Muscles need a body of tetrahedra, and the setting " + lattice +
                      " asks for a lattice; reset it under Tune first.");
  if (elasticity_of(settings) != Elasticity::nonlinear)
    throw usage_error("Muscles need nonlinear elasticity; set elasticity to nonlinear under Tune first.");
}

MuscleFile muscles_in(const Application& app, const FleshSettings& settings) {
  if (settings.muscles.empty()) throw usage_error("The character has no muscles; place them first.");
  if (settings.muscles != auto_muscles) return muscles_of_setting(settings.muscles);
  const auto* placed =
      app.loaded.scene ? dynamic_cast<const MuscleActivations*>(app.loaded.scene->muscles.get()) : nullptr;
  if (!placed || !app.uncooked.empty()) throw usage_error("The muscles are being placed; try again in a moment.");
  return placed->file();
}

Muscle& muscle_named(MuscleFile& file, const std::string& name) {
  for (Muscle& muscle : file.muscles)
    if (muscle.name == name) return muscle;
  throw usage_error("There is no muscle '" + name + "'.");
}

Project with_settings(Project project, const char* key, const std::string& json) {
  std::string& settings = project.settings[project.method];
  settings =
      json.empty() ? without_value(project.method, settings, key) : with_value(project.method, settings, key, json);
  return project;
}

Project with_activations(Project project, const ActivationFile& file) {
  const bool none = file.activations.empty() && file.controls.empty();
  return with_settings(std::move(project), "activation", none ? std::string() : activation_json(file));
}

bool is_for(const NamedActivation& named, const Muscle& muscle) {
  return named.muscles == muscle.name || matches(named.muscles, muscle.name);
}

// The project with other muscles, and without activations of muscles that are gone.
Project with_muscles(Project project, const FleshSettings& settings, const MuscleFile& file) {
  project = with_settings(std::move(project), "muscles", muscles_json(file));
  ActivationFile activation = activation_of_setting(settings.activation);
  const auto before = activation.activations.size();
  std::erase_if(activation.activations, [&](const NamedActivation& named) {
    return std::none_of(file.muscles.begin(), file.muscles.end(),
                        [&](const Muscle& muscle) { return is_for(named, muscle); });
  });
  return activation.activations.size() == before ? project : with_activations(std::move(project), activation);
}

// The place, or else one below the skin's nearest point.
Vec3 inside(const TriangleMesh& skin, const Vec3& place, double radius) {
  const BoundingVolumeHierarchy tree(skin);
  const WindingNumber winding(tree);
  const auto is_inside = [&](const Vec3& point) { return std::abs(winding(point)) > 0.5; };
  if (is_inside(place)) return place;
  const Vec3 nearest = tree.closest_point(place).point, inwards = normalized(nearest - place);
  for (const double depth : depths_below_skin)
    if (const Vec3 below = nearest + depth * radius * inwards; is_inside(below)) return below;
  return nearest;
}

}  // namespace

Project with_auto_muscles(const Application& app, Project project) {
  const FleshSettings settings = flesh_settings(app, project);
  if (!settings.muscles.empty()) throw usage_error("The character has muscles; remove them to place others.");
  refuse_other_bodies(settings);
  return with_settings(std::move(project), "muscles", PageJson(auto_muscles).dump());
}

Project without_muscles(const Application& app, Project project) {
  if (flesh_settings(app, project).muscles.empty()) throw usage_error("The character has no muscles.");
  return with_settings(with_settings(std::move(project), "muscles", ""), "activation", "");
}

Project without_muscle(const Application& app, Project project, const std::string& name) {
  const FleshSettings settings = flesh_settings(app, project);
  MuscleFile file = muscles_in(app, settings);
  muscle_named(file, name);
  std::erase_if(file.muscles, [&](const Muscle& muscle) { return muscle.name == name; });
  if (file.muscles.empty()) return without_muscles(app, std::move(project));
  return with_muscles(std::move(project), settings, file);
}

Project with_activation(const Application& app, Project project, const std::string& name, std::optional<double> value) {
  const FleshSettings settings = flesh_settings(app, project);
  MuscleFile file = muscles_in(app, settings);
  const Muscle& muscle = muscle_named(file, name);
  ActivationFile activation = activation_of_setting(settings.activation);
  std::erase_if(activation.activations, [&](const NamedActivation& named) {
    return named.muscles == name && named.activation.source == ActivationSource::constant;
  });
  MuscleActivation wanted = muscle.activation;
  if (value) {
    wanted.source = ActivationSource::constant;
    wanted.value = *value;
  }
  // The last one that matches counts.
  const auto last = std::find_if(activation.activations.rbegin(), activation.activations.rend(),
                                 [&](const NamedActivation& named) { return is_for(named, muscle); });
  const bool by_pattern =
      last != activation.activations.rend() && last->activation.source == ActivationSource::constant;
  if (value || by_pattern) activation.activations.push_back({name, wanted});
  return with_activations(std::move(project), activation);
}

Project with_end_at(const Application& app, Project project, const std::string& name, bool origin, const Vec3& place) {
  const FleshSettings settings = flesh_settings(app, project);
  MuscleFile file = muscles_in(app, settings);
  Muscle& muscle = muscle_named(file, name);
  (origin ? muscle.origin : muscle.insertion).place = inside(app.rest_surface->rest, place, thickness_of(muscle));
  return with_muscles(std::move(project), settings, file);
}

}  // namespace sinew::studio
