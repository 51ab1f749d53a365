#include <algorithm>
#include <cmath>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/contact_problem.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/particle_update.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {
namespace {

struct ComplementarityMemory final : IntegratorMemory {
  explicit ComplementarityMemory(const Model& model)
      : motion(model), finder(model), problem(model), velocity(motion.size()), added(motion.size()) {
    impulse.resize(model.rigid.size());
  }
  LinkedMotion motion;
  HardContactFinder finder;
  ContactProblem problem;
  Eigen::VectorXd velocity, added;
  std::vector<Wrench> impulse;  // on each body in this step, about its centre of mass
  std::vector<FoundContact> contacts;
  std::vector<LimitRow> limits;
  std::vector<MotorRow> motors;
  std::vector<RigidState> before;
};

ComplementarityMemory& memory_of(const Model& model, Workspace& ws) {
  auto* memory = dynamic_cast<ComplementarityMemory*>(ws.integrator_memory.get());
  if (memory == nullptr) {
    auto fresh = std::make_unique<ComplementarityMemory>(model);
    memory = fresh.get();
    ws.integrator_memory = std::move(fresh);
  }
  return *memory;
}

bool is_rod(const RigidBody& body) { return !body.shape; }

class ComplementarityStep {
 public:
  ComplementarityStep(const Model& model, double h, State& state, Workspace& ws)
      : model_(model), h_(h), state_(state), ws_(ws), m_(memory_of(model, ws)) {}

  SolveReport take() {
    m_.before = state_.rigid;
    gather_impulses();
    ask_joints();
    m_.motion.update(state_, m_.added);
    m_.motion.gather(state_, m_.impulse, h_, m_.velocity);
    add_motor_impulses();
    m_.motion.divide_by_mass(m_.velocity);
    m_.contacts = m_.finder.find(state_, h_);
    const SolveReport report = m_.problem.solve(state_, m_.motion, h_, m_.contacts, m_.limits, m_.motors, m_.velocity);
    book_joints();
    m_.motion.set_velocities(m_.velocity, state_);
    keep_contacts();
    book_energy();
    return report;
  }

  // What is soft follows while rigid bodies move on with their new velocities.
  void move_on() {
    const int steps = std::max(1, (state_.steps_per_period + model_.rigid_steps - 1) / model_.rigid_steps);
    const double h = h_ / steps;
    const bool soft = !model_.soft.empty();
    for (int n = 0; n < (soft ? steps : 1); ++n) {
      if (soft) move_soft(h);
      m_.motion.drift(soft ? h : h_, state_);
      note_motion(model_, soft ? h : h_, state_, ws_);
    }
  }

 private:
  void gather_impulses() {
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      m_.impulse[b] = state_.soft_impulse[b];
      state_.soft_impulse[b] = {};
      if (model_.rigid[b].mount == Mount::fixed || is_rod(model_.rigid[b])) continue;
      m_.impulse[b] += Wrench{h_ * (ws_.applied[b].force + model_.rigid[b].mass_kg * model_.gravity_m_s2),
                              h_ * ws_.applied[b].torque};
    }
  }

