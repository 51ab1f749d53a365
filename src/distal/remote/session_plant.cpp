#include "distal/remote/session_plant.hpp"

#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

// Weight and its centre of a rod with the tip that hangs on it; the tip counts where it is at rest.
void add_weight(const Model& model, std::size_t rigid, ServedBody& served) {
  const RigidBody& body = model.rigid[rigid];
  double mass = body.mass_kg;
  Vec3 moment = body.mass_kg * (body.centre_of_mass_m - body.end_m);
  if (const int soft = soft_on_rod(model, rigid); soft >= 0) {
    const Lattice& lattice = model.soft[static_cast<std::size_t>(soft)].lattice;
    for (std::int32_t n = 0; n < lattice.grid.node_count(); ++n) {
      const double m = lattice.mass[static_cast<std::size_t>(n)];
      mass += m;
      moment += m * (lattice.grid.rest_position(n) - body.end_m);
    }
  }
  served.weight_n = mass * model.gravity_m_s2;
  served.weight_centre_m = moment / mass;
}

std::vector<ServedBody> describe_bodies(const Simulation& simulation) {
  std::vector<ServedBody> bodies;
  for (std::size_t b = 0; b < simulation.body_count(); ++b) {
    const RigidBody& body = simulation.model().rigid[simulation.rigid_index(b)];
    ServedBody& served = bodies.emplace_back();
    served.name = body.name;
    served.driven = body.mount == Mount::driven;
    served.mass_kg = body.mass_kg;
    served.centre_m = body.centre_of_mass_m - body.end_m;
    served.inertia_kg_m2 = body.inertia_kg_m2;
    add_weight(simulation.model(), simulation.rigid_index(b), served);
  }
  return bodies;
}

}  // namespace

SessionPlant::SessionPlant(Session& session, const Scene& scene, std::uint64_t scene_hash, bool ends)
    : session_(session),
      bodies_(describe_bodies(session.simulation())),
      duration_s_(ends ? scene.run.duration_s : 0.0),
      scene_hash_(scene_hash) {}

bool SessionPlant::advance(std::span<const BodyCommand> commands) {
  const StepReport report = session_.advance(commands);
  if (report.status == StepStatus::good) return true;
  failure_ = report.message;
  return false;
}

std::uint64_t hash_scene(const Scene& scene) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : scene.resolved_toml) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace distal
