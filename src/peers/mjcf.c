/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes as MJCF, MuJoCo's format of models; see mjcf.h.
 */
#include "peers/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MuJoCo has no geom without a size. */
static const double POINT_RADIUS = 1e-10;

static FILE *xml;
static FILE *speeds; /* of the joints, in the order of the bodies */
static int *parent;  /* n_bodies: of the tree; -1: the world */
static int *link;    /* n_bodies: joint that leads there; -1: none, it is free */

/* ---- the tree ---- */

static int moves(const struct kit *k, int body) { return body >= 0 && k->body[body].column >= 0; }

static int is_of_tree(const struct kit_joint *j) { return j->kind <= KIT_PRISMATIC; }

/* Hang bodies on the joints that lead to what hangs; is any of them new? */
static int hang_more(const struct kit *k, char *hangs, char *used) {
  int found = 0;
  for (int i = 0; i < k->n_joints; ++i) {
    const struct kit_joint *j = &k->joint[i];
    for (int e = 0; e < 2 && is_of_tree(j) && !used[i]; ++e) {
      const int child = j->body[e], other = j->body[1 - e];
      if (moves(k, child) && !hangs[child] && (!moves(k, other) || hangs[other])) {
        parent[child] = moves(k, other) ? other : -1;
        link[child] = i;
        hangs[child] = used[i] = 1;
        found = 1;
      }
    }
  }
  return found;
}

static void make_tree(const struct kit *k) {
  char *hangs = calloc((size_t)k->n_bodies + 1, 1), *used = calloc((size_t)k->n_joints + 1, 1);
  parent = calloc((size_t)k->n_bodies + 1, sizeof *parent);
  link = calloc((size_t)k->n_bodies + 1, sizeof *link);
  for (int next = 0; next < k->n_bodies;) {
    if (hang_more(k, hangs, used)) {
      continue;
    }
    for (; next < k->n_bodies && (!moves(k, next) || hangs[next]); ++next) {
    }
    if (next < k->n_bodies) {
      parent[next] = link[next] = -1;
      hangs[next] = 1;
    }
  }
  for (int i = 0; i < k->n_joints; ++i) {
    if (is_of_tree(&k->joint[i]) && !used[i]) {
      kit_refuse("closes a loop, which joints of a tree do not", "joints[%d]", i);
    }
  }
  for (int i = 0; i < k->n_bodies; ++i) {
    if (moves(k, i) && link[i] >= 0 && !k->body[i].turns) {
      kit_refuse("a body on a joint turns", "bodies[%d].rotates", i);
    }
  }
  free(hangs);
  free(used);
}

/* ---- the model ---- */

static void write_vector(const char *key, int n, const double *x) {
  fprintf(xml, " %s=\"", key);
  for (int i = 0; i < n; ++i) {
    fprintf(xml, "%s%.17g", i > 0 ? " " : "", x[i]);
  }
  fprintf(xml, "\"");
}

static void write_geom(const struct kit *k, int i) {
  static const char *const types[] = {
      [KIT_POINT] = "sphere",    [KIT_SPHERE] = "sphere",     [KIT_BOX] = "box",
      [KIT_CAPSULE] = "capsule", [KIT_CYLINDER] = "cylinder", [KIT_HALFSPACE] = "plane"};
  const struct kit_shape *s = &k->shape[i];
  const double round[3] = {s->kind == KIT_POINT ? POINT_RADIUS : s->radius, s->half_length, 1};
  const double everywhere[3] = {0, 0, 1};
  double x[3], A[4];
  memcpy(x, s->x, sizeof x);
  memcpy(A, s->A, sizeof A);
  /* No pairs but those listed. */
  fprintf(xml, "<geom name=\"g%d\" type=\"%s\" contype=\"0\" conaffinity=\"0\"", i, types[s->kind]);
  write_vector("size", 3,
               s->kind == KIT_BOX         ? s->half
               : s->kind == KIT_HALFSPACE ? everywhere
                                          : round);
  if (s->kind == KIT_HALFSPACE) {
    for (int d = 0; d < 3; ++d) {
      x[d] = s->level * s->normal[d];
    }
    write_vector("zaxis", 3, s->normal);
  } else {
    if (!moves(k, s->body)) {
      kit_shape_place(s, x, A);
    }
    write_vector("quat", 4, A);
  }
  write_vector("pos", 3, x);
  fprintf(xml, "/>\n");
}

