#include "sinew/deform/lattice/lattice_state.h"

#include <array>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr std::size_t numbers_of_held = 9;

template <class State>
auto vectors_of(State& s) {
  return std::array{&s.position,     &s.previous_position,    &s.velocity, &s.acceleration, &s.impetus,
                    &s.displacement, &s.previous_displacement};
}

}  // namespace

LatticeState lattice_state(std::size_t functions) {
  LatticeState state;
  for (std::vector<Vec3>* vectors : vectors_of(state)) vectors->resize(functions);
  state.activity.assign(functions, Activity::solved);
  state.carried.assign(functions, 0.0);
  state.stopped.assign(functions, 0);
  return state;
}

void save_state(const LatticeState& state, Snapshot& snapshot) {
  snapshot.numbers.clear();
  for (const std::vector<Vec3>* vectors : vectors_of(state))
    for (const Vec3& v : *vectors) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
  snapshot.numbers.insert(snapshot.numbers.end(), state.carried.begin(), state.carried.end());
  for (Activity activity : state.activity) snapshot.numbers.push_back(static_cast<double>(activity));
  snapshot.numbers.push_back(state.steps);
  for (const HeldMemory& point : state.held) {
    for (int vertex : point.vertex) snapshot.numbers.push_back(vertex);
    for (const Vec3& v : {point.away, point.rate}) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
  }
}

void load_state(const Snapshot& snapshot, LatticeState& state) {
  const char* sentence = "the checkpoint holds another body's state; start the run again without --resume.";
  const auto vectors = vectors_of(state);
  const std::size_t least = (3 * vectors.size() + 2) * state.position.size() + 1;
  if (snapshot.numbers.size() < least || (snapshot.numbers.size() - least) % numbers_of_held != 0)
    throw input_error(sentence);
  auto next = snapshot.numbers.begin();
  for (std::vector<Vec3>* values : vectors)
    for (Vec3& v : *values) {
      v = {next[0], next[1], next[2]};
      next += 3;
    }
  for (double& share : state.carried) {
    share = *next++;
    if (!(share >= 0 && share <= 1)) throw input_error(sentence);
  }
  for (Activity& activity : state.activity) {
    const double number = *next++;
    if (!(number == 0 || number == 1 || number == 2)) throw input_error(sentence);
    activity = static_cast<Activity>(static_cast<char>(number));
  }
  if (!(*next >= 0 && *next < 1e9)) throw input_error(sentence);
  state.steps = static_cast<int>(*next++);
  state.held.resize((snapshot.numbers.size() - least) / numbers_of_held);
  for (HeldMemory& point : state.held) {
    for (int& vertex : point.vertex) {
      if (!(*next >= -1 && *next < 1e9)) throw input_error(sentence);
      vertex = static_cast<int>(*next++);
    }
    for (Vec3* v : {&point.away, &point.rate}) {
      *v = {next[0], next[1], next[2]};
      next += 3;
    }
  }
}

}  // namespace sinew
