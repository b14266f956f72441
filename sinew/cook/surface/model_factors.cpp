#include "sinew/cook/surface/model_factors.h"

#include <algorithm>
#include <array>

#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {
namespace {

constexpr std::size_t first_factor = body_fields + fit_fields;
static_assert(model_fields == surface_parameters && painted_fields[first_factor].use == FieldUse::model);

}  // namespace

std::vector<FieldInUse> model_fields_in_use() {
  std::vector<FieldInUse> fields;
  for (std::size_t k = 0; k < model_fields; ++k) fields.push_back({first_factor + k, 1});
  fields.push_back({field("rigid"), 0});
  return fields;
}

bool has_factors(const Fields& fields) {
  for (std::size_t k = 0; k < model_fields; ++k)
    if (!fields[first_factor + k].empty()) return true;
  return false;
}

void multiply_parameters(const Fields& fields, SurfaceModel& model) {
  for (std::size_t k = 0; k < model_fields; ++k) {
    const std::vector<double>& factor = fields[first_factor + k];
    const PaintedField &row = painted_fields[first_factor + k], &parameter = painted_fields[body_fields + k];
    for (std::size_t v = 0; v < factor.size(); ++v) {
      std::array<double, surface_parameters> values = to_array(model.parameters[v]);
      values[k] = std::min(parameter.most, values[k] * std::clamp(factor[v], row.least, row.most));
      model.parameters[v] = to_parameters(values);
    }
  }
}

}  // namespace sinew
