#include "distal/integrator/contact_problem.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr int kMostLemkeVariables = 240;  // beyond, projections are faster
constexpr int kMostContacts = 256;
constexpr double kPushOutShare = 0.2;  // of a penetration, in one step
constexpr double kMostPushOut_m_s = 0.1;
constexpr double kInfiniteFriction = 1e4;  // stands for "never slips"
// Four corners under one face share their load in any way; a trace of give makes it one way, and always the same.
constexpr double kGive = 1e-9;
constexpr double kMostResidual = 1e-6;  // of a solution that is taken
constexpr double kConeTolerance = 1e-9;
constexpr int kFirstSweeps = 10, kMostSweeps = 2000, kMostRounds = 30;
constexpr double kSlipSpeed_m_s = 1e-6;
constexpr double kAtLimit = 1e-9;  // [rad] or [m]
constexpr double kNoWay = 1e-9;    // of a normal, for any freedom that moves by one

}  // namespace

ContactProblem::ContactProblem(const Model& model)
    : model_(model),
      cone_(make_friction_cone(model.integrator.friction_vertices,
                               model.integrator.friction_inscribed ? ConeFit::inscribed : ConeFit::balanced)),
      lemke_(kMostLemkeVariables),
      proximal_(kMostContacts) {}

void ContactProblem::build_rows(const State& state, const LinkedMotion& motion, double h,
                                const std::vector<FoundContact>& contacts, const Eigen::VectorXd& v) {
  const auto count = static_cast<Eigen::Index>(contacts.size());
  friction_.clear();
  for (Eigen::Index i = 0; i < count; ++i) {
    const FoundContact& found = contacts[static_cast<std::size_t>(i)];
    const HardContact& c = found.contact;
    const ContactPair& pair = model_.pairs[static_cast<std::size_t>(c.pair)];
    const auto add = [&](Eigen::Index row, const Vec3& at, const Vec3& linear, const Vec3& angular) {
      const auto one = [&](int body, double sign) {
        const Vec3 arm = at - state.rigid[static_cast<std::size_t>(body)].centre_of_mass;
        motion.add_row(body, sign, arm, linear, angular, rows_.col(row));
        b_[row] += sign * motion.carried(body, arm, linear, angular);
      };
      one(pair.partner, 1.0), one(pair.sampled, -1.0);
    };
    add(4 * i, c.point, c.normal, Vec3::Zero());
    add(4 * i + 1, found.friction_point, c.first_tangent, Vec3::Zero());
    add(4 * i + 2, found.friction_point, c.second_tangent(), Vec3::Zero());
    add(4 * i + 3, c.point, Vec3::Zero(), c.normal);
    // What is apart may close its gap and no more; what overlaps is pushed out gently.
    b_[4 * i] +=
        c.separation_m > 0.0 ? c.separation_m / h : std::max(kPushOutShare * c.separation_m / h, -kMostPushOut_m_s);
    const double mu = c.slides ? pair.law.dynamic_friction : pair.law.static_friction;
    friction_.push_back({std::min(mu, kInfiniteFriction), c.eccentricity_m});
  }
  b_ += rows_.transpose() * v;
  moved_ = rows_;
  motion.divide_by_mass(moved_);
  a_.noalias() = rows_.transpose() * moved_;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (rows_.col(4 * i).cwiseAbs().maxCoeff() < kNoWay) leave_out(i);
    a_(4 * i, 4 * i) *= 1.0 + kGive;
  }
}

// A contact along whose normal joints let nothing move: no load could change that, and none is found.
void ContactProblem::leave_out(Eigen::Index contact) {
  const auto four = Eigen::seqN(4 * contact, 4);
  rows_.middleCols<4>(4 * contact).setZero(), moved_.middleCols<4>(4 * contact).setZero();
  a_.middleRows<4>(4 * contact).setZero(), a_.middleCols<4>(4 * contact).setZero();
  a_(four, four).diagonal().setOnes();
  b_.segment<4>(4 * contact).setZero();
}

// A motor has two unknowns, what it is short of asked in either direction: with the velocity v of the joint
//   0 <= short+  against  v + (most - asked + short+ - short-) / slope >= 0, and the same with the signs turned.
// At most one of the two is not zero.
void ContactProblem::add_joint_rows(const State& state, const LinkedMotion& motion, double h,
                                    const std::vector<LimitRow>& limits, const std::vector<MotorRow>& motors) {
  joints_.clear();
  auto row = static_cast<Eigen::Index>(4 * friction_.size());
  const auto add = [&](std::size_t joint, double along, const JointRow& one) {
    rows_(motion.freedom_of_joint(joint), row++) = along;
    joints_.push_back(one);
  };
  for (const LimitRow& limit : limits)
    add(limit.joint, limit.sign, {1.0, 0.0, -limit.distance / h, std::abs(limit.distance) < kAtLimit});
  for (const MotorRow& motor : motors) {
    const double effort = h * state.joint_effort[motor.joint], nearly = (1.0 - 1e-9) * motor.most;
    add(motor.joint, -1.0, {-1.0, 1.0 / motor.slope, (motor.most - motor.asked) / motor.slope, effort > nearly});
    add(motor.joint, 1.0, {-1.0, 1.0 / motor.slope, (motor.most + motor.asked) / motor.slope, effort < -nearly});
  }
}

