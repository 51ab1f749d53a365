#include <array>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

constexpr std::array<std::string_view, 7> kBodyTypes = {"fingertip", "block", "plane", "rigid",
                                                        "tet",       "hand",  "strand"};
static_assert(kBodyTypes.size() == std::variant_size_v<BodyDescription>);
constexpr std::array<std::string_view, 3> kJointTypes = {"revolute", "prismatic", "fixed"};
static_assert(kJointTypes.size() == std::variant_size_v<JointDescription>);
constexpr std::array<std::string_view, 2> kControllerTypes = {"adaptive_pid", "squeeze"};
constexpr std::array<std::string_view, 4> kSensorTypes = {"taxels", "points", "contour", "compression"};
static_assert(kSensorTypes.size() == std::variant_size_v<SensorDescription>);
constexpr std::array<std::string_view, 6> kChannelTypes = {"pose", "twist", "contact", "tip", "sensor", "command"};

constexpr std::array<std::string_view, 5> kDeviceTypes = {"scripted", "replay", "network", "mouse", "arm"};

template <class Description>
SectionKind kind(std::string_view type = "") {
  return {type, [](FieldVisitor& visit) {
            Description description;
            visit_fields(visit, description);
          }};
}

template <Signal signal>
SectionKind channel_kind() {
  return {kChannelTypes[static_cast<std::size_t>(signal)], [](FieldVisitor& visit) {
            ChannelDescription description;
            description.signal = signal;
            visit_fields(visit, description);
          }};
}

template <DeviceKind kind>
SectionKind device_kind() {
  return {kDeviceTypes[static_cast<std::size_t>(kind)], [](FieldVisitor& visit) {
            DeviceDescription description;
            description.kind = kind;
            visit_fields(visit, description);
          }};
}

}  // namespace

Names body_types() { return kBodyTypes; }
Names joint_types() { return kJointTypes; }
Names controller_types() { return kControllerTypes; }
Names sensor_types() { return kSensorTypes; }
Names channel_types() { return kChannelTypes; }
Names device_types() { return kDeviceTypes; }

std::span<const Section> scene_sections() {
  static const std::vector<Section> sections = {
      {"scene", false, "the scene as a whole", {kind<ModelDescription>()}},
      {"material", true, "a soft material", {kind<MaterialDescription>()}},
      {"body",
       true,
       "a body; bodies are stepped and reported in the order of the file",
       {kind<FingertipDescription>(kBodyTypes[0]), kind<BlockDescription>(kBodyTypes[1]),
        kind<PlaneDescription>(kBodyTypes[2]), kind<RigidDescription>(kBodyTypes[3]),
        kind<TetDescription>(kBodyTypes[4]), kind<HandDescription>(kBodyTypes[5]),
        kind<StrandDescription>(kBodyTypes[6])}},
      {"contact", false, "contact of every pair of bodies", {kind<ContactDescription>()}},
      {"pair", true, "contact of one pair, where it differs", {kind<PairDescription>()}},
      {"part", true, "a further shape of a rigid body, with or without mass", {kind<PartDescription>()}},
      {"joint",
       true,
       "a joint between two rigid bodies, with limits and a motor",
       {kind<RevoluteDescription>(kJointTypes[0]), kind<PrismaticDescription>(kJointTypes[1]),
        kind<WeldDescription>(kJointTypes[2])}},
      {"joint_path", true, "a path for the servo of one joint of a hand", {kind<JointPathDescription>()}},
      {"fix", true, "a part of a soft body that is held", {kind<FixDescription>()}},
      {"load", true, "a force on a part of a soft body's surface", {kind<LoadDescription>()}},
      {"field", true, "a quantity of every node of a strand or tet, like its temperature", {kind<FieldDescription>()}},
      {"field_value", true, "values of a field in a part of its body", {kind<FieldValueDescription>()}},
      {"controller",
       true,
       "a controller of one body",
       {kind<AdaptivePidDescription>(kControllerTypes[0]), kind<SqueezeDescription>(kControllerTypes[1])}},
      {"motion", false, "a prescribed motion for measuring", {kind<MotionDescription>()}},
      {"channel",
       true,
       "an imperfect signal between a body and its controller",
       {channel_kind<Signal::pose>(), channel_kind<Signal::twist>(), channel_kind<Signal::contact>(),
        channel_kind<Signal::tip>(), channel_kind<Signal::sensor>(), channel_kind<Signal::command>()}},
      {"device",
       true,
       "a haptic device: a hand that holds a body or touches a skin, and feels it",
       {device_kind<DeviceKind::scripted>(), device_kind<DeviceKind::replay>(), device_kind<DeviceKind::network>(),
        device_kind<DeviceKind::mouse>(), device_kind<DeviceKind::arm>()}},
      {"integrator", false, "time integration", {kind<IntegratorDescription>()}},
      {"run", false, "the run", {kind<RunDescription>()}},
      {"record", false, "what is written", {kind<RecordDescription>()}},
      {"serve", false, "how a controller outside is served", {kind<ServeDescription>()}},
      {"sensor",
       true,
       "what is measured on a soft body: a grid of taxels, points of its surface, a cut, stress and strain",
       {kind<TaxelDescription>(kSensorTypes[0]), kind<PointsDescription>(kSensorTypes[1]),
        kind<ContourDescription>(kSensorTypes[2]), kind<CompressionDescription>(kSensorTypes[3])}},
  };
  return sections;
}

}  // namespace distal
