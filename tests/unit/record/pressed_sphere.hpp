// A made-up run: a soft ball on a rod is pressed onto a table. Shapes and sizes are right, the physics is a formula.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "distal/record/recorder.hpp"

namespace distal::test {

inline constexpr double ball_radius_m = 0.010, rod_radius_m = 0.005, rod_length_m = 0.030;

// A body of revolution about z through the profile points (radius, height), from the bottom up.
inline TriangleMesh revolved(const std::vector<std::pair<double, double>>& profile, int slices) {
  TriangleMesh mesh;
  for (const auto& [radius, height] : profile)
    for (int s = 0; s < slices; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / slices;
      mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
    }
  for (int ring = 0; ring + 1 < static_cast<int>(profile.size()); ++ring)
    for (int s = 0; s < slices; ++s) {
      const int a = ring * slices + s, b = ring * slices + (s + 1) % slices, c = a + slices, d = b + slices;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

inline double depth_at(double time_s) { return std::max(0.0, 0.005 * (time_s - 0.2)); }  // 4 mm at the end of 1 s
inline double force_at(double time_s) { return 12.0 * std::pow(1000.0 * depth_at(time_s), 1.5) / 100.0; }

inline BodyReading reading_at(double time_s) {
  BodyReading reading;
  const double depth = depth_at(time_s), force = force_at(time_s);
  reading.feedback.time_s = time_s;
  reading.feedback.pose.position = Vec3(0.0, 0.0, 0.001 + ball_radius_m + rod_length_m - 0.005 * time_s);
  reading.feedback.pose.q = Quat(0.0, 1.0, 0.0, 0.0);  // half a turn about x: the tip points down
  reading.feedback.twist.linear = Vec3(0.0, 0.0, -0.005);
  reading.feedback.contact = {Vec3(0.05 * force, 0.1 * force * std::sin(20.0 * time_s), -force),
                              Vec3(0.002 * force, -0.0011 * force, 1e-4 * force)};
  reading.feedback.tip = {0.98 * reading.feedback.contact.force, 0.97 * reading.feedback.contact.torque};
  reading.feedback.sensor = reading.feedback.contact;
  reading.feedback.sensor.force.z() += 0.2;
  reading.closure_residual = 1e-13;
  reading.depth_m = depth;
  reading.patch.area_m2 = std::numbers::pi * ball_radius_m * depth;
  reading.patch.radius_m = std::sqrt(ball_radius_m * depth);
  reading.patch.count = depth > 0.0 ? 40 : 0;
  reading.patch.peak_pressure_pa = depth > 0.0 ? 1.5 * force / reading.patch.area_m2 : 0.0;
  return reading;
}

inline BodySnapshot table_snapshot() {
  BodySnapshot table;
  table.name = "table";
  table.kind = "plane";
  table.surface.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  table.surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  return table;
}

// The surface and its springs: what lies below the table is pushed up to it and a little outwards.
inline BodySnapshot ball_snapshot(double time_s, int slices) {
  const BodyReading reading = reading_at(time_s);
  const double centre_z = reading.feedback.pose.position.z() - rod_length_m;
  std::vector<std::pair<double, double>> profile;
  const int rings = slices / 3;
  for (int i = 0; i <= rings; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / rings;
    profile.emplace_back(std::max(1e-6, ball_radius_m * std::sin(angle)), -ball_radius_m * std::cos(angle));
  }
  for (int i = 1; i <= rings / 2; ++i) profile.emplace_back(ball_radius_m, 0.010 * 2 * i / rings);
  profile.emplace_back(rod_radius_m, 0.010);
  BodySnapshot body;
  body.name = "finger";
  body.kind = "fingertip";
  body.surface = revolved(profile, slices);
  for (Vec3& vertex : body.surface.vertices) {
    const Vec3 undeformed = vertex + Vec3(0.0, 0.0, centre_z);
    const double below = std::max(0.0, -undeformed.z());
    vertex = undeformed + Vec3(0.0, 0.0, below);
    vertex.head<2>() *= 1.0 + 20.0 * reading.depth_m * std::exp(-std::pow(undeformed.z() / 0.008, 2));
    body.displacement_m.push_back(vertex - undeformed);
    body.pressure_pa.push_back(below > 0.0 ? reading.patch.peak_pressure_pa * std::sqrt(below / reading.depth_m) : 0.0);
    body.contact_force_n.emplace_back(0.0, 0.0, below);
  }
  body.particles = body.surface.vertices;
  for (std::int32_t i = 0; i + slices < static_cast<std::int32_t>(body.particles.size()); ++i) {
    body.springs.push_back({i, i + slices});
    body.springs.push_back({i, (i + 1) % slices == 0 ? i + 1 - slices : i + 1});
  }
  body.rod = revolved({{1e-6, -rod_radius_m},
                       {0.0035, -0.0036},
                       {rod_radius_m, 0.0},
                       {rod_radius_m, rod_length_m},
                       {1e-6, rod_length_m}},
                      24);
  for (Vec3& vertex : body.rod.vertices) vertex.z() += centre_z;
  body.end_pose = reading.feedback.pose;
  body.feedback = reading.feedback;
  return body;
}

inline EnergyReading energy_at(double time_s) {
  const double elastic = 0.4 * force_at(time_s) * depth_at(time_s), gravity = -0.02 * 9.81 * 0.005 * time_s;
  EnergyReading energy;
  energy.kinetic = 2.5e-7;
  energy.elastic = elastic;
  energy.gravity = 0.006 + gravity;
  energy.contact = 0.01 * elastic;
  energy.ligament = 0.05 * elastic;
  energy.dissipated = 0.03 * elastic;
  energy.control_work = 1.09 * elastic + gravity;
  energy.residual = 1e-6 * std::sin(9.0 * time_s);
  return energy;
}

inline RunHeader header_for_tests() {
  RunHeader header;
  header.scene_title = "Press a <soft> ball & look";
  header.scene_file = "scenarios/press.toml";
  header.scene_toml = "[scene]\ntitle = \"Press a <soft> ball & look\"\n";
  header.version = "0.1.0";
  header.seed = 18446744073709551615u;
  header.particles = 8123;
  header.springs = 80211;
  header.cells = 7011;
  header.time_step_s = 1.25e-4;
  header.stable_step_s = 2.4e-4;
  header.paper_step_s = 1.9e-4;
  header.instruction_set = "AVX2";
  header.integrator = "semi_implicit_euler";
  header.precision = "double";
  header.control_period_s = 0.001;
  header.frames_per_s = 30.0;
  header.body_names = {"finger"};
  return header;
}

inline RunEnd end_for_tests() { return {"done", "", 8000, 3, 1.0, 0.8, "00ff00ff12345678", 3e-13}; }

// One second of pressing at 1 kHz.
inline void record_press(Recorder& recorder, int slices) {
  recorder.add_frame(0.0, std::vector{ball_snapshot(0.0, slices), table_snapshot()});
  for (int period = 1; period <= 1000; ++period) {
    const double time_s = 0.001 * period;
    BodyCommand command;
    command.wrench.force = Vec3(0.0, 0.0, force_at(time_s));
    const double wall_s = 4e-4 * (1.0 + 0.3 * std::abs(std::sin(7.0 * period))) + (period == 700 ? 9e-4 : 0.0);
    const std::vector readings{reading_at(time_s)};
    const std::vector commands{command};
    const std::vector seen{readings[0].feedback};
    recorder.add_period(time_s, readings, {commands, commands, seen, std::nullopt}, energy_at(time_s),
                        {wall_s, 8, 0, 0, 0.0});
    if (period % 33 == 0) recorder.add_frame(time_s, std::vector{ball_snapshot(time_s, slices), table_snapshot()});
  }
}

}  // namespace distal::test
