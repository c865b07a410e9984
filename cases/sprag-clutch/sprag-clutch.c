/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sprag clutch and an elastic contact (moeller 3.9, fig. 3.12): mass 1 on a clutch that lets it
 * move to the right only, mass 2 to the right of it,
 *
 *   m (u_1^+ - u_1^-) = Lambda_1 - Lambda_2,   m (u_2^+ - u_2^-) = Lambda_2           (3.163)
 *   gamma_1 = u_1,   gamma_2 = u_2 - u_1                                              (3.164)
 *
 * At the start they touch, u_1 > 0 > u_2. By Newton's law for both at once, with eps_1 = 0,
 *
 * u_1^+ = 0,   u_2^+ = eps_2 (u_1 - u_2)   if eps_2 (u_1 - u_2) > u_1 + u_2   (3.167 for eps_2 = 1)
 *   u_1^+ = (u_1 + u_2)/2 - eps_2 (u_1 - u_2)/2,   u_2^+ = u_1^+ + eps_2 (u_1 - u_2)   else
 *
 * which for eps_2 = 1 gives T^+ - T^- = -m u_1 u_2 > 0 out of nothing (3.168): the elastic contact
 * asks for a velocity, and the clutch, which cannot yield, does the work.
 *
 * By Poisson's law. Compression: with c = max(0, (u_1 + u_2)/2) both have c, Lambda_2 = m (c -
 * u_2). Expansion: mass 2 is given eps_2 Lambda_2, and so is mass 1 in the other direction, or as
 * much of it as its own motion takes,
 *
 *   u_2^+ = c + eps_2 (c - u_2),   u_1^+ = max(0, c - eps_2 (c - u_2)),
 *
 * for eps_2 = 1 T^+ - T^- = -m/2 min(u_1^2, u_2^2). By one impact after the other they exchange
 * velocities, and then the clutch stops mass 1: u_1^+ = 0, u_2^+ = u_1 for eps_2 = 1.
 *
 * The clutch acts on velocities. Here it has a place, the redundant coordinate w: g_1 = x_1 - w, w
 * stands still, and follows x_1 to the right at the end of each motion (normalise).
 */
#include "cases/sprag-clutch/sprag-clutch.h"

#include "base/status.h"

#include <float.h>
#include <math.h>

struct clutch {
  double m, eps1, eps2; /* [kg], [-] */
};

static void clutch_mass(const struct mech *m, const double *q, double *M) {
  const struct clutch *p = m->data;
  (void)q;
  M[0] = M[3] = p->m;
  M[1] = M[2] = 0;
}

static void clutch_force(const struct mech *m, const double *q, const double *u, double t,
                         double *h) {
  (void)m, (void)q, (void)u, (void)t;
  h[0] = h[1] = 0;
}

static void clutch_kinematics(const struct mech *m, const double *q, double *F) {
  (void)m, (void)q;
  for (int i = 0; i < 6; ++i) {
    F[i] = i == 0 || i == 4;
  }
}

static void clutch_normalise(const struct mech *m, double *q) {
  (void)m;
  q[2] = fmax(q[2], q[0]);
}

static void clutch_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  const struct clutch *p = m->data;
  const double gap[2] = {q[0] - q[2], q[1] - q[0]}, eps[2] = {p->eps1, p->eps2};
  (void)u; /* directions are constant: the bias is zero */
  for (int k = 0; k < 2; ++k) {
    if (gap[k] > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    out->id[i] = k;
    out->gN[i] = gap[k];
    out->eps_N[i] = eps[k];
    out->body[2 * i] = 0;
    out->body[2 * i + 1] = -1;
    W[0] = k == 0 ? 1 : -1;
    W[1] = k == 0 ? 0 : 1;
  }
}

static const struct mech_ops clutch_ops = {.mass = clutch_mass,
                                           .force = clutch_force,
                                           .kinematics = clutch_kinematics,
                                           .normalise = clutch_normalise,
                                           .contacts = clutch_contacts};
static const char *const clutch_q_names[] = {"x1", "x2", "w"};
static const char *const clutch_u_names[] = {"u1", "u2"};

static int clutch_build(const struct case_parameters *p, struct base_arena *arena,
                        struct case_instance *out) {
  struct clutch *data = base_arena_push(arena, sizeof *data);
  *data = (struct clutch){
      .m = case_real(p, "m"), .eps1 = case_real(p, "eps1"), .eps2 = case_real(p, "eps2")};
  struct mech *m = case_model("sprag-clutch", &clutch_ops, data, 3, 2, 1, arena, out);
  m->constant_mass = m->diagonal_mass = 1;
  m->q_names = clutch_q_names;
  m->u_names = clutch_u_names;
  m->length = 0.1;
  m->speed = case_real(p, "u1") - case_real(p, "u2");
  out->u[0] = case_real(p, "u1");
  out->u[1] = case_real(p, "u2");
  return BASE_OK;
}

struct sprag_clutch_impact sprag_clutch_newton(double u1, double u2, double eps2) {
  const double leaves = eps2 * (u1 - u2), first = fmax(0, 0.5 * (u1 + u2) - 0.5 * leaves);
  return (struct sprag_clutch_impact){first, first + leaves};
}

struct sprag_clutch_impact sprag_clutch_poisson(double u1, double u2, double eps2) {
  const double c = fmax(0, 0.5 * (u1 + u2)), given = eps2 * (c - u2);
  return (struct sprag_clutch_impact){fmax(0, c - given), c + given};
}

/* Newton's law, from the impact at the start on. */
static double clutch_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const struct sprag_clutch_impact after =
      sprag_clutch_newton(case_real(p, "u1"), case_real(p, "u2"), case_real(p, "eps2"));
  if (t > 0) {
    u[0] = after.u1;
    u[1] = after.u2;
  } else {
    u[0] = case_real(p, "u1");
    u[1] = case_real(p, "u2");
  }
  q[0] = q[2] = t * after.u1;
  q[1] = t * after.u2;
  return case_real(p, "eps1") == 0 ? 8 * DBL_EPSILON * (1 + t * after.u2) : NAN;
}

/* T^+ - T^- over m u_1 |u_2|, what Newton's law makes of nothing for eps_2 = 1 (3.168). */
static double gain(const double *before, struct sprag_clutch_impact after) {
  const double u1 = before[0], u2 = before[1];
  return 0.5 * (after.u1 * after.u1 + after.u2 * after.u2 - u1 * u1 - u2 * u2) / (u1 * fabs(u2));
}

/* The same by both laws, of u_1, u_2 and eps_2. */
static double newton(const struct case_parameters *p, const double *x) {
  (void)p;
  return gain(x, sprag_clutch_newton(x[0], x[1], x[2]));
}

static double poisson(const struct case_parameters *p, const double *x) {
  (void)p;
  return gain(x, sprag_clutch_poisson(x[0], x[1], x[2]));
}

static const struct case_function own_functions[] = {
    {"newton", .formula = newton, .n_numbers = 3},
    {"poisson", .formula = poisson, .n_numbers = 3},
    {0}};
static const struct case_function *const functions[] = {own_functions, NULL};

const struct case_type case_sprag_clutch = {
    .name = "sprag-clutch",
    .summary = "a clutch and an elastic contact: Newton's law of impact makes energy",
    .source = "moeller 3.9, fig. 3.12",
    .build = clutch_build,
    .reference = clutch_reference,
    .functions = functions};
