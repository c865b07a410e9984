/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fast granular flow through a channel past an obstacle (preclik 4.3): spheres on a lattice fill
 * the channel and move along x; a plane pushes from the inflow side; at the other end they leave.
 *
 *   channel    [0, 15 cm] x [0, 6.5 cm] x [0, 2 cm], walls in y and z
 *   obstacle   half cylinder of radius 1 cm about (4, 4) cm, and the box [4, 5] x [3, 5] cm behind
 *   lattice    1 mm; velocity (1, y, z) m/s, y and z uniform in -0.5 ... 0.5
 *   inflow     the plane moves at 1 m/s; after 2 R it goes back by that way and a layer of the
 *              lattice's cross section is put in front of it
 *   outflow    centres beyond the end are taken out
 *
 * Lengths of the channel are multiplied by `scale`, particles are not. The source calls 0.47 mm the
 * diameter, but its other figures hold for the radius alone: a solid fraction of 57.2 % for 246 992
 * particles (of the channel less the obstacle), 39.06 um for 8.31 % of the radius, and 1.4e6
 * particles a second = 65 x 20 in a layer every 2 R. So R = 0.47 mm here.
 *
 * Half-spaces cannot move in an assembly; the plane is the front of a box, narrower than the
 * channel by less than a particle, which does not turn, carries its own weight (an applied force)
 * and has PLANE_MASS times the mass of all particles: the push of the flow changes its velocity by
 * less than 1e-6 of itself until it is set anew. Its kinetic energy is most of what the record's
 * energy block holds, so the budget is good to about PLANE_MASS rounding errors of the particles'
 * energy.
 *
 * Particles that are not in the channel are inactive bodies; the one that waited longest enters
 * first, so that no contact is mistaken for one of the step before. The velocities of particle
 * number k since the start are a hash of (seed, k): nothing else has to be remembered.
 */
#include "cases/channel-flow/channel-flow.h"
#include "cases/body_kit.h"

#include "base/bytes/blob.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* Mass of the box over that of all particles at once. */
static const double PLANE_MASS = 1e6;
/* Capacity for particles up to this fraction of the channel: beyond random close packing (0.64). */
static const double FULLEST = 0.70;
/* Lattice cells are counted with this much of a cell for rounding. */
static const double WHOLE = 1e-9;
/* The box ends this part of R beside the walls. */
static const double CLEARANCE = 0.25;

/* Of the source [m]. */
static const double LENGTH = 0.15, WIDTH = 0.065, HEIGHT = 0.02;
static const double POST[2] = {0.04, 0.04}, POST_RADIUS = 0.01;
static const double EXIT[2] = {0.12, 0.14};

static const char *const q_names[] = {"centre.x", "centre.y", "centre.z", "particles"};
static const char *const u_names[] = {"centre.vx", "centre.vy", "centre.vz", "fastest"};
enum { CHANNEL_Q = 4, CHANNEL_U = 4 };

static void channel_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                            double *u_out) {
  const struct mech_assembly *a = mech_assembly_of(m);
  int n = 0;
  memset(q_out, 0, CHANNEL_Q * sizeof *q_out);
  memset(u_out, 0, CHANNEL_U * sizeof *u_out);
  for (int b = CHANNEL_FIRST; b < m->nb; ++b) {
    const double *x = q + 7L * b, *v = u + (long)m->nv * b;
    if (!mech_assembly_active(a, b)) {
      continue;
    }
    ++n;
    for (int i = 0; i < 3; ++i) {
      q_out[i] += x[i];
      u_out[i] += v[i];
    }
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    u_out[3] = v2 > u_out[3] ? v2 : u_out[3];
  }
  u_out[3] = sqrt(u_out[3]);
  for (int i = 0; i < 3 && n > 0; ++i) {
    q_out[i] /= n;
    u_out[i] /= n;
  }
  q_out[3] = n;
}

/* Uniform in [0, 1): splitmix64 of (seed, number). */
static double uniform(unsigned long seed, unsigned long number) {
  unsigned long long z = (unsigned long long)seed * 0x9e3779b97f4a7c15ULL +
                         ((unsigned long long)number + 1) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-53;
}

