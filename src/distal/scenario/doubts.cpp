#include "distal/scenario/doubts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/geometry/tet_files.hpp"
#include "distal/model/build_pairs.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/scenario/fields.hpp"
#include "distal/scenario/moved_body.hpp"

namespace distal {
namespace {

// Distal's things fit in a hand: nobody means a soft block of 50 metres, and nobody a rubber of 57.6 pascals.
constexpr double kLargestLength_m = 1.0;
constexpr double kLeastModulus_pa = 500.0;
constexpr double kLeastDensity_kg_m3 = 10.0;

class DoubtFinder final : public FieldVisitor {
 public:
  DoubtFinder(std::string_view section, std::string_view name, std::vector<std::string>& doubts)
      : section_(section), name_(name), doubts_(doubts) {}

  void number(const Field& field, double& value) override {
    const bool length = field.unit == "m" && field.range.low >= 0.0;
    if (length && value > kLargestLength_m && std::isfinite(value))
      doubt(field, value, fmt::format("lengths are in metres, {0:g} mm are {1:g}", value, 1e-3 * value));
    if (field.unit == "Pa" && value < kLeastModulus_pa)
      doubt(field, value, fmt::format("moduli are in pascals, {0:g} kPa are {1:g}", value, 1e3 * value));
    if (field.unit == "kg/m^3" && value < kLeastDensity_kg_m3)
      doubt(field, value, fmt::format("water has 1000 kg/m^3, {0:g} g/cm^3 are {1:g}", value, 1e3 * value));
  }
  void numbers(const Field& field, std::span<double> values) override {
    if (!values.empty()) number(field, *std::max_element(values.begin(), values.end()));
  }
  void integer(const Field&, std::int64_t&) override {}
  void boolean(const Field&, bool&) override {}
  void text(const Field&, std::string&) override {}
  void choice(const Field&, Names, int&) override {}
  void list(const Field&, std::vector<double>&) override {}
  void points(const Field&, std::vector<Vec3>&) override {}
  void two_names(const Field&, std::string&, std::string&) override {}