  // Servo and damper act with the velocity at the end of the step, and so never shake.
  void ask_joints() {
    m_.added.setZero();
    m_.limits.clear(), m_.motors.clear();
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const int freedom = m_.motion.freedom_of_joint(j);
      if (freedom < 0) continue;
      const JointDrive& d = model_.joints[j].drive;
      const double position = state_.joint_position[j], reach = std::abs(state_.joint_velocity[j]) * 2.0 * h_ + 1e-2;
      const Motor motor = motor_of(j);
      m_.added[freedom] += h_ * d.damping + motor.slope;
      if (position - d.lower < reach) m_.limits.push_back({j, 1.0, position - d.lower});
      if (d.upper - position < reach) m_.limits.push_back({j, -1.0, d.upper - position});
      if (motor.slope > 0.0 && std::isfinite(d.most_effort))
        m_.motors.push_back({j, motor.asked, motor.slope, h_ * d.most_effort});
    }
  }
  // Its impulse in this step is `asked` less the slope times the velocity at the end, within what it can give.
  struct Motor {
    double asked = 0.0, slope = 0.0;
  };
  Motor motor_of(std::size_t j) const {
    const Joint& joint = model_.joints[j];
    const JointDrive& d = joint.drive;
    const JointCommand& command = ws_.joint_commands[j];
    if (command.mode == JointMode::torque) return {h_ * std::clamp(command.value, -d.most_effort, d.most_effort), 0.0};
    if (!joint.has_motor()) return {};
    const auto done = static_cast<double>(state_.step % model_.rigid_steps + 1);
    Joint::Target target{command.value, command.rate};
    if (command.mode == JointMode::own)
      target = joint.target_at(state_.time_s + h_ * done);
    else
      target.position -= command.rate * h_ * (static_cast<double>(model_.rigid_steps) - done);
    return {h_ * (d.motor_stiffness * (target.position - state_.joint_position[j]) + d.motor_damping * target.velocity),
            h_ * (h_ * d.motor_stiffness + d.motor_damping)};
  }
  void add_motor_impulses() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (const int freedom = m_.motion.freedom_of_joint(j); freedom >= 0) m_.velocity[freedom] += motor_of(j).asked;
  }

  void book_joints() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const int freedom = m_.motion.freedom_of_joint(j);
      if (freedom < 0) continue;
      const JointDrive& d = model_.joints[j].drive;
      const double velocity = m_.velocity[freedom], mean = 0.5 * (velocity + state_.joint_velocity[j]);
      const double most = h_ * d.most_effort;
      const Motor motor = motor_of(j);
      const double effort = std::clamp(motor.asked - motor.slope * velocity, -most, most);
      state_.joint_effort[j] = effort / h_;
      state_.energy.control_work += effort * mean;
      state_.energy.dissipated += h_ * d.damping * velocity * mean;
    }
  }

  void keep_contacts() {
    state_.hard_contacts.clear();
    for (const FoundContact& found : m_.contacts) state_.hard_contacts.push_back(found.contact);
  }

  // Impulses work on the mean of the velocities before and after.
  void book_energy() {
    const auto mean = [&](int body, const Vec3& at) {
      const auto b = static_cast<std::size_t>(body);
      const RigidState &old = m_.before[b], &now = state_.rigid[b];
      const Vec3 arm = at - now.centre_of_mass, turn = 0.5 * (old.angular_velocity + now.angular_velocity);
      return Twist{0.5 * (old.velocity + now.velocity) + turn.cross(arm), turn};
    };
    for (const HardContact& c : state_.hard_contacts) {
      const ContactPair& pair = model_.pairs[static_cast<std::size_t>(c.pair)];
      const Twist partner = mean(pair.partner, c.point), sampled = mean(pair.sampled, c.point);
      const double power = c.force().dot(partner.linear - sampled.linear) +
                           c.friction.z() * c.normal.dot(partner.angular - sampled.angular);
      state_.energy.dissipated -= h_ * power;
      // The drive of a driven body pays for what contacts take from it.
      for (const auto& [body, sign, twist] :
           {std::tuple{pair.partner, 1.0, partner}, std::tuple{pair.sampled, -1.0, sampled}})
        if (model_.rigid[static_cast<std::size_t>(body)].mount == Mount::driven)
          state_.energy.control_work -=
              sign * h_ * (c.force().dot(twist.linear) + c.friction.z() * c.normal.dot(twist.angular));
    }
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      const Twist twist = mean(static_cast<int>(b), state_.rigid[b].centre_of_mass);
      if (is_rod(model_.rigid[b])) continue;
      ws_.rigid_acceleration[b] = {(state_.rigid[b].velocity - m_.before[b].velocity) / h_,
                                   (state_.rigid[b].angular_velocity - m_.before[b].angular_velocity) / h_};
      state_.energy.control_work +=
          h_ * (ws_.applied[b].force.dot(twist.linear) + ws_.applied[b].torque.dot(twist.angular));
    }
  }

  void move_soft(double h) {
    find_contacts(model_, state_, ws_);
    compute_forces(model_, state_, ws_);
    commit_contacts(model_, ws_, state_);
    state_.energy.dissipated += h * dissipation_power(model_, state_, ws_);
    kick_particles(model_, h, ws_, state_.v);
    for (std::size_t p = 0; p < model_.pairs.size(); ++p) {
      const ContactPair& pair = model_.pairs[p];
      if (pair.hard) continue;
      Wrench& impulse = state_.soft_impulse[static_cast<std::size_t>(pair.partner)];
      impulse += Wrench{h * ws_.pairs[p].on_partner.force, h * ws_.pairs[p].on_partner.torque};
    }
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      if (!is_rod(model_.rigid[b])) continue;
      kick_body(model_, b, h, ws_, state_);
      if (model_.rigid[b].mount != Mount::driven) drift_body(model_.rigid[b], h, state_.rigid[b]);
    }
    drift_particles(h, ws_, state_.v, state_.x);
  }

  const Model& model_;
  const double h_;
  State& state_;
  Workspace& ws_;
  ComplementarityMemory& m_;
};

}  // namespace

Advance advance_complementarity(const Model& model, double h, State& state, Workspace& ws) {
  ComplementarityStep step(model, h, state, ws);
  Advance advance{h, 0, false, {}};
  advance.solve = step.take();
  step.move_on();
  return advance;
}

}  // namespace distal
