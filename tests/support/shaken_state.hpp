// States and directions without symmetry, for tests of forces and their tangents.
#pragma once
#include <random>

#include "distal/model/model.hpp"
#include "distal/state/state.hpp"

namespace distal::test {

// Each component of every particle between -1 and 1.
inline Vec3Array random_moves(const Model& model, unsigned seed) {
  Vec3Array moves;
  moves.resize(model.particle_slots);
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    if (model.mass_kg[p] > 0.0) moves.set(p, Vec3(unit(engine), unit(engine), unit(engine)));
  return moves;
}

// Squeezed to 0.7 along one axis, sheared, and shaken by up to shake_m.
inline State shaken_state(const Model& model, double shake_m) {
  State state = make_initial_state(model);
  Mat3 f;
  f << 1.1, 0.2, 0.0, 0.0, 1.05, -0.1, 0.1, 0.0, 0.7;
  const Vec3Array noise = random_moves(model, 5);
  for (std::size_t p = 0; p < model.particle_slots; ++p) state.x.set(p, f * state.x.get(p) + shake_m * noise.get(p));
  return state;
}

}  // namespace distal::test
