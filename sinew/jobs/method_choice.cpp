#include "sinew/jobs/method_choice.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/scene_makers.h"

namespace sinew {
namespace {

constexpr std::pair<const char*, Method> cooked_methods[] = {
    {"flesh", Method::flesh}, {"mixed", Method::mixed}, {"surface", Method::surface}, {"rigspace", Method::rig_space}};

}  // namespace

std::string listed_methods(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

MethodChoice method_named(const std::string& name) {
  MethodChoice choice;
  std::vector<std::string> known;
  for (const auto& [cooked, method] : cooked_methods) {
    choice.method = method;
    if (name == cooked) return choice;
    known.emplace_back(cooked);
  }
  choice.method = Method::made;
  for (const std::shared_ptr<SceneMaker>& maker : scene_makers()) {
    choice.maker = maker;
    if (name == maker->name()) return choice;
    known.emplace_back(maker->name());
  }
  throw usage_error("--method: '" + name + "' is not a method of this version, which has " + listed_methods(known) +
                    ".");
}

void check_choice(const MethodChoice& choice) {
  if (choice.method == Method::flesh) check_settings(choice.settings);
  if (choice.method == Method::mixed) check_settings(choice.mixed);
  if (choice.method == Method::rig_space) {
    check_settings(choice.rig_space);
    check_any_free(choice.rig_space);
  }
  if (choice.method == Method::surface && choice.model.empty())
    throw usage_error("--model: the method surface needs a model; fit one with `sinew fit`.");
  if (choice.steps_per_second && !(*choice.steps_per_second >= 10 && *choice.steps_per_second <= 1000))
    throw usage_error("--steps: must lie between 10 and 1000 steps per second.");
}

std::string choose_lattice(MethodChoice& choice) {
  std::string& file = choice.settings.lattice.file;
  if (choice.method != Method::flesh || !file.empty()) return {};
  const std::string reason = choice.real_time ? "--real-time" : asks_for_lattice(choice.settings);
  if (reason.empty()) return {};
  file = auto_lattice;
  return "Flesh moves in a control lattice, built for the character, which does better what `" + reason +
         "` asks for; name one with --lattice.";
}

}  // namespace sinew
