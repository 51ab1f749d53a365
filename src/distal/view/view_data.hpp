// What a viewer is told: the scene once, and moments of it. Plain data; view_messages.hpp turns it into bytes.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "distal/sensor/friction_use.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

enum class ViewMode { live, watch, recorded };
enum class ViewRole { surface, lattice, rod, ground, rigid };
enum class ViewShape { triangles, points_and_lines };
enum class ViewMotion { deforms, rigid, fixed };
enum class ViewColour { none, pressure_pa, displacement_m, field };
enum class ViewStatus { running, paused, ended, failed };

// One bit a role.
using RoleSet = unsigned;
constexpr RoleSet role_bit(ViewRole role) { return 1u << static_cast<unsigned>(role); }

struct ViewBody {
  std::string name, kind;
  bool commanded = false, graspable = false;
};

struct ViewPart {
  int body = 0;
  ViewRole role = ViewRole::surface;
  ViewShape shape = ViewShape::triangles;
  ViewMotion motion = ViewMotion::deforms;
  std::size_t vertices = 0;
  std::vector<std::uint32_t> indices;  // of triangles or lines
  std::vector<Vec3> rest_m;            // rigid: in the frame of its pose; fixed: world; empty where it deforms
  bool has_colours = false;
  std::string field;  // the first [field] of its body, with its unit; empty: none
};

// A field's name as colours have it: with its unit, of which only a temperature's is known.
inline std::string name_with_unit(const std::string& field) { return field == "temperature" ? "temperature_k" : field; }

struct ViewPointer {
  int body = 0;
  double radius_m = 0.0;
};

struct ViewScene {
  std::string program, title;
  ViewMode mode = ViewMode::live;
  double period_s = 0.0, duration_s = 0.0;
  Vec3 gravity_m_s2 = Vec3::Zero();
  std::vector<double> times_s;  // recorded: of its frames
  std::vector<ViewBody> bodies;
  std::vector<ViewPart> parts;
  std::optional<ViewPointer> pointer;
  bool has_patches = false;  // rigid bodies touch each other by hard contacts
};

struct ViewBodyMoment {
  BodyReading reading;
  Wrench command;  // at E, along E's axes
  bool in_hand = false;
};

// Arrays are empty where nobody asked for them.
struct ViewPartMoment {
  std::vector<Vec3> positions_m;
  std::vector<double> pressure_pa, displacement_m, field;  // a length each; the last is empty without a field
  std::optional<Pose> pose;
};

struct ViewContact {
  Vec3 place_m, force_n;  // on the soft body, world
};

// A hard contact of rigid bodies that bears load. Forces act on its second body.
struct ViewPatch {
  std::array<int, 2> bodies = {0, 0};
  Vec3 centre_m = Vec3::Zero(), normal = Vec3::UnitZ();       // world; the normal points to the second body
  std::array<Vec3, 2> axes_m = {Vec3::Zero(), Vec3::Zero()};  // semi-axes of the ellipse, world; zero without one
  Vec3 force_n = Vec3::Zero();                                // load and friction, world
  double load_n = 0.0;
  Vec3 friction = Vec3::Zero();  // along the axes [N], [N], about the normal [N m]
  FrictionUse use;
  bool slides = false;
};

// What a moment says beside geometry.
struct ViewStanding {
  ViewStatus status = ViewStatus::running;
  std::string message;
  double speed = 1.0, real_time_factor = 0.0;  // asked for, reached
  double energy_residual = 0.0;

  bool operator==(const ViewStanding&) const = default;
};

struct ViewMoment {
  double time_s = 0.0;
  ViewStanding standing;
  std::vector<ViewBodyMoment> bodies;  // as in the scene
  std::vector<ViewPartMoment> parts;   // as in the scene
  std::vector<ViewContact> contacts;
  std::vector<ViewPatch> patches;
};

// What one viewer wants in its frames.
struct ViewWish {
  RoleSet roles =
      role_bit(ViewRole::surface) | role_bit(ViewRole::rod) | role_bit(ViewRole::ground) | role_bit(ViewRole::rigid);
  ViewColour colour = ViewColour::pressure_pa;
  bool contacts = true, patches = true;

  bool operator==(const ViewWish&) const = default;
};

// Where moments come from, as the thread of the server sees it.
class MomentSource {
 public:
  virtual ~MomentSource() = default;
  // Goes to the newest moment; false when that is the one it was at.
  virtual bool update() = 0;
  // The moment it is at, with the parts of these roles.
  virtual void develop(RoleSet roles, ViewMoment& moment) = 0;
};

}  // namespace distal
