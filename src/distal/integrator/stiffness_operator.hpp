// The linearised system at a state, as products only: mass-weighted stiffness, by differences of the force list itself.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Coordinates: sqrt(m) times the displacement of every particle that can move, then six of every free rigid body.
class StiffnessOperator {
 public:
  // rate_per_displacement s adds s times the damping: the product is with M^-1/2 (K + s C) M^-1/2.
  // With `bonded_skin` every contact sample is held by its spring, touching or not; without, nothing touches.
  StiffnessOperator(const Model& model, const State& state, Workspace& ws, double rate_per_displacement,
                    bool rigid_moves, bool bonded_skin);
  // Looks at another state, with another damping; keeps all memory. The state is read until the next one is set, and
  // ws.retry is overwritten, which is free between control periods.
  void set_base(const State& state, double rate_per_displacement);

  std::size_t size() const { return 3 * particles_.size() + 6 * bodies_.size(); }
  template <typename Real>
  void apply(const std::vector<Real>& in, std::vector<Real>& out);
  // A start vector that no symmetry of the body makes orthogonal to anything.
  template <typename Real>
  void fill_start(std::vector<Real>& start) const;
  // Which particle moves most in a vector; -1 if a rigid body does.
  std::int32_t busiest_particle(const std::vector<double>& vector) const;

 private:
  template <typename Visit>
  void for_responses(const Visit& visit) const;
  void compute(const State& state);

  const Model& model_;
  Workspace& ws_;
  double rate_;
  SkinContact skin_;
  const State* base_ = nullptr;
  std::vector<std::int32_t> particles_;
  std::vector<std::size_t> bodies_;
  std::vector<double> rest_;
};

}  // namespace distal
