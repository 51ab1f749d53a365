#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "distal/core/nearest_name.hpp"
#include "distal/scenario/field.hpp"
#include "distal/scenario/scene_checks.hpp"

namespace distal {
namespace {

enum class Mover { path, push, wrench };

class NameChecker {
 public:
  NameChecker(const Scene& scene, PlacedProblems& problems) : scene_(scene), problems_(problems) {
    for (const auto& [name, body] : scene.model.bodies) bodies_.push_back(name);
    for (const auto& [name, material] : scene.model.materials) materials_.push_back(name);
  }

  void check_material(const std::string& key, const std::string& name) {
    if (!scene_.model.materials.contains(name)) report_nowhere(key, "material", name, materials_);
  }

  // Null, and a problem, when there is no such body.
  const BodyDescription* find_body(const std::string& key, const std::string& name) {
    for (const auto& [known, body] : scene_.model.bodies) {
      if (known == name) return &body;
    }
    report_nowhere(key, "body", name, bodies_);
    return nullptr;
  }

  void check_soft_body(const std::string& key, const std::string& name) {
    const BodyDescription* body = find_body(key, name);
    if (body == nullptr || std::holds_alternative<FingertipDescription>(*body) ||
        std::holds_alternative<BlockDescription>(*body) || std::holds_alternative<TetDescription>(*body) ||
        std::holds_alternative<StrandDescription>(*body)) {
      return;
    }
    problems_.add(key, fmt::format("body.{} is rigid, allowed: a fingertip, a block, a tet or a strand", name));
  }

  void check_jointable(const std::string& key, const std::string& name) {
    const BodyDescription* body = find_body(key, name);
    if (body != nullptr && !std::holds_alternative<RigidDescription>(*body))
      problems_.add(key, fmt::format("body.{} is not rigid, allowed: a rigid body", name));
  }

  // A rigid body that can have parts.
  void check_partable(const std::string& key, const std::string& name) {
    const BodyDescription* body = find_body(key, name);
    const auto* rigid = body != nullptr ? std::get_if<RigidDescription>(body) : nullptr;
    if (body == nullptr || rigid != nullptr) return;
    problems_.add(key, fmt::format("body.{} is not rigid, allowed: a rigid body", name));
  }

  // A body that gives feedback and takes commands.
  void check_movable(const std::string& key, const std::string& name) {
    const BodyDescription* body = find_body(key, name);
    const auto* rigid = body != nullptr ? std::get_if<RigidDescription>(body) : nullptr;
    if (body == nullptr || std::holds_alternative<FingertipDescription>(*body) ||
        (rigid != nullptr && rigid->mount != Mount::fixed)) {
      return;
    }
    problems_.add(key, fmt::format("body.{} does not move as a whole, allowed: a fingertip or a rigid body that is "
                                   "not fixed",
                                   name));
  }

  // `who` moves a body; one mover each, and a mount that lets it.
  void check_mover(const std::string& who, const std::string& name, Mover mover) {
    const std::string key = who + ".body";
    const BodyDescription* body = find_body(key, name);
    if (body == nullptr) return;
    const auto [other, is_first] = movers_.emplace(name, who);
    if (!is_first) {
      return problems_.add(key, fmt::format("body.{} is already moved by {}, allowed: one controller or motion for a "
                                            "body",
                                            name, other->second));
    }
    const auto* tip = std::get_if<FingertipDescription>(body);
    const auto* rigid = std::get_if<RigidDescription>(body);
    if (tip == nullptr && rigid == nullptr) {
      return problems_.add(key, fmt::format("body.{} cannot be moved, allowed: a fingertip or a rigid body", name));
    }
    const Mount mount = tip != nullptr ? tip->mount : rigid->mount;
    if (mover == Mover::push && rigid == nullptr) {
      problems_.add(key, fmt::format("body.{} is a fingertip; motion.forces_n pushes a rigid body", name));
    } else if (mover == Mover::push && mount != Mount::guided) {
      problems_.add(fmt::format("body.{}.mount", name), "must be \"guided\", since motion.forces_n pushes it", {key});
    } else if (mover == Mover::push &&
               rigid->guide_axis.normalized().cross(scene_.motion->direction.normalized()).norm() > 1e-6) {
      problems_.add(fmt::format("body.{}.guide_axis", name), "must lie along motion.direction, which pushes it",
                    {"motion.direction"});
    } else if (mover == Mover::path && mount != Mount::driven) {
      problems_.add(fmt::format("body.{}.mount", name), fmt::format("must be \"driven\", since {} moves it", who),
                    {key});
    } else if (mover == Mover::wrench && (mount == Mount::driven || mount == Mount::fixed)) {
      problems_.add(fmt::format("body.{}.mount", name),
                    fmt::format("must be \"free\"{}, since {} moves it by its wrench",
                                tip != nullptr ? " or \"inertia\"" : "", who),
                    {key});
    }
  }

 private:
  void report_nowhere(const std::string& key, std::string_view what, const std::string& name, Names known) {
    const std::string there_are = known.empty() ? "there is none" : fmt::format("there are: {}", joined(known));
    problems_.add(key, fmt::format("there is no {} \"{}\"{}; {}", what, name, suggestion(name, known), there_are));
  }

