#include "distal/math/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/math/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }
int LanesOfFloat() { return static_cast<int>(hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::CappedTag<float, 16>())); }
int LanesOfDouble() { return static_cast<int>(hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::CappedTag<double, 8>())); }

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {

HWY_EXPORT(TargetName);
HWY_EXPORT(LanesOfFloat);
HWY_EXPORT(LanesOfDouble);

const char* kernel_instruction_set() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }
template <>
int kernel_lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(LanesOfFloat)();
}
template <>
int kernel_lanes<double>() {
  return HWY_DYNAMIC_DISPATCH(LanesOfDouble)();
}

}  // namespace distal
#endif
