#include "sinew/cook/surface_paint.h"

#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/character/fields.h"
#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {
namespace {

static_assert(fit_fields == surface_parameters && painted_fields[body_fields].use == FieldUse::fit);

// Sets one parameter on all painted vertices of the model.
struct Painted {
  std::vector<double> sum;
  std::vector<int> copies;
};

Painted gather(const Character& character, const SimulationSurface& surface, std::size_t vertices, std::size_t field) {
  const PaintedField& row = painted_fields[field];
  Painted painted{std::vector<double>(vertices), std::vector<int>(vertices)};
  for (std::size_t p = 0; p < surface.parts.size(); ++p) {
    const Part& part = character.parts[static_cast<std::size_t>(surface.parts[p])];
    const std::vector<double>& values = part.fields[field];
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (is_neutral(row, values[v])) continue;
      if (is_out_of_range(row, values[v]))
        throw input_error(character.file + ": " + row.attribute + " of part '" + part.name + "' is " +
                          plain(values[v]) + " at vertex " + std::to_string(v) + "; paint values from " +
                          plain(row.least) + " to " + plain(row.most) + ".");
      const auto to = static_cast<std::size_t>(surface.vertex_of[p][v]);
      painted.sum[to] += values[v];
      ++painted.copies[to];
    }
  }
  return painted;
}

}  // namespace

SurfacePaintReport apply_surface_paint(const Character& character, const SimulationSurface& surface,
                                       SurfaceModel& model) {
  const std::size_t n = model.rest.size();
  if (surface.rest.positions.size() != n)
    throw usage_error(character.file + ": has " + std::to_string(surface.rest.positions.size()) +
                      " vertices to simulate, but the model " + std::to_string(n) + "; fit a model of this character.");
  std::vector<std::array<double, surface_parameters>> values;
  for (const VertexParameters& p : model.parameters) values.push_back(to_array(p));
  std::vector<bool> is_painted(n);
  for (std::size_t k = 0; k < surface_parameters; ++k) {
    const Painted painted = gather(character, surface, n, body_fields + k);
    for (std::size_t v = 0; v < n; ++v)
      if (painted.copies[v] > 0) {
        values[v][k] = painted.sum[v] / painted.copies[v];
        is_painted[v] = true;
      }
  }
  SurfacePaintReport report;
  for (std::size_t v = 0; v < n; ++v) {
    model.parameters[v] = to_parameters(values[v]);
    report.vertices += is_painted[v];
  }
  return report;
}

}  // namespace sinew
