#include <sinew/bake/bake.h>
#include <sinew/base/error.h>
#include <sinew/cook/cook.h>
#include <sinew/cook/flesh/flesh_method.h>
#include <sinew/jobs/open_character.h>
#include <sinew/jobs/pictures/preview.h>

#include <cstdio>

int main(int, char** arguments) try {
  const sinew::Character character = sinew::open_character(arguments[1]).character;

  sinew::FleshMethod flesh;
  flesh.values.look = sinew::Look::lively;
  const sinew::Scene scene = sinew::cook(flesh, {character});
  sinew::BakeOptions options;
  options.clip = 0;
  const sinew::BakeResult bake = sinew::bake(character, scene, nullptr, options);
  sinew::write_png(arguments[2], sinew::preview_filmstrip(character, bake.recording));
} catch (const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}
