#include "studio/server/paint/limb_curves.h"

#include <algorithm>
#include <array>
#include <variant>

#include "sinew/base/error.h"
#include "sinew/files/limb_curves_json.h"

namespace sinew::studio {
namespace {

constexpr const char* setting_key = "along";

const Setting* along_row(const MethodChoice& choice) {
  const SettingsTable& table = choice->settings().table;
  const auto found =
      std::find_if(table.begin(), table.end(), [](const Setting& row) { return row.key == std::string(setting_key); });
  return found == table.end() ? nullptr : &*found;
}

// Reads one curve as a page sends it.
LimbCurve limb_curve_from_page(const std::string& json) {
  PageJson whole{{"curves", PageJson::array()}};
  whole["curves"].push_back(PageJson::parse(json));
  return limb_curves_from_json(whole.dump(), "The curve").front();
}

void check_limb_curve(const LimbCurve& curve, const MethodChoice& choice, const SimulationSurface& surface) {
  SimulationSurface checked;  // no vertices: fields and chains alone are checked
  checked.weighted = surface.weighted;
  checked.bones = surface.bones;
  apply_limb_curves(std::array{curve}, "The field along a limb", choice->traits().fields, checked);
}

}  // namespace

bool has_limb_curves(const MethodChoice& choice) { return along_row(choice) != nullptr; }

std::vector<LimbCurve> limb_curves_of(const MethodChoice& choice) {
  const Setting* row = along_row(choice);
  return row ? limb_curves_of_setting(std::get<Member<std::string>>(row->value).of(choice->settings()))
             : std::vector<LimbCurve>();
}

std::vector<LimbCurve> with_limb_curve(std::vector<LimbCurve> curves, std::size_t index, const std::string& json,
                                       const MethodChoice& choice, const SimulationSurface& surface) {
  if (!has_limb_curves(choice))
    throw usage_error("The method " + std::string(choice->name()) + " has no fields along limbs; choose another one.");
  if (index > curves.size() || (json.empty() && index == curves.size()))
    throw usage_error("There is no curve " + std::to_string(index) + " along a limb.");
  if (json.empty()) {
    curves.erase(curves.begin() + static_cast<std::ptrdiff_t>(index));
    return curves;
  }
  if (index == curves.size() && index >= most_limb_curves)
    throw usage_error("No more than " + std::to_string(most_limb_curves) + " curves are possible; remove one.");
  LimbCurve curve = limb_curve_from_page(json);
  check_limb_curve(curve, choice, surface);
  if (index == curves.size()) curves.emplace_back();
  curves[index] = std::move(curve);
  return curves;
}

std::string along_value(const std::vector<LimbCurve>& curves) {
  return curves.empty() ? "\"\"" : limb_curves_json(curves);
}

PageJson limbs_json(const MethodChoice& choice) {
  if (!has_limb_curves(choice)) return {};
  try {
    const std::string text = limb_curves_json(limb_curves_of(choice));
    return text.empty() ? PageJson::array() : PageJson::parse(text)["curves"];
  } catch (const Error&) {
    return PageJson::array();  // cooking says what is wrong
  }
}

}  // namespace sinew::studio
