#include "distal/record/series_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include <set>

#include "distal/record/output_folder.hpp"

namespace distal {
namespace {

void add_wrench(Table& table, const Wrench& wrench) {
  table.add(wrench.force);
  table.add(wrench.torque);
}

// Six numbers in any mode; a pose is its position and its rotation vector.
void add_command(Table& table, const BodyCommand& command) {
  table.add(name_of(command.mode));
  switch (command.mode) {
    case CommandMode::wrench:
      add_wrench(table, command.wrench);
      break;
    case CommandMode::twist:
      table.add(command.twist.linear);
      table.add(command.twist.angular);
      break;
    case CommandMode::pose:
      table.add(command.pose.position);
      table.add(vector_from_rotation(command.pose.q));
      break;
  }
}

std::vector<std::string> motion_columns() {
  return {"time_s", "px_m",   "py_m",   "pz_m",   "q_x",      "q_y",      "q_z",
          "q_w",    "vx_m_s", "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s"};
}

void add_motion(Table& table, double time_s, const BodyFeedback& feedback) {
  table.add(time_s);
  table.add(feedback.pose.position);
  table.add(feedback.pose.q);
  table.add(feedback.twist.linear);
  table.add(feedback.twist.angular);
}

void add_wrench_columns(std::vector<std::string>& columns) {
  for (const char* wrench : {"contact", "tip", "sensor"})
    for (const char* part : {"fx_n", "fy_n", "fz_n", "tx_n_m", "ty_n_m", "tz_n_m"})
      columns.push_back(fmt::format("{}_{}", wrench, part));
}

void add_wrenches(Table& table, const BodyFeedback& feedback) {
  add_wrench(table, feedback.contact);
  add_wrench(table, feedback.tip);
  add_wrench(table, feedback.sensor);
}

}  // namespace

std::string_view name_of(CommandMode mode) {
  switch (mode) {
    case CommandMode::wrench:
      return "wrench";
    case CommandMode::twist:
      return "twist";
    case CommandMode::pose:
      return "pose";
  }
  return "";
}

std::string_view name_of(JointMode mode) {
  switch (mode) {
    case JointMode::own:
      return "own";
    case JointMode::torque:
      return "joint_torque";
    case JointMode::position:
      return "joint_position";
  }
  return "";
}

std::vector<std::string> series_file_names(std::span<const std::string> body_names) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const std::string& name : body_names) {
    std::string file = file_name_of(name);
    while (!used.insert(file).second) file += "_";
    names.push_back(file + ".csv");
  }
  return names;
}

std::vector<std::string> series_columns() {
  std::vector<std::string> columns = motion_columns();
  columns.emplace_back("command_mode");
  for (int value = 1; value <= 6; ++value) columns.push_back(fmt::format("command_{}", value));
  add_wrench_columns(columns);
  for (const char* last : {"depth_m", "contact_area_m2", "contact_count"}) columns.emplace_back(last);
  return columns;
}

void add_series_row(Table& table, double time_s, const BodyReading& reading, const BodyCommand& command) {
  const BodyFeedback& feedback = reading.feedback;
  add_motion(table, time_s, feedback);
  add_command(table, command);
  add_wrenches(table, feedback);
  table.add(reading.depth_m);
  table.add(reading.patch.area_m2);
  table.add(reading.patch.count);
  table.end_row();
}

std::vector<std::string> measured_columns() {
  std::vector<std::string> columns = motion_columns();
  add_wrench_columns(columns);
  return columns;
}

void add_measured_row(Table& table, const BodyFeedback& seen) {
  add_motion(table, seen.time_s, seen);
  add_wrenches(table, seen);
  table.end_row();
}

std::vector<std::string> energy_columns() {
  return {"time_s",     "kinetic_j",    "elastic_j",      "gravity_j",    "contact_j",
          "ligament_j", "dissipated_j", "control_work_j", "integrator_j", "residual_j"};
}

void add_energy_row(Table& table, double time_s, const EnergyReading& energy) {
  for (const double value : {time_s, energy.kinetic, energy.elastic, energy.gravity, energy.contact, energy.ligament,
                             energy.dissipated, energy.control_work, energy.integrator, energy.residual})
    table.add(value);
  table.end_row();
}

std::vector<std::string> curve_columns() {
  return {"phase",           "depth_m",    "twist_rad",         "shift_m", "force_n", "contact_radius_m",
          "contact_area_m2", "torque_n_m", "tangential_force_n"};
}

void add_curve_table_row(Table& table, const CurveRow& row) {
  table.add(std::string_view(row.phase));
  for (const double value : {row.depth_m, row.twist_rad, row.shift_m, row.force_n, row.contact_radius_m,
                             row.contact_area_m2, row.torque_n_m, row.tangential_force_n})
    table.add(value);
  table.end_row();
}

std::vector<std::string> recording_columns(std::span<const std::string> body_names,
                                           std::span<const std::string> joint_names,
                                           std::span<const std::string> touch_names) {
  std::vector<std::string> columns = {"time_s"};
  for (const std::string& name : body_names) {
    columns.push_back(name + ":mode");
    for (int value = 1; value <= 7; ++value) columns.push_back(fmt::format("{}:{}", name, value));
  }
  for (const std::string& name : joint_names)
    for (const char* field : {"mode", "value", "rate"}) columns.push_back(fmt::format("joint {}:{}", name, field));
  for (const std::string& name : touch_names)
    for (const char* field : {"soft", "triangle", "w0", "w1", "w2", "vx", "vy", "vz", "nx", "ny", "nz", "friction"})
      columns.push_back(fmt::format("touch {}:{}", name, field));
  columns.emplace_back("state_hash");
  columns.emplace_back("feedback_hash");
  return columns;
}

void add_recording_row(Table& table, double time_s, std::span<const BodyCommand> commands,
                       std::span<const JointCommand> joints, std::span<const TouchCommand> touches,
                       std::uint64_t feedback_hash, std::optional<std::uint64_t> state_hash) {
  table.add(time_s);
  for (const BodyCommand& command : commands) {
    if (command.mode != CommandMode::pose) {
      add_command(table, command);
      table.add(0.0);
      continue;
    }
    // The quaternion itself: a rotation vector would lose its last bits.
    table.add(name_of(command.mode));
    table.add(command.pose.position);
    table.add(command.pose.q);
  }
  for (const JointCommand& command : joints) {
    table.add(name_of(command.mode));
    table.add(command.value);
    table.add(command.rate);
  }
  for (const TouchCommand& touch : touches) {
    table.add(touch.soft);
    table.add(touch.triangle);
    for (const Vec3& v : {touch.weight, touch.velocity_m_s, touch.normal}) table.add(v);
    // Tables hold finite numbers: a friction without end is a negative one.
    table.add(std::isinf(touch.friction) ? -1.0 : touch.friction);
  }
  // Digits with an e between them would be taken for a number.
  table.add(state_hash ? fmt::format("x{:016x}", *state_hash) : std::string());
  table.add(fmt::format("x{:016x}", feedback_hash));
  table.end_row();
}

}  // namespace distal
