/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrators on joints that others imply: bars on parallel axes that close loops in
 * space, joints made twice, and both about a hub whose constraints are cut into pieces. The motion
 * is that of the same bodies on joints just enough, and the dependent rows are counted.
 *
 * A loop of bars in a plane: hinges (5 rows) at all joints have 3 rows too many; with ball joints
 * (3 rows) at both ends of every other bar none is, those bars may turn about themselves instead,
 * which they do not in a motion within the plane.
 */
#include "tests/test.h"

#include "la/dense.h"
#include "la/system.h"
#include "mech/assembly/assembly.h"
#include "mech/bilateral/bilateral.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"

#include <stdio.h>

struct mechanism {
  enum mech_assembly_kind space; /* upwards is z, or y of the plane */
  int loops;                     /* four-bar loops, hung on the world or on a hub */
  int hub;                       /* a heavy body instead of the world */
  int copies;                    /* of every joint */
  int hinges;                    /* at all joints: redundant in space */
  int spheres;                   /* on the middle bars, over a floor */
};

static void put(const struct mechanism *k, double x, double up, double *to) {
  to[0] = x;
  to[k->space == MECH_PLANAR ? 1 : 2] = up;
}

/* The joints of one loop, its bars being `first` to `first` + 2: crank, coupler, rocker. */
static void add_loop(const struct mechanism *k, struct mech_assembly *a, int first, double x0,
                     double spin) {
  const double corner[4][2] = {{0, 0}, {0.1, 0.3}, {0.6, 0.4}, {0.5, 0}};
  const int base = k->hub ? 0 : -1, planar = k->space == MECH_PLANAR;
  for (int b = 0; b < 3; ++b) { /* about the first corner, projected to what the joints allow */
    const double x = 0.5 * (corner[b][0] + corner[b + 1][0]);
    const double z = 0.5 * (corner[b][1] + corner[b + 1][1]);
    struct mech_body bar = {.mass = 1 + 0.3 * b, .inertia = {0.03, 0.02 + 0.01 * b, 0.025}};
    put(k, x0 + x, z, bar.position);
    put(k, spin * z, -spin * x, bar.velocity);
    bar.omega[planar ? 2 : 1] = planar ? -spin : spin;
    CHECK(mech_assembly_body(a, &bar) == first + b);
  }
  for (int i = 0; i < 4; ++i) {
    const int ball = !k->hinges && (i == 1 || i == 2);
    struct mech_joint joint = {.kind = ball ? MECH_JOINT_SPHERICAL : MECH_JOINT_REVOLUTE,
                               .body = {i == 0 ? base : first + i - 1, i == 3 ? base : first + i},
                               .axis = {0, 1, 0}};
    put(k, x0 + corner[i][0], corner[i][1], joint.point);
    for (int copy = 0; copy < k->copies; ++copy) {
      CHECK(mech_assembly_joint(a, &joint) >= 0);
    }
  }
}

static struct system build(const struct mechanism *k) {
  struct system s = {.arena = test_arena()};
  struct mech_assembly *a = mech_assembly_alloc(k->space, "bars", s.arena);
  double gravity[3] = {0};
  put(k, 0, -9.81, gravity);
  mech_assembly_gravity(a, gravity);
  const int steel = mech_assembly_material(a, &(struct mech_material){.mu = 0.2, .eps_N = 0.5});
  if (k->hub) {
    mech_assembly_body(a, &(struct mech_body){.mass = 20, .inertia = {5, 6, 7}});
  }
  for (int l = 0; l < k->loops; ++l) {
    add_loop(k, a, 3 * l + k->hub, 0.7 * (l - 0.5 * k->loops), 0.5 + 0.1 * l);
  }
  for (int l = 0; l < k->spheres; ++l) {
    add_sphere(a, 3 * l + 1 + k->hub, 0.1, steel);
  }
  if (k->spheres > 0) { /* just under the lowest of them */
    add_halfspace(a, -1, 0.248, steel);
  }
  system_finish(&s, a);
  struct mech_bilateral *b = mech_bilateral_alloc(s.m, MECH_BILATERAL_AUTO, s.arena);
  CHECK_OK(mech_project_with(b, mech_any_drift, s.q, s.u, s.arena));
  mech_bilateral_free(b);
  return s;
}

