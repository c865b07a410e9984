/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping where few of many spheres touch: two that collide, obliquely and spinning, move
 * to the last bit as they do alone, where loops go over all bodies, and those far off as free ones.
 */
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include <string.h>

#include "mech/assembly/assembly.h"

enum { OTHERS = 40, STEPS = 60, NQ = 14, NU = 12 };
static const double DT = 1e-3;

/* The two come last, so that their blocks are not the first; others: at rest in a far row. */
static struct mech *spheres(int others, struct base_arena *arena, double **q, double **u) {
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "spheres", arena);
  struct mech *m = NULL;
  const int stuff = mech_assembly_material(a, &(struct mech_material){.mu = 0.3, .eps_N = 0.5});
  for (int i = 0; i < others + 2; ++i) {
    const int k = i - others; /* 0, 1: the two */
    struct mech_body body = {.mass = k == 0 ? 1 : 2, .inertia = {0.01, 0.01, 0.01}};
    if (k < 0) {
      body.position[1] = 10.0 + i;
    } else {
      body.position[0] = k == 0 ? 0 : 0.22;
      body.position[2] = 0.05 * k;
      body.velocity[0] = k == 0 ? 1 : -0.5;
      body.omega[1] = k == 0 ? 3 : 1;
      memcpy(body.orientation, (double[4]){0.8, 0, 0.6, 0}, sizeof body.orientation);
    }
    add_sphere(a, mech_assembly_body(a, &body), 0.1, stuff);
  }
  mech_assembly_scales(a, 1, 1);
  CHECK_INT(mech_assembly_finish(a, &m, q, u, NULL), 0);
  return m;
}

static void check_pair_moves_as_alone(const char *form) {
  struct base_arena *arena = test_arena();
  double *q[2], *u[2];
  const struct mech *alone = spheres(0, arena, &q[0], &u[0]);
  const struct mech *among = spheres(OTHERS, arena, &q[1], &u[1]);
  struct run *one = run_begin(form, alone, DT, q[0], u[0]);
  struct run *two = run_begin(form, among, DT, q[1], u[1]);
  for (int k = 0; k < STEPS; ++k) {
    run_step(one, DT);
    run_step(two, DT);
    CHECK(test_same_bits(two->state.q + 7 * OTHERS, one->state.q, NQ));
    CHECK(test_same_bits(two->state.u + 6 * OTHERS, one->state.u, NU));
  }
  CHECK(one->onsets > 0 && two->onsets == one->onsets);
  CHECK(one->state.u[0] < 1);
  for (int i = 0; i < 6 * OTHERS; ++i) {
    CHECK(two->state.u[i] == 0);
  }
}

TEST(few_spheres_that_touch_move_as_they_do_alone) {
  check_pair_moves_as_alone("ncp");
  check_pair_moves_as_alone("ccp");
  check_pair_moves_as_alone("moreau");
}
