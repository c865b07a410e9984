/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Channel flow: the numbers of the source that tell radius from diameter, the lattice, bodies that
 * come and go against energies and counts taken from the state, and averages, intervals and maps of
 * invented frames by hand.
 */
#include "tests/test.h"

#include "base/json/json.h"
#include "cases/channel-flow/channel-flow.h"
#include "tests/case_model.h"

#include <math.h>

static const char SMALL[] = "scale=0.1 settle=0 block=0.001";

static int count_active(const struct mech *m) {
  int n = 0;
  for (int b = CHANNEL_FIRST; b < m->nb; ++b) {
    n += mech_assembly_active(mech_assembly_of(m), b);
  }
  return n;
}

/* preclik table 2 and 4.3: 246 992 particles are 57.2 %, 39.06 um are 8.31 % of the radius, layers
 * of 65 x 20 every 2 R at 1 m/s are 1.4e6 a second. All three hold for R = 0.47 mm. */
TEST(sources_numbers_hold_for_the_radius) {
  const double R = 0.47e-3, post = (0.5 * M_PI + 2) * 0.01 * 0.01;
  const double volume = (0.15 * 0.065 - post) * 0.02;
  CHECK_NEAR(246992.29 * 4 * M_PI / 3 * R * R * R / volume, 0.572, 5e-4);
  CHECK_NEAR(39.0600228e-6 / R, 0.0831, 5e-5);
  CHECK_NEAR(65 * 20 / (2 * R), 1.4e6, 5e4);
}

TEST(lattice_fills_the_channel_and_nothing_overlaps) {
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("channel-flow", "scale=0.2", arena);
  const struct mech *m = c.mech;
  const double post = (0.5 * M_PI + 2) * 2e-3 * 2e-3;
  const int full = 30 * 13 * 4, n = count_active(m);
  CHECK_MESSAGE(n < full && n > full - 4 * (post + 2 * M_PI * 2e-3 * 0.6e-3) / 1e-6,
                "%d of %d places are taken", n, full);
  struct mech_contacts contacts;
  mech_contacts_init(&contacts, m, arena);
  mech_contacts_find(m, c.q, NULL, 0, &contacts);
  CHECK_INT(contacts.n, 0);
  for (int b = CHANNEL_FIRST; b < m->nb; ++b) {
    const double *u = c.u + 6L * b;
    const int active = mech_assembly_active(mech_assembly_of(m), b);
    CHECK(u[0] == active && fabs(u[1]) <= 0.5 * active && fabs(u[2]) <= 0.5 * active);
  }
}

TEST(bodies_come_and_go_with_their_energy) {
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("channel-flow", SMALL, arena);
  const struct mech *m = c.mech;
  const int n = count_active(m);
  double work = NAN, before;
  m->ops->open.inflow_outflow(m, 0, c.q, c.u, &work);
  CHECK(work == 0 && count_active(m) == n);
  /* three leave */
  for (int b = 5; b < 8; ++b) {
    c.q[7L * b] = 0.0151;
    c.u[6L * b + 4] = 100;
  }
  before = mech_energy(m, c.q, c.u, arena);
  m->ops->open.inflow_outflow(m, 0, c.q, c.u, &work);
  CHECK_INT(count_active(m), n - 3);
  CHECK_NEAR(mech_energy(m, c.q, c.u, arena) - before, work, 1e-12 * before);
  CHECK(work < 0 && !mech_assembly_active(mech_assembly_of(m), 6));
  /* the plane has made its way: a layer of 6 x 2 enters in front of it */
  c.q[7L * CHANNEL_PLANE] += 2 * 0.47e-3 + 3e-6;
  c.u[6L * CHANNEL_PLANE] = 0.999;
  before = mech_energy(m, c.q, c.u, arena);
  m->ops->open.inflow_outflow(m, 0, c.q, c.u, &work);
  CHECK_INT(count_active(m), n - 3 + 12);
  CHECK_NEAR(mech_energy(m, c.q, c.u, arena) - before, work, 1e-12 * before);
  CHECK(c.u[6L * CHANNEL_PLANE] == 1);
  int layer = 0;
  for (int b = CHANNEL_FIRST; b < m->nb; ++b) {
    layer += fabs(c.q[7L * b] - (0.47e-3 + 3e-6)) < 1e-12;
  }
  CHECK_INT(layer, 12);
}

/* Eight frames in which all particles have one speed; the first two do not count, and two make a
 * block: means 3.5, 5 and 8. */
TEST(averages_and_intervals_by_hand) {
  static const double speed[] = {9, 7, 3, 4, 4, 6, 10, 6};
  const struct case_instance c =
      case_model_build("channel-flow", "scale=0.1 settle=0.002 block=0.002", test_arena());
  const struct mech *m = c.mech;
  const int n = count_active(m);
  for (int k = 0; k < 8; ++k) {
    for (int b = CHANNEL_FIRST; b < m->nb; ++b) {
      double *u = c.u + 6L * b;
      memset(u, 0, 6 * sizeof *u);
      u[1] = -speed[k];
    }
    const struct case_moment now = {.t = 1e-3 * (k + 1), .q = c.q, .u = c.u, .carrying = 5 * k};
    c.observer->accumulate(c.observer->data, m, &now);
  }
  cJSON *out = test_json(cJSON_CreateObject());
  c.observer->finish(c.observer->data, out);
  CHECK_NEAR(base_json_at(out, "blocks")->valuedouble, 3, 0);
  CHECK_NEAR(base_json_at(out, "particles.mean")->valuedouble, n, 1e-12 * n);
  CHECK_NEAR(base_json_at(out, "speed.mean")->valuedouble, 5.5, 1e-14);
  CHECK_NEAR(base_json_at(out, "peak_speed.mean")->valuedouble, 5.5, 1e-14);
  /* Student's 97.5 % for two degrees of freedom, variance (2^2 + 0.5^2 + 2.5^2)/2 of the blocks */
  CHECK_NEAR(base_json_at(out, "speed.half_width")->valuedouble, 4.302652729911275 * sqrt(5.25 / 3),
             1e-9);
  CHECK_NEAR(base_json_at(out, "speed.lag1")->valuedouble, (1 - 1.25) / 10.5, 1e-14);
  CHECK_NEAR(base_json_at(out, "contacts_per_particle.mean")->valuedouble, 2 * 22.5 / n, 1e-14);
  /* deviations of the frames that count: -2.5 -1.5 -1.5 0.5 4.5 0.5, squares 31.5, lag 1 and 2 */
  const double lag1 = 3.75 + 2.25 - 0.75 + 2.25 + 2.25;
  const double lag2 = 3.75 - 0.75 - 6.75 + 0.25;
  CHECK(lag2 < 0);
  CHECK_NEAR(base_json_at(out, "speed.correlation_time")->valuedouble, 1e-3 * (0.5 + lag1 / 31.5),
             1e-15);
  CHECK_INT(cJSON_GetArraySize(base_json_at(out, "series.t")), 8);
  for (int k = 0; k < 8; ++k) {
    CHECK_NEAR(cJSON_GetArrayItem(base_json_at(out, "series.speed"), k)->valuedouble, speed[k],
               1e-13);
  }
  double mapped = 0;
  for (int k = 0; k < cJSON_GetArraySize(base_json_at(out, "map.count")); ++k) {
    mapped += cJSON_GetArrayItem(base_json_at(out, "map.count"), k)->valuedouble;
  }
  CHECK_NEAR(mapped, 6 * n, 0);
}
