// A plant at the other end of the plant protocol, simulated or real, behind the Plant interface.
#pragma once
#include <distal_client.hpp>
#include <string>
#include <vector>

#include "distal/controller/controller.hpp"

namespace distal {

class RemotePlant : public Plant {
 public:
  // Says hello. Throws distal_client::Error when nobody answers or the plant is busy; so does exchange.
  RemotePlant(const std::string& host, int port);

  double period_s() const override { return client_.description().period_s; }
  std::span<const BodyFeedback> feedback() const override { return feedback_; }
  // A command that the plant refuses, and a plant whose step failed, throw distal_client::Error.
  std::span<const BodyFeedback> exchange(std::span<const BodyCommand> commands) override;

  std::vector<std::string> body_names() const;
  const distal_client::Description& description() const { return client_.description(); }
  const distal_client::Progress& progress() const { return client_.progress(); }
  bool done() const { return client_.has(distal_client::kDone); }
  void reset();
  void stop() { client_.stop(); }

 private:
  void read();

  distal_client::Client client_;
  std::vector<distal_client::Command> commands_;
  std::vector<BodyFeedback> feedback_;
};

}  // namespace distal
