#include "sinew/cook/body_settings.h"

namespace sinew {
namespace {

constexpr const char *body_group = "Body", *dynamics_group = "Dynamics";
constexpr Word<Look> looks[] = {{"subtle", Look::subtle}, {"natural", Look::natural}, {"lively", Look::lively}};
constexpr Word<Reference> references[] = {{"rig", Reference::rig}, {"elastic", Reference::elastic}};

}  // namespace

// clang-format off
Setting tetrahedra_setting(const Member<int>& tetrahedra, double least, double most) {
  return {.key = "tetrahedra", .value = tetrahedra, .help = "Elements to aim at", .range = between(least, most),
          .option = OnCommandLine::common, .group = body_group, .recooks = Recooks::everything};
}

Setting cell_size_setting(const Member<std::optional<double>>& cell_size) {
  return {.key = "cell_size", .value = cell_size, .help = "Edge of the body's cells, instead of a count",
          .range = above(0), .unit = units::metres, .none = "from the count", .option = OnCommandLine::rare,
          .example = "0.05", .group = body_group, .recooks = Recooks::everything};
}

Setting young_setting(SettingValue young) {
  const bool left_to_look = std::holds_alternative<Member<std::optional<double>>>(young);
  // Diamond's modulus. A larger number is more likely a typing error.
  return {.key = "young", .value = young, .help = "Young's modulus: stiffness",
          .range = {.least = 0, .most = 1e12, .without_least = true}, .unit = units::pascals,
          .hint = "1e12 is diamond, flesh has 1e3 to 1e6", .none = left_to_look ? "the look's" : nullptr,
          .option = OnCommandLine::common, .example = "2e5", .group = body_group, .recooks = Recooks::stiffness};
}

Setting poisson_setting(const Member<double>& poisson, const Range& range) {
  return {.key = "poisson", .value = poisson, .help = "Poisson's ratio", .range = range,
          .option = OnCommandLine::rare, .takes = "NU", .group = body_group, .recooks = Recooks::body};
}

Setting density_setting(const Member<double>& density) {
  return {.key = "density", .value = density, .help = "Density", .range = above(0), .unit = units::density,
          .option = OnCommandLine::rare, .takes = "RHO", .group = body_group, .recooks = Recooks::body};
}

Setting color_stiffness_setting(const Member<bool>& color_stiffness) {
  return {.key = "color_stiffness", .value = color_stiffness,
          .help = "The red channel of COLOR_0 multiplies stiffness on parts without _SINEW_STIFFNESS",
          .option = OnCommandLine::rare, .group = body_group, .recooks = Recooks::body};
}

Setting look_setting(const Member<Look>& look) {
  return {.key = "look", .value = choice(look, looks),
          .help = "How much the flesh moves for its height", .option = OnCommandLine::common,
          .group = dynamics_group, .recooks = Recooks::stiffness};
}

Setting reference_setting(const Member<Reference>& reference) {
  return {.key = "reference", .value = choice(reference, references),
          .help = "What flesh rests at (the animator's shape in every pose, or the shape that elasticity finds)",
          .option = OnCommandLine::rare, .group = dynamics_group, .recooks = Recooks::body};
}

Setting damping_setting(const Member<std::optional<double>>& damping) {
  return {.key = "damping", .value = damping, .help = "Ratio to critical damping; less jiggles longer",
          .range = between(0, 10), .none = "the look's", .option = OnCommandLine::common, .takes = "RATIO",
          .example = "0.1", .group = dynamics_group, .recooks = Recooks::factor};
}

Setting step_setting(SettingValue step, const Range& range, const char* none) {
  return {.key = "step", .value = std::move(step), .help = "Internal time step", .range = range, .unit = units::seconds,
          .none = none, .option = OnCommandLine::rare, .example = "0.004", .group = dynamics_group,
          .recooks = Recooks::factor};
}
// clang-format on

}  // namespace sinew
