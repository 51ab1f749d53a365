#include "distal/scenario/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/core/nearest_name.hpp"
#include "distal/scenario/dependent_defaults.hpp"
#include "distal/scenario/field_printer.hpp"
#include "distal/scenario/field_reader.hpp"
#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

constexpr Field kType = required({"type", "", "what kind it is"});

template <class Description>
void read_fields(const Value& table, const std::string& path, Description& description, Problems& problems) {
  FieldReader reader(table, path, problems);
  visit_fields(reader, description);
  reader.report_unknown_keys();
}

// The same for tables with a `type` that has one meaning so far.
template <class Description>
void read_typed(const Value& table, const std::string& path, Names types, Description& description,
                Problems& problems) {
  FieldReader reader(table, path, problems);
  int type = -1;
  reader.choice(kType, types, type);
  if (type < 0) return;
  visit_fields(reader, description);
  reader.report_unknown_keys();
}

// Null when absent or when it is no table, which is a problem.
const Value* find_table(const Value& root, std::string_view key, std::string_view example, Problems& problems) {
  const Value* table = root.find(key);
  if (table == nullptr || table->kind == Value::Kind::table) return table;
  problems.add(table->place, key, fmt::format("found {}, expected a table like [{}]", describe(*table), example));
  return nullptr;
}

// Names become file names and parts of dotted keys.
bool is_good_name(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), good);
}

// Calls read(name, table, path) for every [section.NAME].
template <class Read>
void for_each_named(const Value& root, const std::string& section, Problems& problems, Read read) {
  const Value* tables = find_table(root, section, section + ".NAME", problems);
  if (tables == nullptr) return;
  for (const auto& [name, table] : tables->members) {
    const std::string path = section + "." + name;
    if (table.kind != Value::Kind::table) {
      problems.add(table.place, path,
                   fmt::format("found {}, expected a table: [{}.NAME] with its keys", describe(table), section));
    } else if (!is_good_name(name)) {
      problems.add(table.place, path, "a name has 1 to 64 letters, digits, '_' or '-'");
    } else {
      read(name, table, path);
    }
  }
}

template <class Description>
void read_single(const Value& root, const std::string& section, Description& description, Problems& problems) {
  if (const Value* table = find_table(root, section, section, problems)) {
    read_fields(*table, section, description, problems);
  }
}

template <class Variant, std::size_t... Index>
Variant make_variant(std::size_t type, std::index_sequence<Index...>) {
  Variant made;
  ((type == Index ? static_cast<void>(made.template emplace<Index>()) : static_cast<void>(0)), ...);
  return made;
}

// A table whose `type` says which of the variant's descriptions it is; `types` are in their order.
template <class Variant>
void read_variant(const Value& table, const std::string& path, const std::string& name, Names types,
                  std::vector<std::pair<std::string, Variant>>& target, Problems& problems) {
  FieldReader reader(table, path, problems);
  int type = -1;
  reader.choice(kType, types, type);
  if (type < 0) return;
  Variant made =
      make_variant<Variant>(static_cast<std::size_t>(type), std::make_index_sequence<std::variant_size_v<Variant>>());
  std::visit([&](auto& description) { visit_fields(reader, description); }, made);
  reader.report_unknown_keys();
  target.emplace_back(name, std::move(made));
}

void read_channel(const Value& table, const std::string& path, const std::string& name, Scene& scene,
                  Problems& problems) {
  FieldReader reader(table, path, problems);
  int signal = -1;
  reader.choice(kType, channel_types(), signal);
  if (signal < 0) return;
  ChannelDescription& channel = scene.channels.emplace_back(name, ChannelDescription{}).second;
  channel.signal = static_cast<Signal>(signal);
  visit_fields(reader, channel);
  reader.report_unknown_keys();
}

void read_device(const Value& table, const std::string& path, const std::string& name, Scene& scene,
                 Problems& problems) {
  FieldReader reader(table, path, problems);
  int kind = -1;
  reader.choice(kType, device_types(), kind);
  if (kind < 0) return;
  DeviceDescription& device = scene.devices.emplace_back(name, DeviceDescription{}).second;
  device.kind = static_cast<DeviceKind>(kind);
  visit_fields(reader, device);
  reader.report_unknown_keys();
}

template <class Description>
void read_controller_as(FieldReader& reader, const Value& table, const std::string& name, const Scene& scene,
                        std::vector<std::pair<std::string, Description>>& controllers) {
  Description& controller = controllers.emplace_back(name, Description{}).second;
  visit_fields(reader, controller);
  reader.report_unknown_keys();
  settle_gravity(table, scene.model.gravity_m_s2, controller.gravity_m_s2);
}

