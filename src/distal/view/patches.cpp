#include "distal/view/patches.hpp"

namespace distal {

ViewPatch make_view_patch(const HardContact& contact, const FrictionUse& use, int first_body, int second_body) {
  ViewPatch patch;
  patch.bodies = {first_body, second_body};
  patch.centre_m = contact.point;
  patch.normal = contact.normal;
  patch.axes_m = {contact.semi_axes_m[0] * contact.first_tangent, contact.semi_axes_m[1] * contact.second_tangent()};
  patch.force_n = contact.force();
  patch.load_n = contact.load_n;
  patch.friction = contact.friction;
  patch.use = use;
  patch.slides = contact.slides;
  return patch;
}

void add_patch_forces(const ViewScene& scene, ViewMoment& moment) {
  for (const ViewPatch& patch : moment.patches) {
    const bool second_moves = scene.bodies[static_cast<std::size_t>(patch.bodies[1])].commanded;
    moment.contacts.push_back({patch.centre_m, second_moves ? patch.force_n : Vec3(-patch.force_n)});
  }
}

}  // namespace distal