bool ContactProblem::solve_on_hull(const std::vector<MotorRow>& motors, SolveReport& report) {
  const auto contacts = static_cast<Eigen::Index>(friction_.size()),
             further = static_cast<Eigen::Index>(joints_.size());
  const Eigen::Index first = contacts * static_cast<Eigen::Index>(cone_.vertices.size() + 2);
  if (first + further > kMostLemkeVariables) return false;
  build_friction_problem(a_, b_, friction_, cone_, m_, q_);
  for (Eigen::Index k = 0; k < further; ++k) {
    const JointRow& joint = joints_[static_cast<std::size_t>(k)];
    m_.row(first + k) *= joint.sign;
    q_[first + k] = joint.sign * (q_[first + k] - joint.offset);
    m_(first + k, first + k) -= joint.sign * joint.give;
  }
  // The other of a motor's two.
  for (Eigen::Index k = further - 2 * static_cast<Eigen::Index>(motors.size()); k < further; k += 2) {
    const double give = joints_[static_cast<std::size_t>(k)].give;
    m_(first + k, first + k + 1) -= give;
    m_(first + k + 1, first + k) -= give;
  }
  LemkeOptions options;
  options.warm = true;
  const LemkeResult result = lemke_.solve(m_, q_, options);
  report.iterations += result.pivots + result.restore_pivots;
  report.relative = result.residual;
  if (result.status != LemkeStatus::solved || result.residual > kMostResidual) return false;
  read_friction_forces(lemke_.z(), friction_, cone_, forces_);
  r_.head(4 * contacts) = forces_;
  r_.tail(further) = lemke_.z().tail(further);
  return true;
}

// Unknowns of active joints follow from the contacts' linearly: those alone are left.
void ContactProblem::eliminate_joints() {
  const auto contacts = static_cast<Eigen::Index>(4 * friction_.size());
  active_.clear();
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (joints_[k].active) active_.push_back(contacts + static_cast<Eigen::Index>(k));
  const auto count = static_cast<Eigen::Index>(active_.size());
  reduced_a_ = a_.topLeftCorner(contacts, contacts);
  reduced_b_ = b_.head(contacts);
  joint_share_.resize(count, contacts);
  joint_free_.resize(count);
  if (count == 0) return;
  Eigen::MatrixXd own = a_(active_, active_);
  for (Eigen::Index k = 0; k < count; ++k) {
    const JointRow& joint = joints_[static_cast<std::size_t>(active_[static_cast<std::size_t>(k)] - contacts)];
    own(k, k) -= joint.give;
    joint_free_[k] = joint.offset - b_[active_[static_cast<std::size_t>(k)]];
    joint_share_.row(k) = -a_.row(active_[static_cast<std::size_t>(k)]).head(contacts);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(own);
  joint_free_ = factor.solve(joint_free_).eval();
  joint_share_ = factor.solve(joint_share_).eval();
  const Eigen::MatrixXd across = a_(Eigen::seqN(0, contacts), active_);
  reduced_a_.noalias() += across * joint_share_;
  reduced_b_.noalias() += across * joint_free_;
}

// True if some joint is active that should not be, or the other way round; then it is turned.
bool ContactProblem::update_active_joints() {
  const auto contacts = static_cast<Eigen::Index>(4 * friction_.size());
  const double tolerance = 1e-10 * (b_.cwiseAbs().maxCoeff() + 1e-9);
  bool changed = false;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    JointRow& joint = joints_[k];
    const Eigen::Index row = contacts + static_cast<Eigen::Index>(k);
    const double gap = joint.sign * (b_[row] + a_.row(row).dot(r_) - joint.give * r_[row] - joint.offset);
    const bool wrong = joint.active ? r_[row] < 0.0 : gap < -tolerance;
    if (!wrong) continue;
    joint.active = !joint.active;
    changed = true;
  }
  return changed;
}

void ContactProblem::set_forces() {
  r_.setZero();
  r_.head(forces_.size()) = forces_;
  if (!active_.empty()) r_(active_) = joint_free_ + joint_share_ * forces_;
}

