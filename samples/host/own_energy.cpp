// A host's own elastic energy in place of Sinew's: tissue that stiffens with the square of its strain moves a
// character's flesh and poses its body.
//
//   sinew_own_energy CHARACTER.glb
#include <sinew/base/file.h>
#include <sinew/cook/flesh/flesh_method.h>
#include <sinew/cook/mixed/mixed_method.h>
#include <sinew/elastic/mixed_materials.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

// psi = mu |E|^2 (1 + k |E|^2) + lambda / 2 tr(E)^2, with the strain E = S - I of the stretch S.
constexpr double stiffening = 20;  // k
double value(const sinew::Mandel& stretch, const sinew::LameModuli& moduli) {
  const sinew::Mandel e = stretch - sinew::Mandel::identity();
  return moduli.shear * dot(e, e) * (1 + stiffening * dot(e, e)) + 0.5 * moduli.lambda * trace(e) * trace(e);
}
sinew::Mandel gradient(const sinew::Mandel& stretch, const sinew::LameModuli& moduli) {
  const sinew::Mandel e = stretch - sinew::Mandel::identity();
  return e * (2 * moduli.shear * (1 + 2 * stiffening * dot(e, e))) +
         sinew::Mandel::identity() * (moduli.lambda * trace(e));
}
sinew::MandelMatrix hessian(const sinew::Mandel& stretch, const sinew::LameModuli& moduli) {
  const sinew::Mandel e = stretch - sinew::Mandel::identity();
  sinew::MandelMatrix h = sinew::MandelMatrix::diagonal(2 * moduli.shear * (1 + 2 * stiffening * dot(e, e)));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      h(i, j) += 8 * moduli.shear * stiffening * e[i] * e[j] + (i < 3 && j < 3 ? moduli.lambda : 0);
  return h;
}
constexpr sinew::StretchEnergy stiffening_tissue{value, gradient, hessian, false};

// Where the skin is after each quarter of the first clip.
std::vector<sinew::Vec3> quarters(const sinew::Character& character, const sinew::Scene& scene) {
  const sinew::Clip& clip = character.clips.at(0);
  const std::unique_ptr<sinew::Deformer> deformer = scene.deformer();
  const double step = deformer->step() > 0 ? deformer->step() : 1.0 / 60;  // 0: every pose by itself
  const auto bones_at = [&](double time) {
    return sinew::bone_transforms(character, scene.bones, sinew::sample(character.skeleton, &clip, clip.start + time));
  };
  std::vector<sinew::Affine> bones = bones_at(0), next = bones_at(step);
  deformer->reset({0, bones}, {step, next});
  const int steps = static_cast<int>((clip.end - clip.start) / step);
  std::vector<sinew::Vec3> positions(scene.surface->rest.positions.size()), all;
  for (int k = 1; k <= steps; ++k) {
    bones = bones_at(k * step);
    deformer->advance({k * step, bones}, {});
    if (k % std::max(1, steps / 4) != 0) continue;
    deformer->surface({k * step, bones}, 0, positions);
    all.insert(all.end(), positions.begin(), positions.end());
  }
  return all;
}

double farthest(const std::vector<sinew::Vec3>& a, const std::vector<sinew::Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, sinew::distance(a[v], b[v]));
  return most;
}

// Cooks with Sinew's energy and with the host's, and says how far apart they move the skin.
template <class Method>
void compare(const sinew::Character& character, Method method, const char* name) {
  method.values.tetrahedra = 2000;
  const std::vector<sinew::Vec3> usual = quarters(character, sinew::cook(method, {character}));
  method.values.energy = &stiffening_tissue;
  const double apart = farthest(quarters(character, sinew::cook(method, {character})), usual);
  std::printf("%s: the host's energy moves the skin elsewhere by up to %.3g m.\n", name, apart);
  if (!(apart > 1e-5)) throw sinew::simulation_error("the host's energy changes nothing.");
}

int main(int count, char** arguments) try {
  if (count < 2) throw sinew::usage_error("give a character (.glb) with a clip.");
  const sinew::Character character =
      sinew::open_rigged_character(sinew::read_file(arguments[1]), arguments[1]).character;
  if (character.clips.empty()) throw sinew::input_error(character.file + ": has no clip to play.");
  compare(character, sinew::FleshMethod(), "flesh");
  compare(character, sinew::MixedMethod(), "mixed");
} catch (const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}
