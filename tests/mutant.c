/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See mutant.h. Where a system leaves an operation to the general formula, the mutant has that
 * formula with the fault on top.
 */
#include "tests/mutant.h"

#include "tests/test.h"

static const struct mech *right;
static struct mutation now;

static void spoil(double *x) {
  for (int i = now.at; i < now.at + (now.n > 0 ? now.n : 1); ++i) {
    x[i] += now.part * x[i] + now.by;
  }
}

#define SPOILT(name, parameters, call, result)                                                     \
  static void spoilt_##name parameters {                                                           \
    (void)m;                                                                                       \
    call;                                                                                          \
    spoil(result);                                                                                 \
  }
SPOILT(mass, (const struct mech *m, const double *q, double *M), right->ops->mass(m, q, M), M)
SPOILT(force, (const struct mech *m, const double *q, const double *u, double t, double *h),
       right->ops->force(m, q, u, t, h), h)
SPOILT(gradient, (const struct mech *m, const double *q, double *dV),
       right->ops->potential_gradient(m, q, dV), dV)
SPOILT(bilateral, (const struct mech *m, const double *q, double *g),
       right->ops->bilateral(m, q, g), g)
SPOILT(directions, (const struct mech *m, const double *q, double *W),
       right->ops->bilateral_directions(m, q, W), W)
SPOILT(bias, (const struct mech *m, const double *q, const double *u, double *bias),
       mech_bilateral_bias(right, q, u, bias, test_arena()), bias)
SPOILT(decomposition, (const struct mech *m, const double *q, double *Q),
       right->ops->consistent.decomposition(m, q, Q), Q)
SPOILT(gyro, (const struct mech *m, const double *u, const double *q, double *H),
       right->ops->consistent.gyro(m, u, q, H), H)
SPOILT(damping_matrix,
       (const struct mech *m, const double *u, const double *q, double t, double *D),
       right->ops->consistent.damping_matrix(m, u, q, t, D), D)
SPOILT(velocity_gyro, (const struct mech *m, int b, const double *u, double *H),
       right->ops->consistent.velocity_gyro(m, b, u, H), H)
SPOILT(coordinate_gyro, (const struct mech *m, const double *qdot, const double *q, double *G),
       right->ops->consistent.coordinate_gyro(m, qdot, q, G), G)
SPOILT(discrete_kinetic,
       (const struct mech *m, const double *qdot, const double *a, const double *b, double *D),
       right->ops->consistent.discrete_kinetic(m, qdot, a, b, D), D)
SPOILT(discrete_potential, (const struct mech *m, const double *a, const double *b, double *D),
       mech_discrete_potential(right, a, b, D, test_arena()), D)
SPOILT(discrete_bilateral, (const struct mech *m, const double *a, const double *b, double *D),
       mech_discrete_bilateral(right, a, b, D, test_arena()), D)
SPOILT(discrete_rate,
       (const struct mech *m, const double *u, const double *a, const double *b, double *D),
       mech_discrete_rate(right, u, a, b, D, test_arena()), D)
SPOILT(discrete_rate_by_body,
       (const struct mech *m, const double *u, const double *a, const double *b, int *body,
        double *D),
       right->ops->consistent.discrete_rate_by_body(m, u, a, b, body, D), D)
SPOILT(discrete_gap, (const struct mech *m, long id, const double *a, const double *b, double *D),
       mech_discrete_gap(right, id, a, b, D, test_arena()), D)
SPOILT(discrete_stiffness, (const struct mech *m, const struct mech_step *step, double *S),
       right->ops->consistent.discrete_stiffness(m, step, S), S)
SPOILT(discrete_gap_slope,
       (const struct mech *m, long id, const double *a, const double *b, double *S),
       right->ops->consistent.discrete_gap_slope(m, id, a, b, S), S)

static void spoilt_mass_with_q(const struct mech *m, const double *q, double *M) {
  right->ops->mass(m, q, M);
  M[now.at] += now.by * q[0];
}

static double spoilt_potential(const struct mech *m, const double *q) {
  double V = right->ops->potential(m, q);
  spoil(&V);
  return V;
}

static void spoilt_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  right->ops->contacts(m, q, u, reach, out);
  for (int i = 0; i < out->n; ++i) {
    const int side = out->body[2 * i + 1] >= 0; /* the body, of a world and a body */
    double *arm = out->arm + 6L * i + 3 * side, *frame = out->frame + 6L * i;
    switch (now.what) {
    case MUTANT_gaps:
      spoil(out->gN + i);
      break;
    case MUTANT_ids:
      out->id[i] = out->id[0];
      break;
    case MUTANT_W:
      spoil(mech_contacts_block(out, i, 0));
      break;
    case MUTANT_contact_bias:
      if (u != NULL) {
        spoil(out->bias + i);
      }
      break;
    case MUTANT_arms:
      spoil(arm);
      break;
    case MUTANT_tangents:
      spoil(frame + 3);
      break;
    default:
      for (int d = 0; d < 3; ++d) {
        arm[d] += now.by * frame[d];
      }
    }
  }
}
#define spoilt_gaps spoilt_contacts
#define spoilt_ids spoilt_contacts
#define spoilt_W spoilt_contacts
#define spoilt_contact_bias spoilt_contacts
#define spoilt_arms spoilt_contacts
#define spoilt_arms_along spoilt_contacts
#define spoilt_tangents spoilt_contacts

void mutants_are_found(const struct mech *m, const double *q, const double *u, double tol,
                       const struct mutation *mutations, int n) {
  static const struct mutation none = {.says = ""};
  right = m;
  for (int i = -1; i < n; ++i) {
    struct mech_ops ops = *m->ops;
    struct mech mutant = *m;
    double worst = 0;
    now = i < 0 ? none : mutations[i];
#define SPOIL(name, member)                                                                        \
  if (now.what == MUTANT_##name) {                                                                 \
    ops.member = spoilt_##name;                                                                    \
  }
    MUTANT_OPERATIONS(SPOIL)
    mutant.ops = &ops;
    mutant.diagonal_mass |= now.what == MUTANT_declared_diagonal;
    const int status = mech_check(&mutant, q, u, 0, tol, &worst, test_arena());
    CHECK_MESSAGE(status == (i < 0 ? BASE_OK : BASE_FAILED) && (worst > tol) == (i >= 0),
                  "%s, mutation %d, '%s': worst %.3g, %s", m->name, i, now.says, worst,
                  base_message());
    CHECK_MESSAGE(i < 0 || strstr(base_message(), now.says) != NULL, "%s, '%s' reported as: %s",
                  m->name, now.says, base_message());
  }
}
