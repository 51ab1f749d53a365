#include "distal/remote/serve.hpp"

#include <algorithm>
#include <thread>

#include "distal/core/error.hpp"
#include "distal/remote/session_plant.hpp"
#include "distal/scenario/scene_text.hpp"

namespace distal {
namespace {

Scene make_served(Scene scene, PlantClock clock) {
  scene.controllers.clear();
  scene.squeezes.clear();
  scene.motion.reset();
  scene.resolved_toml = write_scene(scene);  // the record must tell what was run
  // In real time our threads go before others: leave a core to the controller.
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (clock == PlantClock::real_time && scene.model.threads == 0) scene.model.threads = std::clamp(cores - 1, 1, 2);
  return scene;
}

}  // namespace

ServeResult serve(const Scene& scene, const ServeOptions& options) {
  LoopOptions loop_options = options.loop;
  UdpSocket socket(options.host, options.port, options.allow_remote);
  const Scene served = make_served(scene, loop_options.clock);
  Session session(served, options.session);
  if (session.simulation().body_count() == 0)
    throw InputError("nothing in the scene moves, so there is nothing to serve: it needs a finger or a movable object");
  SessionPlant plant(session, served, hash_scene(scene), loop_options.once, loop_options.clock == PlantClock::real_time,
                     options.onlooker);
  if (options.onlooker) {
    options.onlooker->begin(served, session);
    loop_options.idle = [&] { options.onlooker->look(session); };
  }
  PlantLoop loop(socket, plant, served.serve, loop_options);
  if (loop_options.clock == PlantClock::real_time && loop_options.notice && !options.session.out.empty() &&
      served.record.frames_per_s > 0.0)
    loop_options.notice("frames are written between periods and make them late; record.frames_per_s = 0 writes none");
  loop.run();
  ServeResult result;
  result.link = loop.report();
  result.loops = plant.stop_loops();
  session.set_link(result.link);
  const RunStatus status = loop.failed()                       ? RunStatus::failed
                           : loop_options.once && !loop.over() ? RunStatus::interrupted
                                                               : RunStatus::done;
  const std::string message = loop.failed() ? plant.failure() : std::string();
  if (options.onlooker) options.onlooker->end(session, status, message);
  result.run = session.finish(status, message);
  return result;
}

}  // namespace distal
