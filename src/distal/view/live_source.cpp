#include "distal/view/live_source.hpp"

namespace distal {

LiveSource::LiveSource(const Scene& scene, const Session& session, ViewMode mode, const std::string& version,
                       const std::optional<std::string>& pointer)
    : geometry_(session.simulation(), pointer), scene_(geometry_.scene()) {
  scene_.program = "distal " + version;
  scene_.title = scene.model.title.empty() ? scene.file.filename().string() : scene.model.title;
  scene_.mode = mode;
  scene_.period_s = session.period_s();
  scene_.duration_s = scene.run.duration_s;
  scene_.gravity_m_s2 = scene.model.gravity_m_s2;
}

void LiveSource::publish(const Session& session, const LoopStanding& standing) {
  energy_.update(session.simulation().energy());
  RawMoment& raw = newest_.back();
  copy_moment(session.simulation(), raw);
  raw.standing = {standing.status, standing.message, standing.speed, standing.real_time_factor,
                  energy_.relative_residual()};
  raw.in_hand = standing.in_hand;
  raw.pointer_parked = standing.pointer_parked;
  raw.commands.clear();
  for (const BodyCommand& command : session.acted())
    raw.commands.push_back(command.mode == CommandMode::wrench ? command.wrench : Wrench{});
  newest_.publish();
}

}  // namespace distal
