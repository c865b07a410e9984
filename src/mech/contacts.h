/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts of a system in one configuration. A contact is its id, its gap, its law (mu, eps_N,
 * eps_T, perhaps a friction set), two bodies (blocks of u) and a geometry, which determines W:
 *
 *   rigid bodies in space (mech_body_ops.rigid)
 *     a frame n, t1, t2 = n x t1 in the world and the lever arms a from the centres of the bodies
 *     to the contact; for d = n, t1, t2 and the rotation R of the body, W_d = +-(d, R^T (a x d)),
 *     plus for the second body
 *   other systems
 *     W itself, block by block
 *
 * All formulations share this list. A visitor sees one contact after the other without a list.
 *
 * The two products that every formulation needs, v = W^T u and f = W r (moeller 3.5), cost O(n).
 */
#ifndef MECH_CONTACTS_H
#define MECH_CONTACTS_H

#include "base/memory/arena.h"
#include "contact/set.h"
#include "mech/vector3.h"

struct mech;
struct mech_contacts;

/* The smooth piece of the distance of two bodies on which a contact lies. Curvature, and with it
 * the bias, jumps between pieces. All zero in systems without pieces. */
struct mech_contact_piece {
  int number;
  double inside; /* distance of the contact from the next piece [m] */
};

/* Visits contact i of c, which is valid during the call. */
typedef void mech_contact_visitor(void *data, const struct mech_contacts *c, int i);

/* Arrays of n contacts; they grow in an arena of their own. */
struct mech_contacts {
  int n, capacity;
  int dim, nv, nb; /* components of a contact; velocities of a body, bodies */
  int rigid, located, friction_sets, with_bias;
  int own_points; /* of systems that are `located`: a contact acts on each body at its own surface,
                     else on both at the middle of the gap; set by the owner of the list */
  long *id;   /* n, persists from step to step, unique within a list, ascending, >= 0 and below 2^53
                 (records hold it as a number) */
  double *gN; /* n, gap [m] */
  double *mu; /* n [-] */
  double *eps_N, *eps_T;   /* n, restitution [-] */
  struct contact_set *set; /* n, friction sets at unit normal impulse, of dimension dim - 1; NULL
                              unless the system declares them: disks of radius mu */
  int *body;               /* 2 x n, block of u; -1: the world */
  /* Places of contacts, in systems that declare `located`; else NULL. */
  double *frame; /* 6 x n: n (from the first body to the second), t1, in the world [-] */
  double *arm;   /* 6 x n: from the centre of the first and of the second body to the contact, in
                    the world; for immovable bodies from the origin [m] */
  /* W of rigid bodies: rotations of the bodies, 9 x nb, body to world, row-major, zero where a body
   * does not turn [-]; NULL before contacts were found, and in other systems. */
  double *turn;
  double *W;    /* of other systems: 2 x n blocks nv x dim, v = W^T u (normal first); else NULL */
  double *bias; /* dim x n: d(W^T)/dt u [m/s^2]; NULL unless found with a u */
  struct mech_contact_piece *piece; /* n; as bias */
  mech_contact_visitor *visit;      /* set while contacts are visited */
  void *visitor;
  int n_only;               /* number of requested ids, while named contacts are found; */
  const long *only;         /* n_only, these ids, ascending; else NULL */
  struct base_arena *arena; /* given; scratch while contacts are found */
  struct base_arena *store; /* a child of it, which holds the arrays */
  /* Where several threads find contacts (base_threads): the lists of all but the first. */
  int n_others;
  struct mech_contacts *others;
};

/* An empty list, in the arena. Releasing memory below the list invalidates it; call this again
 * then. */
void mech_contacts_init(struct mech_contacts *c, const struct mech *m, struct base_arena *arena);

/* Find the contacts of m at q with a gap of at most reach [m] (infinity: all potential ones). They
 * replace the contents of the list. u: nu, for their bias too; else NULL. */
void mech_contacts_find(const struct mech *m, const double *q, const double *u, double reach,
                        struct mech_contacts *c);
/* The same without a list: each contact is visited and not stored, with its id, gap, law and
 * bodies, but without its place and W. c: memory of one contact, from mech_contacts_init. */
void mech_contacts_visit(const struct mech *m, const double *q, double reach,
                         mech_contact_visitor *visit, void *data, struct mech_contacts *c);
/* Both for n contacts named by their ids, ascending, at any gap. Contacts that no longer exist are
 * left out, and other contacts may be included. */
void mech_contacts_find_named(const struct mech *m, const double *q, int n, const long *id,
                              struct mech_contacts *c);
void mech_contacts_visit_named(const struct mech *m, const double *q, int n, const long *id,
                               mech_contact_visitor *visit, void *data, struct mech_contacts *c);
/* Largest |eps_N|, and |eps_T| with mu > 0, of all potential contacts; q: the start. */
void mech_contacts_restitution(const struct mech *m, const double *q, struct base_arena *arena,
                               double *eps_N, double *eps_T);
