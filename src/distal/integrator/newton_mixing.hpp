// Help for a Newton iteration that converges slowly because its tangent lacks something, as the growth of friction with
// the normal force does: of all combinations of the last iterates, whose residuals combine alike as far as forces are
// linear, the next step starts from the one with the smallest residual (Anderson 1965; Walker, Ni 2011).
#pragma once
#include "distal/integrator/implicit_system.hpp"

namespace distal {

class NewtonMixing {
 public:
  NewtonMixing(std::size_t particle_slots, std::size_t rigid_bodies);

  // Forgets all iterates but this one.
  void begin(const Unknowns& change, const Unknowns& residual);
  // The next iterate.
  void note(const Unknowns& change, const Unknowns& residual);
  // Puts the best combination in the place of the last iterate, unless it is hardly better. Returns the size of its
  // residual, or what was given.
  double mix(double size, Unknowns& change, Unknowns& residual) const;

 private:
  static constexpr std::size_t kMost = 4;
  struct Step {
    BasicVec3Array<float> change, residual;  // by which the particles' went on
    std::vector<Six> rigid_change, rigid_residual;
  };
  static double product(const Step& a, const Step& b);
  static double product(const Step& a, const Unknowns& residual);

  std::vector<Step> steps_;  // a ring
  std::size_t count_ = 0, next_ = 0;
  Unknowns last_change_, last_residual_;
};

}  // namespace distal
