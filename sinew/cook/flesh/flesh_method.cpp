#include "sinew/cook/flesh/flesh_method.h"

#include <limits>

#include "sinew/cook/flesh/flesh_cook.h"

namespace sinew {
namespace {

constexpr std::uint64_t unknown_paint = std::numeric_limits<std::uint64_t>::max();

// What is kept between cooks.
struct KeptFlesh {
  FleshCook cook;
  CharacterRevision revision;  // of the character that was cooked last
};

FleshCook::Change change(const CharacterRevision& before, const CharacterRevision& now) {
  using Change = FleshCook::Change;
  if (now.skin == 0 || now.skin != before.skin) return Change::everything;
  return now.paint != before.paint ? Change::paint : Change::nothing;
}

}  // namespace

Scene FleshMethod::cook(const CookInput& input, CookCache& cache, const Progress& progress) const {
  KeptFlesh& kept = cache.of<KeptFlesh>();
  const FleshCook::Change changed = change(kept.revision, input.revision);
  // Where this is stopped, nobody knows which of the two characters, or of their paint, was prepared.
  if (changed == FleshCook::Change::everything) kept.revision = {};
  if (changed == FleshCook::Change::paint) kept.revision.paint = unknown_paint;
  Scene scene = kept.cook.prepare(values, input.real_time, input.character, changed, progress);
  kept.revision = input.revision;
  return scene;
}

bool FleshMethod::is_quick(const CookInput& input, const CookCache& cache) const {
  const KeptFlesh* kept = cache.find<KeptFlesh>();
  return kept &&
         kept->cook.needed(values, input.real_time, change(kept->revision, input.revision)) <= Recooks::stiffness &&
         !kept->cook.needs_lattice(values, input.real_time);
}

std::unique_ptr<Method> FleshMethod::draft(const CookInput& input, const CookCache& cache) const {
  const KeptFlesh* kept = cache.find<KeptFlesh>();
  const FleshCook nothing;
  if (!(kept ? kept->cook : nothing).needs_lattice(values, input.real_time)) return nullptr;
  auto in_tetrahedra = std::make_unique<FleshMethod>(*this);
  in_tetrahedra->values.lattice = {};
  if (!first_complaint(in_tetrahedra->settings()).empty()) return nullptr;
  return in_tetrahedra;
}

}  // namespace sinew