// Contacts are solved with the joints at an end eliminated, again until those are the right ones.
bool ContactProblem::settle_joints(const std::function<bool()>& solve_contacts) {
  for (int round = 0; round < kMostRounds; ++round) {
    eliminate_joints();
    if (!friction_.empty() && !solve_contacts()) return false;
    set_forces();
    if (!update_active_joints()) return true;
  }
  return false;
}

bool ContactProblem::stick() { return proximal_.solve_sticking(reduced_a_, reduced_b_, friction_, forces_); }

bool ContactProblem::slip_as_before(SolveReport& report) {
  const FrictionNewtonResult newton = newton_.solve(reduced_a_, reduced_b_, friction_, last_, forces_, kConeTolerance);
  report.iterations += newton.rounds;
  report.relative = newton.residual;
  return newton.converged;
}

// Newton's method is fast near the solution, projections come near it from anywhere.
bool ContactProblem::slip_on_cone(SolveReport& report) {
  for (int sweeps = kFirstSweeps, done = 0; done < kMostSweeps; sweeps *= 2) {
    if (slip_as_before(report)) return true;
    const ProximalResult result = proximal_.solve(reduced_a_, reduced_b_, friction_, forces_, {sweeps, kConeTolerance});
    done += result.sweeps;
    report.iterations += result.sweeps;
    report.relative = result.residual;
    worst_contact_ = std::max(result.worst_contact, 0);
    if (result.converged) return true;
  }
  return report.relative <= kMostResidual;
}

SolveReport ContactProblem::solve(const State& state, const LinkedMotion& motion, double h,
                                  std::vector<FoundContact>& contacts, const std::vector<LimitRow>& limits,
                                  const std::vector<MotorRow>& motors, Eigen::VectorXd& v) {
  SolveReport report;
  report.newton = 1;
  const auto size = static_cast<Eigen::Index>(4 * contacts.size() + limits.size() + 2 * motors.size());
  if (size == 0) return report;
  rows_.setZero(motion.size(), size);
  b_.setZero(size);
  r_.setZero(size);
  friction_.resize(contacts.size());
  add_joint_rows(state, motion, h, limits, motors);
  build_rows(state, motion, h, contacts, v);
  for (std::size_t i = 0; i < contacts.size(); ++i) {  // the last step's, a first guess
    const HardContact& c = contacts[i].contact;
    r_.segment<4>(4 * static_cast<Eigen::Index>(i)) << h * c.load_n, h * c.friction;
  }
  last_ = forces_ = r_.head(static_cast<Eigen::Index>(4 * contacts.size()));
  const bool as_printed = model_.integrator.friction_inscribed;
  const std::vector<JointRow> joints = joints_;
  const auto again = [&] { joints_ = joints, forces_ = last_; };  // from the last step
  const auto done = [&] {
    if (as_printed) return false;
    if (settle_joints([&] { return stick(); })) return true;
    again();
    return settle_joints([&] { return slip_as_before(report); });
  };
  if (!done()) {
    // The hull finds which contacts bear load and which joints are at an end; the cone then says how much exactly.
    again();
    const bool found = solve_on_hull(motors, report);
    const Eigen::VectorXd on_hull = r_;
    worst_contact_ = 0;
    const auto on_cone = [&] {
      report.relative = 0.0;
      return stick() || slip_on_cone(report);
    };
    for (std::size_t k = 0; found && k < joints_.size(); ++k)
      joints_[k].active = r_[static_cast<Eigen::Index>(4 * contacts.size() + k)] > 0.0;
    if (!(as_printed && found) && !settle_joints(on_cone)) {
      report.linearised_steps = 1;
      report.worst_pair = contacts.empty() ? -1 : contacts[static_cast<std::size_t>(worst_contact_)].contact.pair;
      if (found) r_ = on_hull;
    }
  }
  v += moved_ * r_;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    HardContact& c = contacts[i].contact;
    const auto k = 4 * static_cast<Eigen::Index>(i);
    c.load_n = r_[k] / h;
    c.friction = Vec3(r_[k + 1], r_[k + 2], r_[k + 3]) / h;
    // Friction that acts beside the point has a moment about the normal there.
    const Vec3 force = c.friction.x() * c.first_tangent + c.friction.y() * c.second_tangent();
    c.friction.z() += c.normal.dot((contacts[i].friction_point - c.point).cross(force));
    const Eigen::Vector3d slip = b_.segment<3>(k + 1) + a_.middleRows(k + 1, 3) * r_;
    const double speed = slip.head<2>().norm() + c.eccentricity_m * std::abs(slip.z());
    c.slides = c.load_n > 0.0 && speed > kSlipSpeed_m_s;
  }
  return report;
}

}  // namespace distal