/* A point of the world in a body's frame; of the world as it is. */
static void localise(const struct kit *k, int body, const double point[3], double x[3]) {
  memcpy(x, point, 3 * sizeof *x);
  if (moves(k, body)) {
    const struct kit_state *s = &k->body[body].start;
    for (int d = 0; d < 3; ++d) {
      x[d] -= s->x[d];
    }
    kit_turn_back(s->A, x, x);
  }
}

/* Ends of tendons and geoms that a body, or the world (-1), has. */
static void write_parts(const struct kit *k, int body) {
  for (int i = 0; i < k->n_joints; ++i) {
    const struct kit_joint *j = &k->joint[i];
    for (int e = 0; e < 2 && !is_of_tree(j); ++e) {
      const int owner = moves(k, j->body[e]) ? j->body[e] : -1;
      if (owner == body) {
        double x[3];
        localise(k, owner, e == 0 ? j->point : j->end, x);
        fprintf(xml, "<site name=\"s%d_%d\"", i, e);
        write_vector("pos", 3, x);
        fprintf(xml, "/>\n");
      }
    }
  }
  for (int i = 0; i < k->n_shapes; ++i) {
    if ((moves(k, k->shape[i].body) ? k->shape[i].body : -1) == body) {
      write_geom(k, i);
    }
  }
}