  const Scene& scene_;
  PlacedProblems& problems_;
  std::vector<std::string_view> bodies_, materials_;
  std::map<std::string, std::string> movers_;  // body -> who moves it
};

void check_pairs(const Scene& scene, NameChecker& names, PlacedProblems& problems) {
  std::map<std::set<std::string>, std::string> seen;
  for (const auto& [name, pair] : scene.model.pairs) {
    const std::string key = fmt::format("pair.{}.bodies", name);
    const BodyDescription* a = names.find_body(key, pair.body_a);
    const BodyDescription* b = names.find_body(key, pair.body_b);
    if (a == nullptr || b == nullptr) continue;
    if (pair.body_a == pair.body_b) {
      problems.add(key, fmt::format("found \"{}\" twice, allowed: two different bodies", pair.body_a));
      continue;
    }
    const auto [other, is_first] = seen.emplace(std::set{pair.body_a, pair.body_b}, name);
    if (!is_first) problems.add(key, fmt::format("pair.{} has the same two bodies", other->second));
  }
}

void check_sensor(const Scene& scene, const std::string& name, const SensorDescription& sensor, NameChecker& names,
                  PlacedProblems& problems) {
  const std::string path = "sensor." + name;
  std::visit([&](const auto& s) { names.check_soft_body(path + ".body", s.body); }, sensor);
  if (std::holds_alternative<CompressionDescription>(sensor) && !scene.motion)
    problems.add(path, "needs a [motion] that presses its body");
  const auto* points = std::get_if<PointsDescription>(&sensor);
  if (points == nullptr) return;
  if (points->points_m.empty()) problems.add(path + ".points_m", "found an empty array, allowed: one point or more");
  const auto same_name = [&](const auto& body) { return body.first == name; };
  if (std::any_of(scene.model.bodies.begin(), scene.model.bodies.end(), same_name))
    problems.add(path, fmt::format("body.{} has that name too, and both would write series/{}.csv", name, name));
  if (const auto problem = file_problem(points->measured_file); !points->measured_file.empty() && problem)
    problems.add(path + ".measured_file", *problem);
}

void check_fields(const Scene& scene, NameChecker& names, PlacedProblems& problems) {
  std::vector<std::string_view> known;
  for (const auto& [name, field] : scene.model.fields) {
    known.push_back(name);
    const BodyDescription* body = names.find_body(fmt::format("field.{}.body", name), field.body);
    if (body != nullptr && !std::holds_alternative<StrandDescription>(*body) &&
        !std::holds_alternative<TetDescription>(*body))
      problems.add(fmt::format("field.{}.body", name),
                   fmt::format("body.{} has no fields, allowed: a strand or a tet", field.body));
    if (!field.contact_body.empty()) names.find_body(fmt::format("field.{}.contact_body", name), field.contact_body);
  }
  for (const auto& [name, value] : scene.model.field_values)
    if (std::find(known.begin(), known.end(), value.field) == known.end())
      problems.add(fmt::format("field_value.{}.field", name),
                   fmt::format("there is no field \"{}\"{}", value.field, suggestion(value.field, known)));
}

}  // namespace

void check_names(const Scene& scene, PlacedProblems& problems) {
  NameChecker names(scene, problems);
  if (scene.model.bodies.empty()) problems.add("body", "the scene has no [body.NAME]");
  for (const auto& [name, body] : scene.model.bodies) {
    const std::string key = fmt::format("body.{}.material", name);
    if (const auto* tip = std::get_if<FingertipDescription>(&body)) names.check_material(key, tip->lattice.material);
    if (const auto* block = std::get_if<BlockDescription>(&body)) names.check_material(key, block->lattice.material);
    if (const auto* tet = std::get_if<TetDescription>(&body)) names.check_material(key, tet->material);
    if (const auto* strand = std::get_if<StrandDescription>(&body)) names.check_material(key, strand->material);
  }
  check_pairs(scene, names, problems);
  for (const auto& [name, part] : scene.model.parts) names.check_partable(fmt::format("part.{}.body", name), part.body);
  for (const auto& [name, joint] : scene.model.joints) {
    const JointPlace& place = std::visit([](const auto& j) -> const JointPlace& { return j.place; }, joint);
    names.check_jointable(fmt::format("joint.{}.child", name), place.child);
    if (!place.parent.empty()) names.check_jointable(fmt::format("joint.{}.parent", name), place.parent);
  }
  for (const auto& [name, fix] : scene.model.fixes) names.check_soft_body(fmt::format("fix.{}.body", name), fix.body);
  for (const auto& [name, load] : scene.model.loads) {
    names.check_soft_body(fmt::format("load.{}.body", name), load.body);
  }
  check_fields(scene, names, problems);
  for (const auto& [name, sensor] : scene.sensors) check_sensor(scene, name, sensor, names, problems);
  for (const auto& [name, controller] : scene.controllers) {
    names.check_mover("controller." + name, controller.body, Mover::wrench);
  }
  for (const auto& [name, squeeze] : scene.squeezes) {
    names.check_mover("controller." + name, squeeze.body, Mover::wrench);
  }
  for (const auto& [name, channel] : scene.channels) {
    names.check_movable(fmt::format("channel.{}.body", name), channel.body);
  }
  for (const auto& [name, device] : scene.devices) {
    if (!device.body.empty()) names.check_mover("device." + name, device.body, Mover::wrench);
    if (!device.touches.empty()) names.check_soft_body(fmt::format("device.{}.touches", name), device.touches);
  }
  if (scene.motion)
    names.check_mover("motion", scene.motion->body, scene.motion->forces_n.empty() ? Mover::path : Mover::push);
}

}  // namespace distal