void mech_contacts_clear(struct mech_contacts *c); /* n = 0, memory stays */
/* The n contacts of c that index names, n of them in ascending order, in the arena. */
void mech_contacts_part(const struct mech_contacts *c, int n, const int *index,
                        struct base_arena *arena, struct mech_contacts *part);

/* --- for systems, which fill lists --- */

/* Append a contact, all zero, between the world and the world; returns its index. Pointers into the
 * arrays become invalid. During a visit the contacts before it are visited and removed. */
int mech_contacts_push(struct mech_contacts *c);
/* The same for n contacts, of which the caller must write id, gap, law, bodies and geometry; not
 * during a visit. Returns the index of the first. */
int mech_contacts_extend(struct mech_contacts *c, int n);
/* A capacity hint for a list that is empty. */
void mech_contacts_reserve(struct mech_contacts *c, int n);
/* Append the contacts of n other lists to c, in their order. No list may be visited or have
 * bias. */
void mech_contacts_join(struct mech_contacts *c, int n, const struct mech_contacts *others);
/* W of contact i on its body k (0, 1), nv x dim, to be written to; not of rigid bodies. */
static inline double *mech_contacts_block(const struct mech_contacts *c, int i, int k) {
  return c->W + (2 * (size_t)i + (size_t)k) * (size_t)c->nv * (size_t)c->dim;
}

/* --- for all others --- */

/* W of contact i on its body k: nv x dim; zero for the world. */
void mech_contacts_directions(const struct mech_contacts *c, int i, int k, double *W);
/* W of contact i, added to dim columns of nu = nb nv rows. */
void mech_contacts_add_columns(const struct mech_contacts *c, int i, double *W);
/* n, t1, t2 of a contact of a system that is located [-]. */
static inline void mech_contacts_frame(const struct mech_contacts *c, int i, double frame[9]) {
  const double *n = c->frame + 6 * (size_t)i;
  for (int j = 0; j < 6; ++j) {
    frame[j] = n[j];
  }
  mech_cross3(n, n + 3, frame + 6);
}
/* v = W^T u for every contact; v: dim n. */
void mech_contacts_velocity(const struct mech_contacts *c, const double *u, double *v);
/* f += W r; f: nu, r: dim n. */
void mech_contacts_force(const struct mech_contacts *c, const double *r, double *f);

/* The same for contact i alone, for loops with other work per contact; v, r: dim. Those of rigid
 * bodies are inline. */
void mech_contacts_block_velocity(const struct mech_contacts *c, int i, const double *u, double *v);
void mech_contacts_block_force(const struct mech_contacts *c, int i, const double *r, double *f);

/* x += sign (V + Omega x a) on body k. */
static inline void mech_contacts_add_motion(const struct mech_contacts *c, size_t i, size_t k,
                                            double sign, const double *u, double x[3]) {
  const int body = c->body[2 * i + k];
  if (body < 0) {
    return;
  }
  const double *V = u + 6 * (size_t)body, *a = c->arm + 6 * i + 3 * k;
  double Omega[3];
  mech_turn3(c->turn + 9 * (size_t)body, V + 3, Omega);
  x[0] += sign * (V[0] + Omega[1] * a[2] - Omega[2] * a[1]);
  x[1] += sign * (V[1] + Omega[2] * a[0] - Omega[0] * a[2]);
  x[2] += sign * (V[2] + Omega[0] * a[1] - Omega[1] * a[0]);
}

static inline void mech_contacts_velocity_of(const struct mech_contacts *c, int i, const double *u,
                                             double *v) {
  if (!c->rigid) {
    mech_contacts_block_velocity(c, i, u, v);
    return;
  }
  double frame[9], apart[3] = {0};
  mech_contacts_frame(c, i, frame);
  mech_contacts_add_motion(c, (size_t)i, 0, -1, u, apart);
  mech_contacts_add_motion(c, (size_t)i, 1, 1, u, apart);
  for (int d = 0; d < 3; ++d) {
    v[d] = mech_dot3(frame + 3 * d, apart);
  }
}

static inline void mech_contacts_force_of(const struct mech_contacts *c, int i, const double *r,
                                          double *f) {
  if (!c->rigid) {
    mech_contacts_block_force(c, i, r, f);
    return;
  }
  double frame[9], P[3];
  mech_contacts_frame(c, i, frame);
  for (int j = 0; j < 3; ++j) {
    P[j] = frame[j] * r[0] + frame[3 + j] * r[1] + frame[6 + j] * r[2];
  }
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * (size_t)i + (size_t)k];
    if (body >= 0) {
      const double sign = k == 0 ? -1 : 1;
      double moment[3], own[3], *fb = f + 6 * (size_t)body;
      mech_cross3(c->arm + 6 * (size_t)i + 3 * (size_t)k, P, moment);
      mech_back3(c->turn + 9 * (size_t)body, moment, own);
      mech_add3(sign, P, fb);
      mech_add3(sign, own, fb + 3);
    }
  }
}

#endif