/* Velocity of particle number k since the start. */
static void enter_velocity(const struct channel *c, unsigned long k, double v[3]) {
  v[0] = c->v_in;
  for (int i = 1; i < 3; ++i) {
    v[i] = c->v_side * (2 * uniform(c->seed, 2 * k + (unsigned long)i) - 1);
  }
}

/* --- bodies that come and go --- */

static double energy_of(const struct channel *c, int body, const double *q, const double *u) {
  const double *v = u + 6L * body, z = q[7L * body + 2];
  const double m = body == CHANNEL_PLANE ? c->plane_mass : c->mass;
  const double I = body == CHANNEL_PLANE ? 0 : c->moment;
  return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
         0.5 * I * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) + m * c->g * z;
}

static void set_aside(struct channel *c, int body, double *q, double *u) {
  double *x = q + 7L * body;
  x[0] = -c->length, x[1] = x[2] = 0;
  x[3] = 1, x[4] = x[5] = x[6] = 0;
  memset(u + 6L * body, 0, 6 * sizeof *u);
  mech_assembly_activate(c->assembly, body, 0);
  c->waiting[(c->first + c->n_waiting++) % c->n_bodies] = body;
}

/* The one that waited longest, or -1. */
static int take_waiting(struct channel *c) {
  if (c->n_waiting == 0) {
    return -1;
  }
  const int body = c->waiting[c->first];
  c->first = (c->first + 1) % c->n_bodies;
  --c->n_waiting;
  return body;
}

static double enter_layer(struct channel *c, double x, double *q, double *u) {
  double work = 0;
  for (int i = 0; i < c->ny * c->nz; ++i) {
    const int body = take_waiting(c);
    if (body < 0) {
      ++c->refused;
      continue;
    }
    double *at = q + 7L * body;
    at[0] = x;
    at[1] = (i % c->ny + 0.5) * c->spacing;
    const int layer = i / c->ny;
    at[2] = (layer + 0.5) * c->spacing;
    enter_velocity(c, (unsigned long)(c->n_bodies + c->born), u + 6L * body);
    mech_assembly_activate(c->assembly, body, 1);
    ++c->born;
    work += energy_of(c, body, q, u);
  }
  return work;
}

/* Assemblies keep their operations to themselves; ours are theirs and one more. */
struct channel_ops {
  struct mech_ops ops;
  struct channel *channel;
};

static struct channel *channel_of(const struct mech *m) {
  return ((const struct channel_ops *)m->ops)->channel;
}

static int channel_inflow_outflow(const struct mech *m, double t, double *q, double *u,
                                  double *work) {
  struct channel *c = channel_of(m);
  const long left = c->left;
  (void)t;
  *work = 0;
  for (int b = CHANNEL_FIRST; b < c->n_bodies; ++b) {
    if (mech_assembly_active(c->assembly, b) && q[7L * b] > c->length) {
      *work -= energy_of(c, b, q, u);
      set_aside(c, b, q, u);
      ++c->left;
    }
  }
  double *x = q + 7L * CHANNEL_PLANE;
  const double front = x[0] + c->depth;
  const int is_due = front >= 2 * c->R;
  if (is_due) {
    *work -= energy_of(c, CHANNEL_PLANE, q, u);
    x[0] -= 2 * c->R;
    x[1] = 0.5 * c->width, x[2] = 0;
    memset(u + 6L * CHANNEL_PLANE, 0, 6 * sizeof *u);
    u[6L * CHANNEL_PLANE] = c->v_in;
    *work += energy_of(c, CHANNEL_PLANE, q, u);
    *work += enter_layer(c, front - c->R, q, u);
  }
  return is_due || c->left > left;
}

static void channel_checkpoint(const struct mech *m, struct base_blob *blob) {
  struct channel *c = channel_of(m);
  for (int b = 0; b < c->n_bodies; ++b) {
    base_blob_int(blob, &c->waiting[b], 0, c->n_bodies - 1);
  }
  base_blob_int(blob, &c->first, 0, c->n_bodies - 1);
  base_blob_int(blob, &c->n_waiting, 0, c->n_bodies);
  base_blob_pass(blob, &c->born, sizeof c->born);
  base_blob_pass(blob, &c->left, sizeof c->left);
  base_blob_pass(blob, &c->refused, sizeof c->refused);
  for (int b = 0; b < c->n_bodies; ++b) {
    int active = mech_assembly_active(c->assembly, b);
    base_blob_pass(blob, &active, sizeof active);
    if (blob->reading) {
      mech_assembly_activate(c->assembly, b, active);
    }
  }
}

