// Frictional contact as a linear complementarity problem: our Lemke cold against Siconos' (the same method) in the same
// run, and warm against cold along a motion. Allocations of the solver are counted: every malloc of the program.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "distal/solver/lemke.hpp"
#include "support/lcp_problems.hpp"
#ifdef DISTAL_HAVE_SICONOS
#include "support/siconos_lcp.hpp"
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DISTAL_OWN_MALLOC
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define DISTAL_OWN_MALLOC
#endif

namespace {
std::atomic<long> allocations = 0;
}
#ifndef DISTAL_OWN_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace {

using namespace distal;
using Clock = std::chrono::steady_clock;

double time_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

LcpProblem make_problem(std::uint64_t seed, int contacts, const FrictionCone& cone) {
  const RandomContacts problem = make_contacts(random_key(seed, "bench"), contacts);
  LcpProblem lcp;
  build_friction_problem(problem.a, problem.b, problem.contacts, cone, lcp.m, lcp.q);
  return lcp;
}

void print_cold(int contacts, int vertices) {
  std::vector<LcpProblem> problems;
  const FrictionCone cone = make_friction_cone(vertices, ConeFit::balanced);
  for (std::uint64_t seed = 0; seed < 50; ++seed) problems.push_back(make_problem(seed, contacts, cone));
  const int n = static_cast<int>(problems[0].q.size());
  Lemke lemke(n);
  int pivots = 0, solved = 0;
  for (const LcpProblem& p : problems) {
    const LemkeResult result = lemke.solve(p.m, p.q);
    pivots += result.pivots, solved += result.status == LemkeStatus::solved;
  }
  double ours = HUGE_VAL;
  [[maybe_unused]] double theirs = HUGE_VAL;
#ifdef DISTAL_HAVE_SICONOS
  SiconosLemke siconos;
  int siconos_solved = 0;
  const long siconos_before = allocations;
  for (const LcpProblem& p : problems) siconos_solved += siconos.solve(p.m, p.q);
  const long siconos_made = allocations - siconos_before;
#endif
  const long before = allocations;
  for (const LcpProblem& p : problems) lemke.solve(p.m, p.q);
  const long made = allocations - before;
  for (int round = 0; round < 30; ++round) {
    ours = std::min(ours, time_of([&] {
                      for (const LcpProblem& p : problems) lemke.solve(p.m, p.q);
                    }));
#ifdef DISTAL_HAVE_SICONOS
    theirs = std::min(theirs, time_of([&] {
                        for (const LcpProblem& p : problems) siconos.solve(p.m, p.q);
                      }));
#endif
  }
  fmt::print("{} contacts, {} vertices, n = {}: {} of 50 solved, {:.1f} pivots, {:.1f} us cold, {} allocations",
             contacts, vertices, n, solved, pivots / 50.0, 1e6 * ours / 50.0, made);
#ifdef DISTAL_HAVE_SICONOS
  fmt::print("; Siconos {} solved, {:.1f} us, {} allocations: we take {:.2f} of its time", siconos_solved,
             1e6 * theirs / 50.0, siconos_made, ours / theirs);
#endif
  fmt::print("\n");
}

// The problem turns into another one, slowly and back.
void print_warm(int contacts, int vertices) {
  const FrictionCone cone = make_friction_cone(vertices, ConeFit::balanced);
  const RandomContacts one = make_contacts(21, contacts), other = make_contacts(22, contacts);
  std::vector<LcpProblem> steps(1000);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double share = 0.5 + 0.5 * std::sin(0.01 * static_cast<double>(i));
    const Eigen::MatrixXd a = (1.0 - 0.3 * share) * one.a + 0.3 * share * other.a;
    const Eigen::VectorXd b = (1.0 - share) * one.b + share * other.b;
    build_friction_problem(a, b, one.contacts, cone, steps[i].m, steps[i].q);
  }
  const int n = static_cast<int>(steps[0].q.size());
  std::array<int, 2> pivots = {0, 0};
  std::array<double, 2> seconds = {HUGE_VAL, HUGE_VAL};
  int restored = 0;
  for (int round = 0; round < 5; ++round) {
    for (const std::size_t warm : {0, 1}) {
      Lemke lemke(n);
      LemkeOptions options;
      options.warm = warm == 1;
      pivots[warm] = 0, restored = 0;
      seconds[warm] = std::min(seconds[warm], time_of([&] {
                                 for (const LcpProblem& p : steps) {
                                   const LemkeResult result = lemke.solve(p.m, p.q, options);
                                   pivots[warm] += result.pivots, restored += result.restore_pivots;
                                 }
                               }));
    }
  }
  fmt::print(
      "a motion of 1000 steps, n = {}: {} pivots cold, {} warm and {} to restore the basis; warm takes {:.2f} of the "
      "time\n",
      n, pivots[0], pivots[1], restored, seconds[1] / seconds[0]);
}

}  // namespace

int main() {
#ifndef DISTAL_HAVE_SICONOS
  fmt::print("built without Siconos (Debian's libsiconos-numerics-dev): no comparison\n");
#endif
  print_cold(6, 6);
  print_cold(4, 10);
  print_cold(3, 14);
  print_cold(10, 10);
  print_warm(6, 6);
  print_warm(10, 10);
}
