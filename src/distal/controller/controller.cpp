#include "distal/controller/controller.hpp"

#include <cmath>

namespace distal {

bool is_usable(const BodyFeedback& f) {
  return f.pose.position.allFinite() && std::abs(f.pose.q.norm() - 1.0) < 1e-3 && f.twist.linear.allFinite() &&
         f.twist.angular.allFinite() && f.contact.all_finite() && f.tip.all_finite();
}

}  // namespace distal