/* Largest of g_S. */
static double opening(const struct system *s, const double *q) {
  double *g = base_arena_doubles(s->arena, s->m->ns);
  s->m->ops->bilateral(s->m, q, g);
  return la_norm_inf(s->m->ns, g);
}

/* `given` moves as `enough` does, `dependent` rows of it being left out. */
static void compare(const char *form, const struct mechanism *given, const struct mechanism *enough,
                    int dependent, int steps, const char *what) {
  const double dt = 2e-3;
  struct system s[2] = {build(enough), build(given)};
  struct run *run[2];
  double taken = 0;
  int carried = 0;
  la_copy(s[0].m->nu, s[0].u, s[1].u); /* one start, to the bit */
  for (int k = 0; k < 2; ++k) {
    run[k] = run_begin(form, s[k].m, dt, s[k].q, s[k].u);
  }
  const double scale = mech_kinetic(s[0].m, s[0].q, s[0].u, s[0].arena) + 9.81;
  const double before = mech_energy(s[1].m, s[1].q, s[1].u, s[1].arena);
  for (int step = 0; step < steps; ++step) {
    for (int k = 0; k < 2; ++k) {
      run_step(run[k], dt);
      CHECK_MESSAGE(run[k]->status == BASE_OK, "%s, %s: step %d: %s", form, what, step,
                    base_message());
    }
    CHECK_INT(run[1]->last.eliminates, 1);
    CHECK_INT(run[1]->last.dependent, dependent);
    CHECK_INT(run[0]->last.dependent, 0);
    taken = run[1]->friction + run[1]->impact;
    carried += run[1]->last.n_carrying;
  }
  const double u = apart(s[0].m->nu, run[0]->state.u, run[1]->state.u);
  const double q = apart(s[0].m->nq, run[0]->state.q, run[1]->state.q);
  CHECK_MESSAGE(u < 1e-10 && q < 1e-10, "%s, %s: q %.3g, u %.3g apart", form, what, q, u);
  CHECK_LE(opening(&s[1], run[1]->state.q), 1e-12);
  CHECK_LE(fabs(mech_energy(s[1].m, run[1]->state.q, run[1]->state.u, s[1].arena) - before - taken),
           1e-10 * scale);
  CHECK_INT(carried > 0, given->spheres > 0);
}

TEST(loops_in_a_plane_move_in_space_as_on_joints_just_enough) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
  } forms[] = {{"consistent-quaternion", MECH_SPATIAL},
               {"consistent-quaternion-twostep", MECH_SPATIAL},
               {"consistent-decomposed", MECH_SCALABLE},
               {"consistent-twostep", MECH_SCALABLE}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    for (int round = 0; round < 3; ++round) { /* dense, sparse, sparse about a hub */
      struct mechanism enough = {.space = forms[f].space,
                                 .loops = round == 0 ? 1 : 4,
                                 .hub = round == 2,
                                 .copies = 1,
                                 .spheres = strstr(forms[f].form, "twostep") != NULL};
      struct mechanism given = enough;
      char what[32];
      given.hinges = 1;
      snprintf(what, sizeof what, "loops, round %d", round);
      compare(forms[f].form, &given, &enough, 3 * given.loops, 25, what);
    }
  }
}

TEST(joints_made_twice_move_as_made_once) {
  static const struct {
    const char *form;
    enum mech_assembly_kind space;
    int loops;
  } forms[] = {{"consistent-constant", MECH_PLANAR, 4},
               {"consistent-constant-gear", MECH_PLANAR, 4},
               {"consistent-onestep", MECH_PLANAR, 4},
               {"consistent-coordinate", MECH_SCALABLE, 1}, /* dense */
               {"consistent-decomposed", MECH_SCALABLE, 3},
               {"consistent-quaternion", MECH_SPATIAL, 3}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    const struct mechanism enough = {.space = forms[f].space, .loops = forms[f].loops, .copies = 1};
    struct mechanism given = enough;
    given.copies = 2;
    const int rows = forms[f].space == MECH_PLANAR ? 8 : 16;
    compare(forms[f].form, &given, &enough, rows * given.loops, 15, "joints made twice");
  }
}

