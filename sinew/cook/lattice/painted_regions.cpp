#include "sinew/cook/lattice/painted_regions.h"

#include <algorithm>
#include <array>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/mesh/embedding.h"

namespace sinew {
namespace {

// Weights closer than this to none or to all of a place count as none or all, so that regions end where paint does.
constexpr double trace = 1e-3;

struct PaintedRegion {
  std::vector<double> weight;  // per function, 0 to 1; empty: not painted
  int bone = -1;
};

// A region's weights, given per vertex of the body, at points of it.
std::vector<double> weights_at(const TetrahedralMesh& mesh, const Embedding& points, std::span<const double> value) {
  std::vector<double> result;
  for (const EmbeddedPoint& point : points.points) {
    const Tetrahedron& corner = mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    double sum = 0, total = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double share = std::max(0.0, point.weights[k]);
      sum += share * value[static_cast<std::size_t>(corner[k])];
      total += share;
    }
    const double mean = sum / total;
    result.push_back(mean < trace ? 0 : mean > 1 - trace ? 1 : mean);
  }
  return result;
}

// The bone with the largest skin weight, by mass, where the region is.
int bone_of_most(const LatticeDescription& description, const std::vector<double>& weight, std::size_t bones) {
  std::vector<double> mass(bones, 0.0);
  for (std::size_t f = 0; f < weight.size(); ++f) {
    const Influences& skin = description.influences[f];
    for (std::size_t k = 0; k < static_cast<std::size_t>(skin.count); ++k)
      mass[static_cast<std::size_t>(skin.joint[k])] += weight[f] * skin.weight[k] * description.weight[f];
  }
  return static_cast<int>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

int bone_named(const std::string& pattern, const std::vector<Bone>& bones) {
  const auto found =
      std::find_if(bones.begin(), bones.end(), [&](const Bone& bone) { return matches(pattern, bone.name); });
  if (found == bones.end())
    throw usage_error("region_bones: no bone of the skin is named '" + pattern + "'; `sinew info --json` lists them.");
  return static_cast<int>(found - bones.begin());
}

// The skin weights of a function, and those of regions in their place.
Influences mixed_weights(const Influences& skin, std::span<const PaintedRegion> regions, std::size_t function,
                         InfluenceMean& mean) {
  double painted = 0;
  for (const PaintedRegion& region : regions)
    if (!region.weight.empty()) painted += region.weight[function];
  if (!(painted > 0)) return skin;
  mean.add(skin, std::max(0.0, 1 - painted));
  for (const PaintedRegion& region : regions) {
    if (region.weight.empty()) continue;
    Influences whole;
    whole.count = 1;
    whole.joint[0] = region.bone;
    whole.weight[0] = 1;
    mean.add(whole, region.weight[function]);
  }
  return mean.take();
}

bool is_painted(const Fields& painted, std::size_t region) {
  const std::size_t row = field("region_1") + region;
  return std::any_of(painted[row].begin(), painted[row].end(),
                     [row](double value) { return !is_neutral(painted_fields[row], value); });
}

}  // namespace

std::vector<std::string> notes_on_regions(const Fields& painted, const LatticeDiscretization& lattice) {
  std::vector<std::string> notes;
  for (const std::string& text : lattice.region_bones)
    if (!is_painted(painted, static_cast<std::size_t>(text[0] - '1')))
      notes.push_back("region_bones: region " + text.substr(0, 1) + " is not painted, so that " + text +
                      " does nothing.");
  if (!lattice.file.empty() && lattice.linearization == Linearization::blended) return notes;
  for (std::size_t region = 0; region < region_fields; ++region)
    if (is_painted(painted, region)) {
      notes.push_back(
          "Painted regions do nothing here: only flesh in a lattice with the linearization blended has them.");
      break;
    }
  return notes;
}

std::vector<Influences> painted_regions(const CookedFlesh& flesh, const LatticeDescription& description,
                                        std::span<const std::string> region_bones) {
  const std::vector<Bone>& bones = flesh.surface.bones;
  std::array<PaintedRegion, region_fields> regions;
  for (const std::string& text : region_bones)
    regions[static_cast<std::size_t>(text[0] - '1')].bone = bone_named(text.substr(2), bones);
  const FleshDescription& body = flesh.body->description;
  Embedding places;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const std::vector<double> in_volume =
        field_in_volume(body.mesh, body.embedding, flesh.surface.fields, field("region_1") + r, 0);
    if (in_volume.empty()) continue;
    if (places.points.empty()) places = embed_points(body.mesh, description.place);
    regions[r].weight = weights_at(body.mesh, places, in_volume);
    if (regions[r].bone < 0) regions[r].bone = bone_of_most(description, regions[r].weight, bones.size());
  }
  if (places.points.empty()) return {};
  InfluenceMean mean(bones.size());
  std::vector<Influences> result;
  for (std::size_t f = 0; f < description.influences.size(); ++f)
    result.push_back(mixed_weights(description.influences[f], regions, f, mean));
  return result;
}

}  // namespace sinew
