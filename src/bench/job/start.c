/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is the initial state one to start from? Bodies in each other and joints apart are mistakes of the
 * input as a rule: every formulation takes them for something else (a contact at gap level pushes
 * out at gap/dt, one at velocity level never does, springs explode), and a comparison would be one
 * of these responses. No gap may be below, and no bilateral constraint off, by more than START_PART
 * of the system's length, plus rounding; the file of the case or scene lifts that with
 * "allow_start": true. What joints of a scene move before they hold is judged the same way where
 * the scene is built. Rates are not judged: velocities that miss them make an impact at t = 0.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/status.h"
#include "bench/job/start.h"
#include "la/dense.h"

/* Of coordinates: what a file's decimals and hand-computed positions are off by is far below. */
static const double ROUNDING = 1e-12;

struct deepest {
  double gap;
  long id;
  int body[2];
};

static void look(void *data, const struct mech_contacts *c, int i) {
  struct deepest *d = data;
  if (c->gN[i] < d->gap) {
    *d = (struct deepest){
        .gap = c->gN[i], .id = c->id[i], .body = {c->body[2 * i], c->body[2 * i + 1]}};
  }
}

/* The body of a block of velocities, by the name of its first one up to the dot; "" without. */
static void name_body(const struct mech *m, int block, char *text, size_t size) {
  const int has_names = m->u_names != NULL && m->ops->observe == NULL && m->nu_out == m->nu;
  const char *name = block >= 0 && has_names ? m->u_names[(long)block * m->nv] : "";
  const char *dot = strrchr(name, '.');
  snprintf(text, size, "%.*s", dot != NULL ? (int)(dot - name) : 0, name);
  if (block < 0) {
    snprintf(text, size, "the world");
  }
}

static int check_contacts(const struct bench_job *job, const struct mech *m, const double *q,
                          double most, struct base_arena *arena) {
  struct mech_contacts contact;
  struct deepest d = {.gap = 0};
  char first[80], second[80], bodies[200] = "";
  if (m->ops->contacts == NULL) {
    return BASE_OK;
  }
  mech_contacts_init(&contact, m, arena);
  mech_contacts_visit(m, q, 0, look, &d, &contact);
  if (!(d.gap < -most)) {
    return BASE_OK;
  }
  name_body(m, d.body[0], first, sizeof first);
  name_body(m, d.body[1], second, sizeof second);
  if (first[0] != '\0' && second[0] != '\0') {
    snprintf(bodies, sizeof bodies, " between %s and %s", first, second);
  }
  return base_fail(BASE_E_INPUT,
                   "%s: at the start the gap of contact %ld%s is %.3g m, below -%.3g m, %g of the "
                   "system's length; \"allow_start\": true in its file lets it",
                   job->type->name, d.id, bodies, d.gap, most, CASE_START_PART);
}

static int check_joints(const struct bench_job *job, const struct mech *m, const double *q,
                        double most, struct base_arena *arena) {
  double *g = base_arena_doubles(arena, m->ns);
  char name[MECH_NAME];
  int worst = 0;
  if (m->ns == 0) {
    return BASE_OK;
  }
  mech_set_time(m, 0);
  m->ops->bilateral(m, q, g);
  for (int i = 1; i < m->ns; ++i) {
    worst = fabs(g[i]) > fabs(g[worst]) ? i : worst;
  }
  if (fabs(g[worst]) <= most) {
    return BASE_OK;
  }
  mech_bilateral_name(m, worst, name);
  return base_fail(BASE_E_INPUT,
                   "%s: at the start %s is off by %.3g m (rad), more than %.3g, %g of the system's "
                   "length; \"allow_start\": true in its file lets it",
                   job->type->name, name, fabs(g[worst]), most, CASE_START_PART);
}

int bench_start_check(const struct bench_job *job, const struct case_instance *start,
                      struct base_arena *arena) {
  const struct mech *m = start->mech;
  const cJSON *allow =
      cJSON_GetObjectItemCaseSensitive(case_parameters_file(job->parameters), "allow_start");
  const double most = CASE_START_PART * m->length + ROUNDING * la_norm_inf(m->nq, start->q);
  if (cJSON_IsTrue(allow)) {
    return BASE_OK;
  }
  const int status = check_joints(job, m, start->q, most, arena);
  return status != BASE_OK ? status : check_contacts(job, m, start->q, most, arena);
}

void bench_start_perturb(const struct mech *m, double part, unsigned long seed, double *q,
                         double *u, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *du = base_arena_doubles(arena, m->nu), *dq = base_arena_doubles(arena, m->nq);
  struct base_rng *rng = base_rng_alloc(seed);
  base_rng_uniforms(rng, m->nu, -1, 1, du);
  mech_qdot(m, q, du, dq, arena);
  la_axpy(m->nq, part * m->length, dq, q);
  for (int i = 0; i < m->nu; ++i) {
    u[i] += part * m->speed * base_rng_uniform(rng, -1, 1);
  }
  base_rng_free(rng);
  base_arena_release(arena, mark);
}
