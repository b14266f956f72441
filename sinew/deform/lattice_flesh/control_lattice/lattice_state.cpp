#include "sinew/deform/lattice_flesh/control_lattice/lattice_state.h"

#include <array>

#include "sinew/base/error.h"

namespace sinew {
namespace {

template <class State>
auto vectors_of(State& s) {
  return std::array{&s.position,     &s.previous_position, &s.velocity,             &s.acceleration,
                    &s.impetus,      &s.displacement,      &s.previous_displacement};
}

}  // namespace

LatticeState lattice_state(std::size_t functions) {
  LatticeState state;
  for (std::vector<Vec3>* vectors : vectors_of(state)) vectors->resize(functions);
  state.activity.assign(functions, Activity::solved);
  return state;
}

void save_state(const LatticeState& state, Snapshot& snapshot) {
  snapshot.numbers.clear();
  for (const std::vector<Vec3>* vectors : vectors_of(state))
    for (const Vec3& v : *vectors) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
  for (Activity activity : state.activity) snapshot.numbers.push_back(static_cast<double>(activity));
  snapshot.numbers.push_back(state.steps);
}

void load_state(const Snapshot& snapshot, LatticeState& state) {
  const char* sentence = "the checkpoint holds another body's state; start the run again without --resume.";
  const auto vectors = vectors_of(state);
  if (snapshot.numbers.size() != (3 * vectors.size() + 1) * state.position.size() + 1) throw input_error(sentence);
  auto next = snapshot.numbers.begin();
  for (std::vector<Vec3>* values : vectors)
    for (Vec3& v : *values) {
      v = {next[0], next[1], next[2]};
      next += 3;
    }
  for (Activity& activity : state.activity) {
    const double number = *next++;
    if (!(number == 0 || number == 1 || number == 2)) throw input_error(sentence);
    activity = static_cast<Activity>(static_cast<char>(number));
  }
  if (!(*next >= 0 && *next < 1e9)) throw input_error(sentence);
  state.steps = static_cast<int>(*next);
}

}  // namespace sinew