static void write_speeds(int n, const double *v) {
  for (int i = 0; i < n; ++i) {
    fprintf(speeds, "%s%.17g", ftell(speeds) > 0 ? " " : "", v[i]);
  }
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int d = 0; d < 3; ++d) {
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Speeds of the joint that leads to a body: relative to the parent, at the joint. */
static void write_start(const struct kit *k, int body) {
  static const struct kit_state rest = {.x = {0}};
  const struct kit_state *s = &k->body[body].start;
  const struct kit_state *p = parent[body] >= 0 ? &k->body[parent[body]].start : &rest;
  double w[3], arm[3], v[3], carried[3];
  for (int d = 0; d < 3; ++d) {
    w[d] = s->w[d] - p->w[d];
    arm[d] = s->x[d] - p->x[d];
  }
  cross(p->w, arm, carried);
  for (int d = 0; d < 3; ++d) {
    v[d] = s->v[d] - p->v[d] - carried[d];
  }
  if (link[body] < 0) {
    write_speeds(3, s->v);
    if (k->body[body].turns) {
      kit_turn_back(s->A, s->w, w);
      write_speeds(3, w);
    }
    return;
  }
  const struct kit_joint *j = &k->joint[link[body]];
  if (j->kind == KIT_SPHERICAL) {
    kit_turn_back(s->A, w, w);
    write_speeds(3, w);
  } else if (j->kind != KIT_FIXED) {
    const double speed = dot(j->axis, j->kind == KIT_PRISMATIC ? v : w);
    write_speeds(1, &speed);
  }
}

static void write_link(const struct kit *k, int body) {
  const struct kit_state *s = &k->body[body].start;
  if (link[body] < 0 && k->body[body].turns) {
    fprintf(xml, "<freejoint name=\"j%d\"/>\n", body);
  } else if (link[body] < 0) {
    for (int d = 0; d < 3; ++d) {
      double axis[3] = {d == 0, d == 1, d == 2};
      kit_turn_back(s->A, axis, axis);
      fprintf(xml, "<joint name=\"j%d%s\" type=\"slide\"", body, &"__"[2 - d]);
      write_vector("axis", 3, axis);
      fprintf(xml, "/>\n");
    }
  } else if (k->joint[link[body]].kind != KIT_FIXED) {
    const struct kit_joint *j = &k->joint[link[body]];
    double x[3], axis[3];
    localise(k, body, j->point, x);
    kit_turn_back(s->A, j->axis, axis);
    fprintf(xml, "<joint name=\"j%d\" type=\"%s\"", body,
            j->kind == KIT_SPHERICAL   ? "ball"
            : j->kind == KIT_PRISMATIC ? "slide"
                                       : "hinge");
    write_vector("pos", 3, x);
    if (j->kind != KIT_SPHERICAL) {
      write_vector("axis", 3, axis);
    }
    fprintf(xml, "/>\n");
  }
}

static void write_body(const struct kit *k, int body) {
  static const double any[3] = {1, 1, 1};
  const struct kit_body *b = &k->body[body];
  const struct kit_state *s = &b->start;
  double x[3], A[4];
  localise(k, parent[body], s->x, x);
  memcpy(A, s->A, sizeof A);
  if (parent[body] >= 0) {
    const double *P = k->body[parent[body]].start.A;
    kit_product((const double[]){P[0], -P[1], -P[2], -P[3]}, s->A, A);
  }
  fprintf(xml, "<body name=\"b%d\"", body);
  write_vector("pos", 3, x);
  write_vector("quat", 4, A);
  fprintf(xml, ">\n<inertial pos=\"0 0 0\" mass=\"%.17g\"", b->mass);
  write_vector("diaginertia", 3, b->turns ? b->inertia : any);
  fprintf(xml, "/>\n");
  write_link(k, body);
  write_start(k, body);
  write_parts(k, body);
  for (int i = 0; i < k->n_bodies; ++i) {
    if (moves(k, i) && parent[i] == body) {
      write_body(k, i);
    }
  }
  fprintf(xml, "</body>\n");
}

static void write_pairs(const struct kit *k) {
  const double solref[2] = {kit_option("timeconst"), kit_option("dampratio")};
  const double solimp[5] = {kit_option("dmin"), kit_option("dmax"), kit_option("width"),
                            kit_option("midpoint"), kit_option("power")};
  for (int i = 0; i < k->n_shapes; ++i) {
    for (int j = i + 1; j < k->n_shapes; ++j) {
      if (kit_can_touch(i, j)) {
        const double mu = kit_law_of(i, j).mu, friction[5] = {mu, mu};
        fprintf(xml, "<pair geom1=\"g%d\" geom2=\"g%d\" condim=\"%d\"", i, j, mu > 0 ? 3 : 1);
        write_vector("friction", 5, friction);
        write_vector("solref", 2, solref);
        write_vector("solimp", 5, solimp);
        fprintf(xml, "/>\n");
      }
    }
  }
}

static void write_tendons(const struct kit *k, int are_rods) {
  for (int i = 0; i < k->n_joints; ++i) {
    const struct kit_joint *j = &k->joint[i];
    if (are_rods && j->kind == KIT_ROD) {
      fprintf(xml, "<tendon tendon1=\"t%d\"/>\n", i);
    } else if (!are_rods && !is_of_tree(j)) {
      fprintf(xml, "<spatial name=\"t%d\"", i);
      if (j->kind == KIT_SPRING) {
        fprintf(xml, " stiffness=\"%.17g\" damping=\"%.17g\" springlength=\"%.17g\"", j->stiffness,
                j->damping, j->length);
      } else if (j->kind == KIT_ROPE) {
        fprintf(xml, " limited=\"true\" range=\"0 %.17g\"", j->length);
      }
      fprintf(xml, "><site site=\"s%d_0\"/><site site=\"s%d_1\"/></spatial>\n", i, i);
    }
  }
}

char *mjcf_write(const struct kit *k) {
  char *text, *start;
  size_t size, start_size;
  make_tree(k);
  xml = open_memstream(&text, &size);
  speeds = open_memstream(&start, &start_size);
  fprintf(xml,
          "<mujoco><compiler angle=\"radian\"/>\n<option integrator=\"%s\" solver=\"%s\" "
          "cone=\"%s\" impratio=\"%.17g\" iterations=\"%d\" "
          "tolerance=\"%.17g\" noslip_iterations=\"%d\"",
          kit_choice("integrator"), kit_choice("algorithm"), kit_choice("cone"),
          kit_option("impratio"), (int)kit_option("iterations"), kit_option("tolerance"),
          (int)kit_option("noslip"));
  write_vector("gravity", 3, k->gravity);
  fprintf(xml, "/>\n<worldbody>\n");
  write_parts(k, -1);
  for (int i = 0; i < k->n_bodies; ++i) {
    if (moves(k, i) && parent[i] < 0) {
      write_body(k, i);
    }
  }
  fprintf(xml, "</worldbody>\n<contact>\n");
  write_pairs(k);
  fprintf(xml, "</contact>\n<tendon>\n");
  write_tendons(k, 0);
  fprintf(xml, "</tendon>\n<equality>\n");
  write_tendons(k, 1);
  fclose(speeds);
  fprintf(xml, "</equality>\n<keyframe><key qvel=\"%s\"/></keyframe></mujoco>\n", start);
  fclose(xml);
  free(start);
  kit_note("contacts are soft and convex");
  return text;
}

static const char *velocities(void) {
  return strcmp(kit_choice("integrator"), "RK4") == 0 ? "end" : "half-step";
}

int mjcf_main(int argc, char **argv, struct kit_engine engine) {
  engine.name = "MuJoCo";
  engine.shapes = "point|sphere|box|capsule|cylinder|halfspace";
  engine.joints = "spherical|revolute|fixed|prismatic|rod|rope|spring";
  engine.holds_turns = 1;
  engine.velocities = velocities;
  return kit_main(argc, argv, &engine);
}
