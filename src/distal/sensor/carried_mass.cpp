#include "distal/sensor/carried_mass.hpp"

#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

Mat3 point_inertia_tensor(double mass_kg, const Vec3& arm_m) {
  return mass_kg * (arm_m.squaredNorm() * Mat3::Identity() - arm_m * arm_m.transpose());
}

}  // namespace

CarriedMass find_carried_mass(const Model& model, std::size_t rigid_index) {
  const RigidBody& body = model.rigid[rigid_index];
  CarriedMass carried;
  carried.mass_kg = body.mass_kg;
  Vec3 moment = body.mass_kg * body.centre_of_mass_m;
  const int soft = soft_on_rod(model, rigid_index);
  const Lattice* tip = soft < 0 ? nullptr : &model.soft[static_cast<std::size_t>(soft)].lattice;
  const auto for_each_particle = [&](auto&& work) {
    for (std::int32_t n = 0; tip != nullptr && n < tip->grid.node_count(); ++n)
      work(tip->mass[static_cast<std::size_t>(n)], tip->grid.rest_position(n));
  };
  for_each_particle([&](double mass, const Vec3& place) {
    carried.mass_kg += mass;
    moment += mass * place;
  });
  carried.centre_m = moment / carried.mass_kg;
  carried.inertia_kg_m2 = body.inertia_kg_m2;
  carried.inertia_kg_m2 += point_inertia_tensor(body.mass_kg, body.centre_of_mass_m - carried.centre_m);
  for_each_particle([&](double mass, const Vec3& place) {
    carried.inertia_kg_m2 += point_inertia_tensor(mass, place - carried.centre_m);
  });
  return carried;
}

}  // namespace distal
