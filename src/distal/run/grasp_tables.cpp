#include "distal/run/grasp_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/record/contact_table.hpp"
#include "distal/sensor/limit_surface.hpp"

namespace distal {
namespace {

std::vector<std::string> joint_columns(const Model& model) {
  std::vector<std::string> columns = {"time_s"};
  for (const Joint& joint : model.joints) {
    if (joint.kind == JointKind::weld) continue;
    const bool turns = joint.kind == JointKind::revolute;
    columns.push_back(fmt::format("{}_{}", joint.name, turns ? "rad" : "m"));
    columns.push_back(fmt::format("{}_{}", joint.name, turns ? "rad_s" : "m_s"));
    columns.push_back(fmt::format("{}_{}", joint.name, turns ? "n_m" : "n"));
  }
  return columns;
}

}  // namespace

void GraspTables::open(const OutputFolder& folder, const Model& model) {
  close();
  if (!model.joints.empty()) joints_.emplace(folder.path() / "joints.csv", joint_columns(model));
  const auto hard = [](const ContactPair& pair) { return pair.hard; };
  if (std::any_of(model.pairs.begin(), model.pairs.end(), hard))
    contacts_.emplace(folder.path() / "contacts.csv", contact_columns());
}

void GraspTables::close() { joints_.reset(), contacts_.reset(); }

void GraspTables::add_period(const Model& model, const State& state) {
  if (joints_) {
    joints_->add(state.time_s);
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      if (model.joints[j].kind != JointKind::weld)
        for (const double value : {state.joint_position[j], state.joint_velocity[j], state.joint_effort[j]})
          joints_->add(value);
    joints_->end_row();
  }
  if (!contacts_) return;
  for (const HardContact& c : state.hard_contacts) {
    if (c.load_n <= 0.0) continue;
    const ContactPair& pair = model.pairs[static_cast<std::size_t>(c.pair)];
    const auto name = [&](int body) { return model.rigid[static_cast<std::size_t>(body)].name; };
    add_contact_row(*contacts_, state.time_s, {name(pair.sampled), name(pair.partner), c, find_friction_use(pair, c)});
  }
}

std::vector<std::string> GraspTables::pair_names(const Model& model) {
  std::vector<std::string> names;
  const auto name = [&](int body) { return model.rigid[static_cast<std::size_t>(body)].name; };
  for (const ContactPair& pair : model.pairs)
    if (pair.hard) names.push_back(fmt::format("{}, {}", name(pair.sampled), name(pair.partner)));
  return names;
}

GraspSample GraspTables::make_sample(const Model& model, const State& state) {
  std::size_t first = 0;  // hard pairs are the last
  while (first < model.pairs.size() && !model.pairs[first].hard) ++first;
  const std::vector<double> none(model.pairs.size() - first, 0.0);
  GraspSample sample{state.time_s, none, none};
  for (const HardContact& c : state.hard_contacts) {
    const auto p = static_cast<std::size_t>(c.pair);
    sample.load_n[p - first] += c.load_n;
    sample.friction_use[p - first] =
        std::max(sample.friction_use[p - first], find_friction_use(model.pairs[p], c).use());
  }
  return sample;
}

void write_limit_surface(const OutputFolder& folder, const std::vector<CurveRow>& curve) {
  const LimitSurface surface = find_limit_surface(curve);
  if (surface.points.empty()) return;
  Table table(folder.path() / "limit_surface.csv",
              {"force_n", "moment_n_m", "measured_share", "winkler_share", "hertz_share"});
  for (const LimitSurface::Point& point : surface.points) {
    table.add(point.force_n), table.add(point.moment_n_m);
    for (const double eccentricity : {surface.measured_m(), surface.winkler_m(), surface.hertz_m()})
      table.add(surface.share(point, eccentricity));
    table.end_row();
  }
}

}  // namespace distal