void read_controller(const Value& table, const std::string& path, const std::string& name, Scene& scene,
                     Problems& problems) {
  FieldReader reader(table, path, problems);
  int type = -1;
  reader.choice(kType, controller_types(), type);
  if (type == 0) read_controller_as(reader, table, name, scene, scene.controllers);
  if (type == 1) read_controller_as(reader, table, name, scene, scene.squeezes);
}

class KeyFinder final : public FieldPrinter {
 public:
  explicit KeyFinder(std::string_view key) : key_(key) {}
  bool found = false;

 private:
  void print(const Field& field, const std::string&, const std::string&) override { found |= field.key == key_; }
  std::string_view key_;
};

// The address a stray key should have had, like scene.title; "" when there is none.
std::string address_of(std::string_view key) {
  for (const Section& section : scene_sections()) {
    KeyFinder finder(key);
    for (const SectionKind& kind : section.kinds) kind.visit_defaults(finder);
    if (finder.found) return fmt::format("{}.{}{}", section.name, section.named ? "NAME." : "", key);
  }
  return "";
}

void report_unknown_tables(const Value& root, Problems& problems) {
  std::vector<std::string_view> names;
  for (const Section& section : scene_sections()) names.push_back(section.name);
  for (const auto& [key, value] : root.members) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const bool is_table = value.kind == Value::Kind::table;
    const std::string address = is_table ? "" : address_of(key);
    const std::string near = address.empty() ? suggestion(key, names) : fmt::format("; did you mean {}?", address);
    problems.add(value.place, key,
                 fmt::format("unknown {}{}; known tables: {}", is_table ? "table" : "key", near, joined(names)));
  }
}

void read_contacts(const Value& root, Scene& scene, Problems& problems) {
  ModelDescription& model = scene.model;
  read_single(root, "contact", model.contact, problems);
  settle_friction(root.find("contact"), model.contact);
  for_each_named(root, "pair", problems, [&](const auto& name, const Value& table, const auto& path) {
    PairDescription pair{.body_a = "", .body_b = "", .contact = model.contact};
    read_fields(table, path, pair, problems);
    settle_friction(&table, pair.contact);
    model.pairs.emplace_back(name, pair);
  });
}

}  // namespace

Scene read_scene(const Value& root, const std::filesystem::path& file, Problems& problems) {
  Scene scene;
  scene.file = file;
  ModelDescription& model = scene.model;
  report_unknown_tables(root, problems);
  read_single(root, "scene", model, problems);
  for_each_named(root, "material", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.materials[name], problems);
    settle_preset(table, path, model.materials[name], problems);
    settle_damping(table, model.materials[name]);
  });
  for_each_named(root, "body", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_variant(table, path, name, body_types(), model.bodies, problems);
  });
  read_contacts(root, scene, problems);
  for_each_named(root, "part", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.parts.emplace_back(name, PartDescription{}).second, problems);
  });
  for_each_named(root, "joint", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_variant(table, path, name, joint_types(), model.joints, problems);
  });
  for_each_named(root, "joint_path", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.joint_paths.emplace_back(name, JointPathDescription{}).second, problems);
  });
  for_each_named(root, "fix", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.fixes.emplace_back(name, FixDescription{}).second, problems);
  });
  for_each_named(root, "load", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.loads.emplace_back(name, LoadDescription{}).second, problems);
  });
  for_each_named(root, "field", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.fields.emplace_back(name, FieldDescription{}).second, problems);
  });
  for_each_named(root, "field_value", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_fields(table, path, model.field_values.emplace_back(name, FieldValueDescription{}).second, problems);
  });
  for_each_named(root, "controller", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_controller(table, path, name, scene, problems);
  });
  if (root.find("motion") != nullptr) read_single(root, "motion", scene.motion.emplace(), problems);
  for_each_named(root, "channel", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_channel(table, path, name, scene, problems);
  });
  for_each_named(root, "device", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_device(table, path, name, scene, problems);
  });
  read_single(root, "integrator", model.integrator, problems);
  read_single(root, "run", scene.run, problems);
  read_single(root, "record", scene.record, problems);
  read_single(root, "serve", scene.serve, problems);
  for_each_named(root, "sensor", problems, [&](const auto& name, const Value& table, const auto& path) {
    read_variant(table, path, name, sensor_types(), scene.sensors, problems);
  });
  model.control_period_s = scene.run.control_period_s;
  model.threads = scene.run.threads;
  model.precision = scene.run.precision;
  settle_mount(root, scene);
  settle_files(scene);
  return scene;
}

}  // namespace distal
