// The keys of [channel.NAME]: the same imperfections for every signal, each with the unit of that signal.
#include <limits>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

struct PartKeys {
  std::string_view unit, noise, bias, quantisation, limit, rate, rate_unit;
};
struct SignalKeys {
  PartKeys linear, angular;
};

constexpr SignalKeys kPoseKeys = {{"m", "noise_m", "bias_m", "quantisation_m", "saturation_m", "", ""},
                                  {"rad", "noise_rad", "bias_rad", "quantisation_rad", "saturation_rad", "", ""}};
constexpr SignalKeys kTwistKeys = {
    {"m/s", "noise_m_s", "bias_m_s", "quantisation_m_s", "saturation_m_s", "", ""},
    {"rad/s", "noise_rad_s", "bias_rad_s", "quantisation_rad_s", "saturation_rad_s", "", ""}};
constexpr SignalKeys kWrenchKeys = {{"N", "noise_n", "bias_n", "quantisation_n", "saturation_n", "", ""},
                                    {"N m", "noise_n_m", "bias_n_m", "quantisation_n_m", "saturation_n_m", "", ""}};
constexpr SignalKeys kCommandKeys = {
    {"N", "noise_n", "bias_n", "quantisation_n", "max_force_n", "max_force_rate_n_s", "N/s"},
    {"N m", "noise_n_m", "bias_n_m", "quantisation_n_m", "max_torque_n_m", "max_torque_rate_n_m_s", "N m/s"}};

const SignalKeys& keys_of(Signal signal) {
  if (signal == Signal::pose) return kPoseKeys;
  if (signal == Signal::twist) return kTwistKeys;
  return signal == Signal::command ? kCommandKeys : kWrenchKeys;
}

void visit_part(FieldVisitor& visit, const PartKeys& keys, Imperfection& part) {
  constexpr Range kSize = within(0.0, 1e6);
  constexpr Range kUpToNone = above(0.0, std::numeric_limits<double>::infinity());
  const bool acts = !keys.rate.empty();
  visit({keys.noise, keys.unit, "standard deviation of each axis", kSize}, part.noise);
  visit({keys.bias, keys.unit, "added to every value", within(-1e6, 1e6)}, part.bias);
  visit({keys.quantisation, keys.unit, "distance of two values that can be told apart; 0: none", kSize},
        part.quantisation);
  visit({keys.limit, keys.unit, acts ? "largest length; inf: none" : "each axis is cut off here; inf: none", kUpToNone},
        part.limit);
  if (acts) visit({keys.rate, keys.rate_unit, "largest change per time; inf: none", kUpToNone}, part.rate);
}

}  // namespace

void visit_fields(FieldVisitor& visit, ChannelDescription& c) {
  constexpr Range kUpToNone = above(0.0, std::numeric_limits<double>::infinity());
  visit(required({"body", "", "a fingertip or a rigid body that moves"}), c.body);
  visit({"latency_s", "s", "a sample arrives this late, at the end of a control period", within(0.0, 10.0)},
        c.latency_s);
  visit({"jitter_s", "s", "more latency, random for each sample, up to this", within(0.0, 10.0)}, c.jitter_s);
  visit({"drop_out_share", "", "of samples that never arrive; the last one is held", within(0.0, 0.999)},
        c.drop_out_share);
  visit({"filter_hz", "Hz", "first-order low-pass; inf: none", kUpToNone}, c.filter_hz);
  visit_part(visit, keys_of(c.signal).linear, c.linear);
  visit_part(visit, keys_of(c.signal).angular, c.angular);
}

}  // namespace distal