/* --- the model --- */

/* Four walls, z axes inwards, and the obstacle, higher than the channel at both ends: particles
 * meet its sides only. */
static int add_channel(const struct channel *c, struct mech_assembly *a, int material) {
  const double h = M_SQRT1_2, r = c->post_radius;
  const double at[4][3] = {{0, 0, 0}, {0, 0, c->height}, {0, 0, 0}, {0, c->width, 0}};
  const double turn[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {h, -h, 0, 0}, {h, h, 0, 0}};
  const struct mech_shape post = {.kind = MECH_SHAPE_CYLINDER,
                                  .body = -1,
                                  .material = material,
                                  .offset = {c->post[0], c->post[1], 0.5 * c->height},
                                  .radius = r,
                                  .half_length = c->height};
  const struct mech_shape back = {.kind = MECH_SHAPE_BOX,
                                  .body = -1,
                                  .material = material,
                                  .offset = {c->post[0] + 0.5 * r, c->post[1], 0.5 * c->height},
                                  .half = {0.5 * r, r, c->height}};
  int status = 0;
  for (int k = 0; k < 4 && status >= 0; ++k) {
    status = body_wall(a, material, at[k], turn[k]);
  }
  status = status >= 0 ? mech_assembly_shape(a, &post) : status;
  return status >= 0 ? mech_assembly_shape(a, &back) : status;
}

static int add_plane(const struct channel *c, struct mech_assembly *a, int material) {
  const double clear = CLEARANCE * c->R;
  const int body =
      mech_assembly_body(a, &(struct mech_body){.name = "plane",
                                                .mass = c->plane_mass,
                                                .no_rotation = 1,
                                                .position = {-c->depth, 0.5 * c->width, 0},
                                                .velocity = {c->v_in, 0, 0}});
  int status =
      body < 0
          ? body
          : mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_BOX,
                                                        .body = body,
                                                        .material = material,
                                                        .offset = {0, 0, 0.5 * c->height},
                                                        .half = {c->depth, 0.5 * c->width - clear,
                                                                 0.5 * c->height - clear}});
  return status < 0
             ? status
             : mech_assembly_load(
                   a, &(struct mech_load){.body = body, .force = {0, 0, c->plane_mass * c->g}});
}

/* Does a particle at (x, y) meet the obstacle? */
static int meets_post(const struct channel *c, double x, double y) {
  const double dx = x - c->post[0], dy = y - c->post[1];
  const double ox = fmax(0, dx - c->post_radius), oy = fmax(0, fabs(dy) - c->post_radius);
  return dx < 0 ? hypot(dx, dy) < c->post_radius + c->R : hypot(ox, oy) < c->R;
}

static int add_particle(const struct channel *c, struct mech_assembly *a, int material,
                        const double x[3], unsigned long k) {
  struct mech_body body = {.name = "", .mass = c->mass};
  struct mech_shape shape = {.kind = MECH_SHAPE_SPHERE, .material = material, .radius = c->R};
  memcpy(body.position, x, sizeof body.position);
  enter_velocity(c, k, body.velocity);
  for (int i = 0; i < 3; ++i) {
    body.inertia[i] = c->moment;
  }
  shape.body = mech_assembly_body(a, &body);
  return shape.body >= 0 ? mech_assembly_shape(a, &shape) : shape.body;
}

/* The lattice, then those that wait; *n: particles of the lattice. */
static int add_particles(const struct channel *c, struct mech_assembly *a, int material, int *n) {
  const double aside[3] = {-c->length, 0, 0};
  int status = 0;
  *n = 0;
  for (long i = 0; i < (long)c->nx * c->ny * c->nz && status >= 0; ++i) {
    const long place[3] = {i / ((long)c->ny * c->nz), i % c->ny, i / c->ny % c->nz};
    double x[3];
    for (int k = 0; k < 3; ++k) {
      x[k] = ((double)place[k] + 0.5) * c->spacing;
    }
    if (!meets_post(c, x[0], x[1])) {
      status = add_particle(c, a, material, x, (unsigned long)*n);
      ++*n;
    }
  }
  for (int b = CHANNEL_FIRST + *n; b < c->n_bodies && status >= 0; ++b) {
    status = add_particle(c, a, material, aside, 0);
  }
  return status;
}

