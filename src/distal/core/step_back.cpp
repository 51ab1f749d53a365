#include "distal/core/step_back.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace distal {

void step_back() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

}  // namespace distal
