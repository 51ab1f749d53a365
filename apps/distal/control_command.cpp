// distal control: the scene's controllers as an outside program.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/remote/real_time.hpp"
#include "distal/remote/remote_plant.hpp"
#include "distal/remote/session_plant.hpp"
#include "distal/run/control_room.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

struct ControlArguments {
  std::string connect, scene = "press";
  std::vector<std::string> overrides;
  bool reset = false, quiet = false;
};

struct PlantAddress {
  std::string host;
  int port = 0;
};

PlantAddress parse_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  PlantAddress address;
  if (colon != std::string::npos) {
    const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, address.port);
    address.host = text.substr(0, colon);
    if (address.host.starts_with('[') && address.host.ends_with(']'))
      address.host = address.host.substr(1, address.host.size() - 2);
    if (error == std::errc{} && stop == end && !address.host.empty() && address.port > 0 && address.port < 65536)
      return address;
  }
  throw InputError(
      fmt::format("--connect {}: expected HOST:PORT with a port from 1 to 65535, as distal serve prints it, "
                  "for example 127.0.0.1:17810 or [::1]:17810",
                  text));
}

void print_plant(const RemotePlant& plant, const Scene& scene) {
  if (plant.description().scene_hash != hash_scene(scene))
    print_warning(fmt::format("the plant runs another scene than {}; only the controllers are taken from it",
                              scene.file.string()));
}

// A controller that takes over a finger which another one has left somewhere should know.
void note_begin(const RemotePlant& plant, const ControlRoom& room) {
  std::string touching;
  for (std::size_t b = 0; b < plant.feedback().size(); ++b)
    if (const double force = plant.feedback()[b].contact.force.norm(); room.commands(b) && force > 0.0)
      touching += fmt::format("{}{} touches with {:.3g} N", touching.empty() ? "" : ", ", plant.body_names()[b], force);
  const double begin_s = plant.progress().simulated_s;
  if (begin_s <= 0.0 && touching.empty()) return;
  print_warning(
      fmt::format("begins at {:.6g} s of the plant's time{}{}; --reset puts the plant back to its start first", begin_s,
                  touching.empty() ? "" : ", ", touching));
}

int control(const ControlArguments& arguments) {
  const PlantAddress address = parse_address(arguments.connect);
  const Scene scene = open_scene(arguments.scene, arguments.overrides);
  if (scene.controllers.empty() && scene.squeezes.empty())
    throw InputError(fmt::format("{}: has no [controller.NAME] to control with", scene.file.string()));
  const std::atomic<bool>& stop = watch_interrupts();
  RemotePlant plant(address.host, address.port);
  print_plant(plant, scene);
  if (plant.description().clock == distal_client::kRealTime) take_real_time_rights();
  ControlRoom room(scene, plant.body_names());
  if (arguments.reset) plant.reset();
  note_begin(plant, room);
  const double begin_s = plant.progress().simulated_s;
  const double until_s = begin_s + scene.run.duration_s - 0.5 * plant.period_s();
  // In real time a period may pass without us: the controllers are told how long their last command was held.
  std::uint64_t periods = 1;
  while (!stop.load() && !plant.done() && plant.progress().simulated_s < until_s) {
    const std::uint64_t before = plant.progress().period;
    plant.exchange(room.update(plant.feedback(), static_cast<double>(periods) * plant.period_s()));
    periods = std::max<std::uint64_t>(plant.progress().period - before, 1);
  }
  const distal_client::Progress end = plant.progress();
  plant.stop();
  if (!arguments.quiet)
    say("controlled {} for {:.4g} s; contact force {:.4g} N\n", plant.body_names().front(), end.simulated_s - begin_s,
        plant.feedback().front().contact.force.norm());
  return stop.load() ? kRunFailed : kDone;
}

}  // namespace

void add_control_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command = program.add_subcommand("control", "Control a plant over UDP, with the controllers of a scene.");
  command->add_option("--connect", arguments->connect, "where the plant listens")->required()->type_name("HOST:PORT");
  command->add_option("scene", arguments->scene, "scene whose controllers are taken")
      ->type_name("SCENE.toml")
      ->capture_default_str();
  add_overrides(*command, arguments->overrides);
  command->add_flag("--reset", arguments->reset, "put the plant back to its start first");
  command->add_flag("--quiet", arguments->quiet, "errors and notes only");
  command->callback([arguments, &exit_code] { exit_code = control(*arguments); });
}

}  // namespace distal
