// The field tables: one line per key of a scene file. Nothing else knows the keys.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "distal/scenario/field.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// Of many keys. Generous: what is too big to compute is refused for the memory it would take, not for its size.
namespace ranges {
inline constexpr Range kLength = within(1e-9, 1e6);
inline constexpr Range kMass = above(0.0, 1e6);
inline constexpr Range kPosition = within(-1e6, 1e6);
inline constexpr Range kGravity = within(-1e4, 1e4);
}  // namespace ranges

void visit_fields(FieldVisitor& visit, MaterialDescription& material);
void visit_fields(FieldVisitor& visit, FingertipDescription& body);
void visit_fields(FieldVisitor& visit, BlockDescription& body);
void visit_fields(FieldVisitor& visit, TetDescription& body);
void visit_fields(FieldVisitor& visit, StrandDescription& body);
void visit_fields(FieldVisitor& visit, PlaneDescription& body);
void visit_fields(FieldVisitor& visit, RigidDescription& body);
void visit_fields(FieldVisitor& visit, HandDescription& body);
void visit_fields(FieldVisitor& visit, ContactDescription& contact);
void visit_fields(FieldVisitor& visit, PairDescription& pair);
void visit_fields(FieldVisitor& visit, PartDescription& part);
void visit_fields(FieldVisitor& visit, RevoluteDescription& joint);
void visit_fields(FieldVisitor& visit, PrismaticDescription& joint);
void visit_fields(FieldVisitor& visit, WeldDescription& joint);
void visit_fields(FieldVisitor& visit, JointPathDescription& path);
void visit_fields(FieldVisitor& visit, FixDescription& fix);
void visit_fields(FieldVisitor& visit, LoadDescription& load);
void visit_fields(FieldVisitor& visit, FieldDescription& field);
void visit_fields(FieldVisitor& visit, FieldValueDescription& value);
void visit_fields(FieldVisitor& visit, IntegratorDescription& integrator);
void visit_fields(FieldVisitor& visit, ModelDescription& model);  // [scene] only
void visit_fields(FieldVisitor& visit, AdaptivePidDescription& controller);
void visit_fields(FieldVisitor& visit, MotionDescription& motion);
void visit_fields(FieldVisitor& visit, ChannelDescription& channel);  // keys depend on its signal
void visit_fields(FieldVisitor& visit, DeviceDescription& device);    // keys depend on its kind
void visit_fields(FieldVisitor& visit, RunDescription& run);
void visit_fields(FieldVisitor& visit, RecordDescription& record);
void visit_fields(FieldVisitor& visit, ServeDescription& serve);
void visit_fields(FieldVisitor& visit, TaxelDescription& taxels);
void visit_fields(FieldVisitor& visit, PointsDescription& points);
void visit_fields(FieldVisitor& visit, ContourDescription& contour);
void visit_fields(FieldVisitor& visit, CompressionDescription& compression);
void visit_fields(FieldVisitor& visit, SqueezeDescription& controller);

// `type` of a body, in the order of BodyDescription; of controllers; of a sensor, in the order of SensorDescription;
// of a channel, in the order of Signal.
Names body_types();
Names joint_types();  // in the order of JointDescription
Names controller_types();
Names sensor_types();
Names channel_types();
Names device_types();  // in the order of DeviceKind

// The tables of a scene file, for whoever goes through all keys.
struct SectionKind {
  std::string_view type;                  // "" where the table has no type
  void (*visit_defaults)(FieldVisitor&);  // visits a default-made description
};
struct Section {
  std::string_view name;
  bool named;  // [body.NAME] rather than [run]
  std::string_view doc;
  std::vector<SectionKind> kinds;  // one, or one per `type`
};
std::span<const Section> scene_sections();

}  // namespace distal
