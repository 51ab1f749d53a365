// A scene: everything that one run needs, read from a TOML file and checked as a whole.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "distal/controller/description.hpp"
#include "distal/core/error.hpp"
#include "distal/haptic/description.hpp"
#include "distal/model/description.hpp"

namespace distal {

struct Value;

struct RunDescription {
  double duration_s = 1.0;
  double control_period_s = ModelDescription{}.control_period_s;  // copied to the model, like threads and precision
  std::int64_t seed = 1;
  int threads = ModelDescription{}.threads;
  Precision precision = ModelDescription{}.precision;
};

struct RecordDescription {
  double frames_per_s = 30.0;  // of simulated time; 0 writes no frames
};

// How a scene is served to a controller outside (distal serve).
enum class SafeAction {
  zero,   // no wrench, no motion
  hold,   // the last command stays
  brake,  // a wrench against the velocity that also carries the weight; a driven body stands still
};
struct ServeDescription {
  double watchdog_s = 0.05;  // (0, 60]: without a command for so long, the safe action; then others may connect
  SafeAction safe_action = SafeAction::zero;
  // (0, 1e6] each: a command above one is refused
  double max_force_n = 100.0, max_torque_n_m = 10.0;
  double max_speed_m_s = 1.0, max_angular_speed_rad_s = 20.0;
};

// A grid of square taxels on the contact surface of a soft body, projected along the z axis of its frame and centred on
// it.
struct TaxelDescription {
  std::string body;
  int rows = 8;            // along y
  int columns = 8;         // along x
  double pitch_m = 0.002;  // side of a taxel
};

// Points of a soft body's surface that are followed, and compared with measured ones.
struct PointsDescription {
  std::string body;
  std::vector<Vec3> points_m;  // in its undeformed frame
  std::string measured_file;   // CSV
};

// The outline of a soft body where a plane cuts it.
struct ContourDescription {
  std::string body;
  Vec3 point_m = Vec3::Zero();  // of the plane, in the body's undeformed frame
  Vec3 normal = Vec3::UnitY();  // in that frame
};

// Stress and strain of a soft body that a [motion] presses.
struct CompressionDescription {
  std::string body;
};

using SensorDescription = std::variant<TaxelDescription, PointsDescription, ContourDescription, CompressionDescription>;

struct Scene {
  ModelDescription model;
  std::vector<std::pair<std::string, AdaptivePidDescription>> controllers;
  std::optional<MotionDescription> motion;
  std::vector<std::pair<std::string, ChannelDescription>> channels;
  std::vector<std::pair<std::string, DeviceDescription>> devices;
  RunDescription run;
  RecordDescription record;
  ServeDescription serve;
  std::vector<std::pair<std::string, SensorDescription>> sensors;
  std::vector<std::pair<std::string, SqueezeDescription>> squeezes;  // controllers too, after those above
  std::string resolved_toml;  // the scene with overrides applied and every default written out; loads to the same scene
  std::filesystem::path file;
  std::shared_ptr<const Value> text;  // as it was read, for the places of problems that show later; null without a file
};

// An error whose message begins with a key of the scene ("body.a.file: ", "integrator.time_step_s = "): with the place
// where the key is given in front. Others stay as they are.
InputError with_place(const Scene& scene, const InputError& error);

// Reads and checks a scene. Overrides are "dotted.key=value"; they replace or add a value and are checked alike.
// Throws InputError with up to ten problems: place, key, what was found, what is allowed, the nearest right thing.
Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});
// The same from text; `file` names it in messages and is where relative paths start.
Scene parse_scene(std::string_view text, const std::filesystem::path& file,
                  std::span<const std::string> overrides = {});

// The same for scenes that differ only in what they write, how long they run and with how many threads: a state of one
// can be continued by the other, with the same bits.
std::uint64_t scene_fingerprint(const Scene& scene);

// Every key with default, unit, range and meaning, as text for a terminal.
std::string explain_scene_keys();
// JSON Schema (draft 2020-12) of scene files, for editors.
nlohmann::json scene_schema();
// A short scene to start from: a press.
std::string starter_scene();

struct SceneListing {
  std::filesystem::path file;
  std::string title;
  std::string problem;  // why the title could not be read; empty when all is well
};
// The *.toml files of a folder by name. Throws InputError when there is no such folder.
std::vector<SceneListing> list_scenes(const std::filesystem::path& folder);

}  // namespace distal