/* What is left is a basis: as many rows as the rank, and their G_SS has full rank by itself. */
TEST(what_is_left_out_leaves_a_basis) {
  for (int round = 0; round < 8; ++round) {
    const struct mechanism k = {.space = MECH_SPATIAL,
                                .loops = 2 + 3 * round / 2,
                                .hub = round % 2,
                                .copies = 1 + round / 2 % 2,
                                .hinges = 1};
    const struct system s = build(&k);
    const int ns = s.m->ns, nu = s.m->nu;
    double *L = base_arena_push(s.arena, mech_mass_size(s.m) * sizeof *L);
    CHECK_OK(mech_mass_factor(s.m, s.q, L));
    for (int kind = 0; kind < 2; ++kind) {
      struct mech_bilateral *b = mech_bilateral_alloc(
          s.m, kind == 0 ? MECH_BILATERAL_SPARSE : MECH_BILATERAL_DENSE, s.arena);
      int *is_out = base_arena_ints(s.arena, ns), *perm = base_arena_ints(s.arena, ns), kept = 0;
      double *W = base_arena_matrix(s.arena, nu, ns), *G = base_arena_matrix(s.arena, ns, ns);
      CHECK_OK(mech_bilateral_build(b, s.q, L));
      mech_bilateral_leave_out(b, is_out);
      for (int i = 0; i < ns; ++i) {
        if (!is_out[i]) {
          double *unit = base_arena_doubles(s.arena, ns), *column = W + (long)kept++ * nu;
          unit[i] = 1;
          mech_bilateral_force(b, unit, column);
          const double size = la_norm2(nu, column);
          for (int j = 0; j < nu; ++j) {
            column[j] /= size;
          }
        }
      }
      la_gemm_t(kept, kept, nu, 1, W, W, 0, G);
      CHECK_INT(kept, b->rank);
      CHECK_INT(kept, ns - b->dependent);
      CHECK_INT(la_pchol_factor(kept, G, perm, 1e-10), kept);
      mech_bilateral_free(b);
    }
  }
}

/* Of both forms of a matrix, by the matrix of what remains. */
TEST(systems_without_some_of_their_unknowns) {
  for (int n = 40; n <= 240; n += 200) {
    struct base_arena *arena = test_arena();
    struct la_system *whole = la_system_alloc(n, arena), *part = la_system_alloc(n / 2, arena);
    int *is_out = base_arena_ints(arena, n);
    double *x = base_arena_doubles(arena, n), *y = base_arena_doubles(arena, n / 2);
    la_system_begin(whole);
    la_system_begin(part);
    for (int i = 0; i < n; ++i) {
      is_out[i] = i % 2;
      x[i] = i % 2 ? 0 : 1 + i;
      y[i / 2] = i % 2 ? y[i / 2] : 1 + i;
      for (int j = i > 4 ? i - 4 : 0; j < n && j < i + 5; ++j) {
        const double value = i % 2 && j % 2 ? 0 : (i == j ? 9 : 0) + cos(3 * i + j);
        la_system_add(whole, i, j, value);
        if (i % 2 == 0 && j % 2 == 0) {
          la_system_add(part, i / 2, j / 2, value);
        }
      }
    }
    la_system_leave_out(whole, is_out);
    CHECK_OK(la_system_factor(whole));
    CHECK_OK(la_system_factor(part));
    la_system_solve(whole, 1, x, arena);
    la_system_solve(part, 1, y, arena);
    for (int i = 0; i < n; ++i) {
      CHECK_NEAR(x[i], i % 2 ? 0 : y[i / 2], 1e-14 * n);
    }
    la_system_free(whole);
    la_system_free(part);
  }
}