 private:
  void doubt(const Field& field, double value, const std::string& meant) {
    doubts_.push_back(fmt::format("{}.{}.{} = {:g}: {} {}", section_, name_, field.key, value, kIsThatMeant, meant));
  }
  std::string_view section_, name_;
  std::vector<std::string>& doubts_;
};

// Time goes in whole control periods; what is between two of them is rounded.
void add_rounding(const std::string& key, double value_s, double period_s, double used, const char* use,
                  std::vector<std::string>& doubts) {
  const double periods = value_s / period_s;
  if (std::abs(periods - std::round(periods)) <= 1e-9 * std::max(1.0, periods)) return;
  doubts.push_back(fmt::format(
      "{} = {:g}: is no whole number of control periods of {:g} s; {} {:.9g} s (whole: {:.9g} "
      "and {:.9g})",
      key, value_s, period_s, use, used * period_s, std::floor(periods) * period_s, std::ceil(periods) * period_s));
}

bool stands_fast(const BodyDescription& body) {
  const auto* rigid = std::get_if<RigidDescription>(&body);
  return std::holds_alternative<PlaneDescription>(body) || (rigid != nullptr && rigid->mount == Mount::fixed);
}

// Past first touch. What gives way may be pushed farther than the layer is thick.
void doubt_depth(const ModelDescription& model, const std::string& body, const std::string& key, double depth_m,
                 std::vector<std::string>& doubts) {
  const FingertipDescription* tip = nullptr;
  for (const auto& [name, description] : model.bodies) {
    if (name == body)
      tip = std::get_if<FingertipDescription>(&description);
    else if (!stands_fast(description))
      return;
  }
  if (tip == nullptr || tip->shape != FingertipShape::finger) return;
  const double layer_m = tip->tip_radius_m - tip->rod_radius_m;
  if (depth_m < layer_m * (1.0 - 1e-9)) return;
  doubts.push_back(fmt::format(
      "{} = {:g}: the soft layer of body.{} is {:.6g} m (tip_radius_m - rod_radius_m). Only the tip touches, "
      "the rod passes through everything: such depths mean nothing",
      key, depth_m, body, layer_m));
}

void doubt_file(const std::string& body, const std::string& file, bool is_read, const char* reading,
                std::vector<std::string>& doubts) {
  if (file.empty() || is_read) return;
  doubts.push_back(fmt::format("body.{}.file = \"{}\": is not read; shape = {} reads it", body, file, reading));
}

void doubt_files(const ModelDescription& model, std::vector<std::string>& doubts) {
  for (const auto& [name, body] : model.bodies) {
    if (const auto* tip = std::get_if<FingertipDescription>(&body))
      doubt_file(name, tip->file, tip->shape == FingertipShape::mesh, "\"mesh\"", doubts);
    if (const auto* tet = std::get_if<TetDescription>(&body))
      doubt_file(name, tet->file, tet->shape == TetShape::mesh || tet->shape == TetShape::surface,
                 "\"mesh\" or \"surface\"", doubts);
    if (const auto* rigid = std::get_if<RigidDescription>(&body))
      doubt_file(name, rigid->file, rigid->shape == RigidShapeKind::mesh, "\"mesh\"", doubts);
  }
}

// A controller may be told of another mass on purpose, to see what it makes of it.
void doubt_moved_body(const ModelDescription& model, const std::string& name, const WrenchControlDescription& c,
                      std::vector<std::string>& doubts) {
  constexpr double kUnnoticed = 0.2;
  const std::optional<MovedBody> body = find_moved_body(model, c.body);
  if (!body) return;
  const auto doubt = [&](const char* key, const std::string& found, const std::string& built) {
    doubts.push_back(fmt::format(
        "controller.{}.{} = {}: is that meant? That of body.{} is {}; it is taken when the key is not given", name, key,
        found, c.body, built));
  };
  const auto written = [](const Vec3& v) { return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", v.x(), v.y(), v.z()); };
  if (std::abs(c.moving_mass_kg - body->mass_kg) > kUnnoticed * body->mass_kg)
    doubt("moving_mass_kg", fmt::format("{:.3g}", c.moving_mass_kg), fmt::format("{:.3g}", body->mass_kg));
  // The centre of an object may be E itself: against its size, then.
  const double reach_m = std::max(body->centre_of_mass_m.norm(), body->gyration_radii_m.norm());
  if ((c.centre_of_mass_m - body->centre_of_mass_m).norm() > kUnnoticed * reach_m)
    doubt("centre_of_mass_m", written(c.centre_of_mass_m), written(body->centre_of_mass_m));
  if (((c.gyration_radii_m - body->gyration_radii_m).cwiseAbs().array() > kUnnoticed * body->gyration_radii_m.array())
          .any())
    doubt("gyration_radii_m", written(c.gyration_radii_m), written(body->gyration_radii_m));
}

void doubt_moved_bodies(const Scene& scene, std::vector<std::string>& doubts) {
  if (scene.controllers.empty() && scene.squeezes.empty()) return;
  const ModelDescription model = expand_hands(scene.model);
  for (const auto& [name, controller] : scene.controllers) doubt_moved_body(model, name, controller, doubts);
  for (const auto& [name, squeeze] : scene.squeezes) doubt_moved_body(model, name, squeeze, doubts);
}

// Other programs write millimetres.
void doubt_extent(const std::string& name, const std::string& file, const std::vector<Vec3>& vertices,
                  const Vec3& scale, std::vector<std::string>& doubts) {
  if (vertices.empty()) return;
  Aabb box;
  for (const Vec3& vertex : vertices) box.add(vertex);
  const Vec3 extent_m = (box.max - box.min).cwiseProduct(scale).cwiseAbs();
  if (!(extent_m.maxCoeff() > kLargestLength_m)) return;
  doubts.push_back(
      fmt::format("body.{}.file = \"{}\": {} it is {:.4g} x {:.4g} x {:.4g} m large, as coordinates are in metres; the "
                  "file looks like millimetres",
                  name, file, kIsThatMeant, extent_m.x(), extent_m.y(), extent_m.z()));
}

// What is wrong with a file is said by who builds with it.
void doubt_extents(const ModelDescription& model, std::vector<std::string>& doubts) {
  for (const auto& [name, body] : model.bodies) try {
      if (const auto* tip = std::get_if<FingertipDescription>(&body); tip && tip->shape == FingertipShape::mesh)
        doubt_extent(name, tip->file, load_stl(tip->file).vertices, Vec3::Ones(), doubts);
      if (const auto* tet = std::get_if<TetDescription>(&body); tet && tet->shape == TetShape::mesh)
        doubt_extent(name, tet->file, load_tet_mesh(tet->file).vertices, Vec3::Ones(), doubts);
      if (const auto* tet = std::get_if<TetDescription>(&body); tet && tet->shape == TetShape::surface)
        doubt_extent(name, tet->file, load_surface(tet->file).vertices, Vec3::Ones(), doubts);
      if (const auto* rigid = std::get_if<RigidDescription>(&body); rigid && rigid->shape == RigidShapeKind::mesh)
        doubt_extent(name, rigid->file, load_surface(rigid->file).vertices, rigid->mesh_scale, doubts);
    } catch (const InputError&) {}
}

// A pad is as large as its file.
void doubt_sizes_of_pads(const ModelDescription& model, std::vector<std::string>& doubts) {
  const FingertipDescription usual;
  for (const auto& [name, body] : model.bodies) {
    const auto* tip = std::get_if<FingertipDescription>(&body);
    if (tip == nullptr || tip->shape != FingertipShape::mesh) continue;
    const auto note = [&](const char* key, double value, double unset) {
      if (value != unset)
        doubts.push_back(
            fmt::format("body.{}.{} = {:g}: is not used, shape = \"mesh\" is as large as its file", name, key, value));
    };
    note("tip_radius_m", tip->tip_radius_m, usual.tip_radius_m);
    note("tip_length_m", tip->tip_length_m, usual.tip_length_m);
  }
}

}  // namespace

std::vector<std::string> find_doubts(const Scene& scene) {
  std::vector<std::string> doubts;
  ModelDescription model = scene.model;
  for (auto& [name, material] : model.materials) {
    DoubtFinder finder("material", name, doubts);
    visit_fields(finder, material);
  }
  for (auto& [name, description] : model.bodies) {
    DoubtFinder finder("body", name, doubts);
    std::visit([&](auto& body) { visit_fields(finder, body); }, description);
  }
  doubt_files(scene.model, doubts);
  doubt_extents(scene.model, doubts);
  doubt_sizes_of_pads(scene.model, doubts);
  for (const std::string& key : find_unused_patches(scene.model))
    doubts.push_back(fmt::format("{} is a soft finger's and is not used: no two rigid bodies can touch by it", key));
  for (const auto& [name, controller] : scene.controllers)
    doubt_depth(model, controller.body, fmt::format("controller.{}.depth_m", name), controller.depth_m, doubts);
  doubt_moved_bodies(scene, doubts);
  const double period_s = scene.run.control_period_s;
  if (scene.motion) {
    const std::vector<double>& depths = scene.motion->depths_m;
    if (!depths.empty())
      doubt_depth(model, scene.motion->body, "motion.depths_m", *std::max_element(depths.begin(), depths.end()),
                  doubts);
    if (scene.run.duration_s != RunDescription{}.duration_s)
      doubts.push_back(
          fmt::format("run.duration_s = {:g}: is not used, the [motion] ends the run", scene.run.duration_s));
  } else {
    const double used = std::ceil(scene.run.duration_s / period_s);
    add_rounding("run.duration_s", scene.run.duration_s, period_s, used, "the run lasts", doubts);
  }
  for (const auto& [name, device] : scene.devices) {
    const double used = std::round(device.delay_s / period_s);
    add_rounding(fmt::format("device.{}.delay_s", name), device.delay_s, period_s, used, "the delay is", doubts);
  }
  return doubts;
}

}  // namespace distal
