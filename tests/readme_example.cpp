#include <sinew/bake/prepare.h>
#include <sinew/base/error.h>
#include <sinew/character/size.h>
#include <sinew/io/read_character.h>

#include <cstdio>

int main(int, char** arguments) try {
  sinew::Character character = sinew::read_character(arguments[1]);
  character.metres_per_unit = sinew::decide_size(character, {}, {}).metres_per_unit;

  sinew::FleshSettings settings;
  settings.look = sinew::Look::lively;
  const sinew::FleshScene flesh = sinew::prepare_flesh(character, settings);

  std::printf("%.2f m tall, %zu tetrahedra, sags %.1f mm under its own weight\n", flesh.height,
              flesh.body->description.mesh.tetrahedra.size(), 1000 * flesh.material.sag);
} catch (const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}
