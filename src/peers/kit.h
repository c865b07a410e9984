/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the programs of engines share (README.md is their protocol): the question as plain structs,
 * refusals, the loop over the times and the answer. An engine is built once, stepped from one time
 * to the next, and asked for its bodies after each step:
 *
 *   int main(int argc, char **argv) { return kit_main(argc, argv, &engine); }
 *
 * Angular velocities are those about the axes of the world here; the kit turns them into the body's
 * frame, in which questions and answers have them. With the word `version` in place of a question
 * the program prints the engine's version.
 */
#ifndef PEERS_KIT_H
#define PEERS_KIT_H

#ifdef __cplusplus
extern "C" {
#endif

struct kit_state {
  double x[3], A[4]; /* centre of mass [m]; unit quaternion, scalar first, body to world [-] */
  double v[3], w[3]; /* both in the world [m/s, rad/s] */
};

enum kit_shape_kind {
  KIT_POINT,
  KIT_SPHERE,
  KIT_BOX,
  KIT_CAPSULE,
  KIT_CYLINDER,
  KIT_HALFSPACE /* of fixed bodies alone, in the world: normal . x = level */
};
struct kit_shape {
  enum kit_shape_kind kind;
  int body, index; /* which of its body */
  int material;
  double radius, half_length, half[3]; /* [m] */
  double x[3], A[4];                   /* in the body's frame */
  double normal[3], level;             /* [-, m] */
};

struct kit_body {
  const char *name;
  int column; /* of the states; -1: fixed */
  int turns;
  double mass, inertia[3]; /* [kg, kg m^2] */
  struct kit_state start;
};

enum kit_joint_kind {
  KIT_SPHERICAL,
  KIT_REVOLUTE,
  KIT_FIXED,
  KIT_PRISMATIC,
  KIT_ROD,
  KIT_ROPE,
  KIT_SPRING
};
struct kit_joint {
  enum kit_joint_kind kind;
  int body[2];                       /* the first moves; -1: the world */
  double point[3], end[3];           /* on the first and the second, in the world [m] */
  double axis[3];                    /* unit vector, in the world */
  double length, stiffness, damping; /* [m, N/m, N s/m] */
};

/* Constant: a force in the world at a point of the body, a torque in the body's frame. */
struct kit_force {
  int body;
  double force[3], torque[3], at[3]; /* [N, N m, m] */
};

struct kit_law {
  double mu, eps_N;
};

struct kit {
  int n_bodies, n_shapes, n_joints, n_forces;
  struct kit_body *body;
  struct kit_shape *shape;
  struct kit_joint *joint;
  struct kit_force *force;
  double gravity[3]; /* [m/s^2] */
  int n_times;
  double *time; /* ends of the steps, of which the first begins at 0 [s] */
};

struct kit_counts {
  int contacts, iterations; /* below 0: not told */
  double time;              /* [s]; below 0: that of the call */
};

struct kit_engine {
  const char *name, *version;
  const char *shapes, *joints;     /* what it has of the kinds above: "sphere|box" */
  int holds_turns;                 /* has bodies that do not turn */
  int rebounds;                    /* has Newton's law of restitution */
  int one_material;                /* shapes of a body that moves share theirs */
  const char *(*velocities)(void); /* "end" or "half-step", once built */
  void (*build)(const struct kit *k);
  void (*step)(const struct kit *k, double dt, struct kit_counts *counts);
  void (*get)(int body, struct kit_state *state); /* of a body that moves */
};

int kit_main(int argc, char **argv, const struct kit_engine *engine);

/* Answer that the scene cannot be expressed, for this reason, by its key (printf). */
__attribute__((noreturn, format(printf, 2, 3))) void kit_refuse(const char *reason, const char *key,
                                                                ...);
/* Where a rule of the engine's differs from the scene's: one sentence for the record. */
void kit_note(const char *note);

double kit_option(const char *key);
const char *kit_choice(const char *key);
const struct cJSON *kit_options(void); /* all of them */

/* May two shapes touch: are they of two bodies one of which can move, and not held together? */
int kit_can_touch(int first, int second);
struct kit_law kit_law_of(int first, int second);

/* Pose in the world of a shape of a fixed body that is no plane. */
void kit_shape_place(const struct kit_shape *shape, double x[3], double A[4]);

void kit_turn(const double A[4], const double x[3], double y[3]);      /* y = R(A) x */
void kit_turn_back(const double A[4], const double x[3], double y[3]); /* y = R(A)^T x */
void kit_product(const double A[4], const double B[4], double C[4]);   /* R(C) = R(A) R(B) */

#ifdef __cplusplus
}
#endif

#endif
