// Rigid bodies on joints in as few velocities as they have freedoms: J (velocities of bodies for each freedom), the
// mass matrix J' M J and what is left of inertia when all bodies move at constant rates. docs/models/rigid.md.
#pragma once
#include <Eigen/Cholesky>
#include <vector>

#include "distal/state/workspace.hpp"

namespace distal {

class LinkedMotion {
 public:
  explicit LinkedMotion(const Model& model);

  // What one freedom at unit speed does to a body's centre of mass, world.
  struct Column {
    int freedom;
    Twist twist;
  };

  int size() const { return size_; }
  int freedom_of_joint(std::size_t joint) const { return joint_freedom_[joint]; }  // -1: none of its own
  const std::vector<Column>& columns(int body) const { return columns_[static_cast<std::size_t>(body)]; }

  // At the present places: columns, mass matrix with `added` on its diagonal (motors and dampers, implicit).
  void update(const State& state, const Eigen::VectorXd& added);
  // Generalised impulse that would set the bodies moving as they do, relative to what driven ones carry along, plus
  // h times wrenches (about the centres of mass), minus what turning and carrying take.
  void gather(const State& state, const std::vector<Wrench>& impulse, double h, Eigen::VectorXd& out) const;
  void divide_by_mass(Eigen::Ref<Eigen::MatrixXd> columns) const;  // in place
  // Twists of all bodies that belong to generalised velocities; then everything moves on by h.
  void set_velocities(const Eigen::VectorXd& v, State& state) const;
  void drift(double h, State& state) const;
  // v_row . (velocity of the body's point along `linear`, plus its rate about `angular`), added with a sign to a row.
  void add_row(int body, double sign, const Vec3& arm, const Vec3& linear, const Vec3& angular,
               Eigen::Ref<Eigen::VectorXd> row) const;
  // The same of what driven bodies carry along.
  double carried(int body, const Vec3& arm, const Vec3& linear, const Vec3& angular) const;

 private:
  struct Block {
    int begin = 0, size = 0;
    Eigen::LLT<Eigen::MatrixXd> factor;
  };
  bool is_free(std::size_t body) const;
  bool turns_alone(std::size_t body) const { return is_free(body) && !carries_[body]; }
  void number_freedoms();
  void find_columns(const State& state);
  void find_bias(const State& state);

  const Model& model_;
  int size_ = 0;
  std::vector<int> first_freedom_, joint_freedom_;
  std::vector<bool> carries_;  // bodies with a joint on them
  std::vector<std::vector<Column>> columns_;
  std::vector<Twist> carried_;  // by driven bodies alone
  std::vector<Twist> bias_;     // acceleration at constant rates
  std::vector<Mat3> inertia_;   // about the centre of mass, world
  std::vector<Block> blocks_;   // bodies that no joint connects do not know of each other
  Eigen::MatrixXd mass_;
};

}  // namespace distal