static int set_up(struct channel *c, const struct case_parameters *p) {
  const double scale = case_real(p, "scale"), density = case_real(p, "density");
  c->R = case_real(p, "R");
  c->spacing = case_real(p, "spacing");
  c->g = case_real(p, "g");
  c->v_in = case_real(p, "v");
  c->v_side = case_real(p, "v_side");
  c->seed = (unsigned long)case_real(p, "seed");
  c->length = scale * LENGTH, c->width = scale * WIDTH, c->height = scale * HEIGHT;
  c->post_radius = scale * POST_RADIUS;
  for (int i = 0; i < 2; ++i) {
    c->post[i] = scale * POST[i];
    c->exit[i] = scale * EXIT[i];
  }
  c->nx = (int)floor(c->length / c->spacing + WHOLE);
  c->ny = (int)floor(c->width / c->spacing + WHOLE);
  c->nz = (int)floor(c->height / c->spacing + WHOLE);
  if (c->spacing < 2 * c->R || c->nx < 1 || c->ny < 1 || c->nz < 1) {
    return base_fail(BASE_E_INPUT,
                     "channel-flow: %d x %d x %d particles of radius %g m, %g m apart, do not fit",
                     c->nx, c->ny, c->nz, c->R, c->spacing);
  }
  const double post = (0.5 * M_PI + 2) * c->post_radius * c->post_radius;
  c->volume = (c->length * c->width - post) * c->height;
  c->mass = density * channel_particle_volume(c);
  c->moment = 0.4 * c->mass * c->R * c->R;
  c->depth = 4 * c->R;
  c->n_bodies = CHANNEL_FIRST + 2 * c->ny * c->nz +
                (int)fmin(FULLEST * c->volume / channel_particle_volume(c), 1e7);
  c->plane_mass = PLANE_MASS * c->n_bodies * c->mass;
  return BASE_OK;
}

static int channel_build(const struct case_parameters *p, struct base_arena *arena,
                         struct case_instance *out) {
  struct channel *c = base_arena_push(arena, sizeof *c);
  int status = set_up(c, p), n = 0;
  if (status != BASE_OK) {
    return status;
  }
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "channel-flow", arena);
  c->assembly = a;
  mech_assembly_gravity(a, (double[]){0, 0, -c->g});
  mech_assembly_scales(a, c->length, c->v_in);
  mech_assembly_publish(a, &(struct mech_published){.nq = CHANNEL_Q,
                                                    .nu = CHANNEL_U,
                                                    .q_names = q_names,
                                                    .u_names = u_names,
                                                    .observe = channel_observe});
  const int grain = mech_assembly_material(
      a, &(struct mech_material){
             .name = "grain", .mu = case_real(p, "mu"), .eps_N = case_real(p, "eps_N")});
  status = grain < 0 ? grain : add_channel(c, a, grain);
  status = status < 0 ? status : add_plane(c, a, grain);
  status = status < 0 ? status : add_particles(c, a, grain, &n);
  status = body_finish(a, status, out, "channel-flow");
  if (status != BASE_OK) {
    return status;
  }
  struct channel_ops *ops = base_arena_push(arena, sizeof *ops);
  *ops = (struct channel_ops){.ops = *out->mech->ops, .channel = c};
  ops->ops.open.inflow_outflow = channel_inflow_outflow;
  ops->ops.checkpoint = channel_checkpoint;
  out->mech->ops = &ops->ops;
  c->waiting = base_arena_ints(arena, c->n_bodies);
  for (int b = CHANNEL_FIRST + n; b < c->n_bodies; ++b) {
    set_aside(c, b, out->q, out->u);
  }
  out->observer = channel_observer(c, out->mech, case_real(p, "frame"), case_real(p, "settle"),
                                   case_real(p, "block"), arena);
  return out->observer != NULL ? BASE_OK : BASE_E_INPUT;
}

const struct case_type case_channel_flow = {
    .name = "channel-flow",
    .summary = "spheres pushed through a channel past an obstacle, with inflow and open end",
    .source = "preclik 4.3",
    .build = channel_build};
