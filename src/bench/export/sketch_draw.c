/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes, joints and bodies drawn; see sketch_draw.h.
 */
#include "bench/export/sketch_draw.h"

#include <math.h>
#include <stdlib.h>

#include "mech/vector3.h"

enum {
  MARGIN = 22,
  /* of the box; the scale stands in the lower one */ ZIGZAGS = 8,
  MANY = 100 /* shapes */
};
static const double INNER = 0.9; /* part of a ball that hides others */

static struct sketch_point on_page(const struct sketch *s, struct sketch_point p) {
  const double x = p.x - 0.5 * (s->view.low[0] + s->view.top[0]),
               y = p.y - 0.5 * (s->view.low[1] + s->view.top[1]);
  return (struct sketch_point){0.5 * s->width + s->scale * x, 0.5 * s->height - s->scale * y};
}

struct sketch_point sketch_place(const struct sketch *s, const double x[3]) {
  return on_page(s, sketch_project(&s->view, x));
}

/* --- shapes --- */

static int compare_points(const void *a, const void *b) {
  const struct sketch_point *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Convex hull by Andrew's monotone chain; hull: 2 n. Points within a twentieth of a pixel of an
 * edge are left out. */
static int make_hull(int n, struct sketch_point *p, struct sketch_point *hull) {
  int k = 0;
  qsort(p, (size_t)n, sizeof *p, compare_points);
  for (int side = 0, first = 0; side < 2; ++side, first = k - 1) {
    for (int i = 0; i < n; ++i) {
      const struct sketch_point c = p[side == 0 ? i : n - 1 - i];
      while (k >= first + 2) {
        const struct sketch_point a = hull[k - 2], b = hull[k - 1];
        const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if (area > 0.05 * hypot(c.x - a.x, c.y - a.y)) {
          break;
        }
        --k;
      }
      hull[k++] = c;
    }
  }
  return k - 1;
}

/* --- balls that others hide --- */

struct depth {
  double z; /* towards the viewer [m] */
  int shape;
};

static int compare_depths(const void *a, const void *b) {
  const struct depth *p = a, *q = b;
  return p->z != q->z ? (p->z < q->z) - (p->z > q->z) : p->shape - q->shape;
}

/* Marks pixels within a radius of (x, y); tells whether the middle one was marked before. */
static int cover(const struct sketch *s, char *pixel, double x, double y, double r) {
  const int column = (int)x, row = (int)y;
  if (column < 0 || column >= s->width || row < 0 || row >= s->height ||
      pixel[row * s->width + column]) {
    return 1;
  }
  for (int j = (int)fmax(0, y - r); j < s->height && j <= y + r; ++j) {
    for (int i = (int)fmax(0, x - r); i < s->width && i <= x + r; ++i) {
      if ((i - x) * (i - x) + (j - y) * (j - y) <= r * r) {
        pixel[j * s->width + i] = 1;
      }
    }
  }
  return 0;
}

/* hidden: balls whose centre lies behind the inner part of a nearer one, where there are so many
 * that the picture would grow by them. Flags of the shapes. */
static void find_hidden(const struct sketch *s, int *hidden, struct base_arena *arena) {
  const int n = mech_assembly_shapes(s->view.a);
  struct depth *depth = base_arena_push(arena, (size_t)n * sizeof *depth);
  char *pixel = base_arena_push(arena, (size_t)s->width * (size_t)s->height);
  for (int i = 0; i < n; ++i) {
    depth[i].shape = i;
    depth[i].z = mech_dot3(mech_assembly_shape_pose(s->view.a, s->view.q, i).x, s->view.axis[2]);
  }
  qsort(depth, (size_t)n, sizeof *depth, compare_depths);
  for (int k = 0; k < n && n > MANY; ++k) {
    const int i = depth[k].shape;
    const struct mech_shape shape = mech_assembly_get_shape(s->view.a, i);
    if (shape.kind == MECH_SHAPE_SPHERE && sketch_is_there(&s->view, &shape)) {
      const struct sketch_point c =
          sketch_place(s, mech_assembly_shape_pose(s->view.a, s->view.q, i).x);
      hidden[i] = cover(s, pixel, c.x, c.y, fmax(1, INNER * s->scale * shape.radius));
    }
  }
}

static void draw_line(const struct sketch *s, const char *class, struct sketch_point a,
                      struct sketch_point b) {
  fprintf(s->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, a.x, a.y, b.x, b.y);
}

static void draw_shape(const struct sketch *s, int i) {
  const struct mech_shape shape = mech_assembly_get_shape(s->view.a, i);
  const struct mech_pose pose = mech_assembly_shape_pose(s->view.a, s->view.q, i);
  const char *class =
      shape.body >= 0 && mech_assembly_block(s->view.a, shape.body) >= 0 ? "b" : "w";
  if (shape.kind == MECH_SHAPE_SPHERE || shape.kind == MECH_SHAPE_POINT) {
    const struct sketch_point c = sketch_place(s, pose.x);
    if (shape.body >= 0 && mech_dot3(shape.offset, shape.offset) > 0) { /* what holds it */
      draw_line(s, class, sketch_place(s, mech_assembly_pose(s->view.a, s->view.q, shape.body).x),
                c);
    }
    const double r = shape.kind == MECH_SHAPE_POINT ? 2 : fmax(0.5, s->scale * shape.radius);
    fprintf(s->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", class, c.x, c.y,
            r);
    return;
  }
  double corner[SKETCH_CORNERS][3] = {{0}};
  struct sketch_point point[SKETCH_CORNERS], hull[2 * SKETCH_CORNERS + 2];
  const int n = sketch_corners(&s->view, &shape, &pose, corner);
  for (int k = 0; k < n; ++k) {
    point[k] = sketch_place(s, corner[k]);
  }
  const int edges = make_hull(n, point, hull);
  fprintf(s->out, "<path class=\"%s\" d=\"M", class);
  for (int k = 0; k < edges; ++k) {
    fprintf(s->out, "%s%.1f %.1f", k > 0 ? "L" : "", hull[k].x, hull[k].y);
  }
  fprintf(s->out, "z\"/>\n");
}

/* Surface of a half-space through the box of the picture, the half below it hatched. */
static void draw_halfspace(const struct sketch *s, int i) {
  const struct mech_pose pose = mech_assembly_shape_pose(s->view.a, s->view.q, i);
  const double normal[3] = {pose.R[2], pose.R[5], pose.R[8]};
  if (!sketch_is_edge(&s->view, normal)) {
    return;
  }
  const struct sketch_point n = sketch_project(&s->view, normal), c = sketch_place(s, pose.x);
  const double norm = hypot(n.x, n.y), tx = n.y / norm, ty = n.x / norm; /* along it, y down */
  const double ix = -n.x / norm, iy = n.y / norm;                        /* into it */
  const double x = 0.5 * s->width - c.x, y = 0.5 * s->height - c.y, along = x * tx + y * ty;
  const double r = s->width + s->height, px = c.x + along * tx, py = c.y + along * ty;
  fprintf(s->out, "<path class=\"h\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fz\"/>\n",
          px - r * tx, py - r * ty, px + r * tx, py + r * ty, px + r * tx + r * ix,
          py + r * ty + r * iy, px - r * tx + r * ix, py - r * ty + r * iy);
  fprintf(s->out, "<path class=\"g\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", px - r * tx, py - r * ty,
          px + r * tx, py + r * ty);
}

/* --- joints, bodies --- */

static void draw_spring(const struct sketch *s, struct sketch_point a, struct sketch_point b) {
  const double length = hypot(b.x - a.x, b.y - a.y), across = fmin(4, 0.2 * length);
  fprintf(s->out, "<path class=\"l\" d=\"M%.1f %.1f", a.x, a.y);
  for (int i = 0; i < ZIGZAGS && length > 0; ++i) {
    const double part = (i + 0.5) / ZIGZAGS, off = (i % 2 == 0 ? across : -across) / length;
    fprintf(s->out, "L%.1f %.1f", a.x + part * (b.x - a.x) - off * (b.y - a.y),
            a.y + part * (b.y - a.y) + off * (b.x - a.x));
  }
  fprintf(s->out, "L%.1f %.1f\"/>\n", b.x, b.y);
}

static void draw_joint(const struct sketch *s, int i) {
  struct mech_joint_frame frame;
  const struct mech_joint *j = mech_assembly_get_joint(s->view.a, i, &frame);
  double x[2][3];
  sketch_joint_point(&s->view, j, &frame, 0, x[0]);
  sketch_joint_point(&s->view, j, &frame, 1, x[1]);
  const struct sketch_point a = sketch_place(s, x[0]), b = sketch_place(s, x[1]);
  if (j->kind == MECH_JOINT_SPRING) {
    draw_spring(s, a, b);
  } else if (j->kind == MECH_JOINT_ROD || j->kind == MECH_JOINT_ROPE) {
    draw_line(s, j->kind == MECH_JOINT_ROD ? "l" : "r", a, b);
  } else {
    for (int side = 0; side < 2; ++side) {
      if (j->body[side] >= 0) {
        draw_line(s, "l",
                  sketch_place(s, mech_assembly_pose(s->view.a, s->view.q, j->body[side]).x), a);
      }
    }
    fprintf(s->out, "<circle class=\"j\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", a.x, a.y);
  }
}

/* A dot for each body without a shape. */
static void draw_dots(const struct sketch *s, struct base_arena *arena) {
  int *shapes = base_arena_ints(arena, mech_assembly_bodies(s->view.a));
  for (int i = 0; i < mech_assembly_shapes(s->view.a); ++i) {
    const int body = mech_assembly_get_shape(s->view.a, i).body;
    if (body >= 0) {
      ++shapes[body];
    }
  }
  for (int i = 0; i < mech_assembly_bodies(s->view.a); ++i) {
    if (shapes[i] == 0 && mech_assembly_block(s->view.a, i) >= 0) {
      const struct sketch_point c = sketch_place(s, mech_assembly_pose(s->view.a, s->view.q, i).x);
      fprintf(s->out, "<circle class=\"b\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", c.x, c.y);
    }
  }
}

/* --- the picture --- */

void sketch_fit(struct sketch *s) {
  double size[2];
  for (int i = 0; i < 2; ++i) {
    size[i] = s->view.top[i] - s->view.low[i];
  }
  if (!(fmax(size[0], size[1]) > 0)) { /* a point */
    size[0] = size[1] = s->view.m->length;
  }
  s->scale = fmin((s->width - 2 * MARGIN) / fmax(size[0], 1e-30),
                  (s->height - 2 * MARGIN) / fmax(size[1], 1e-30));
}

void sketch_draw_bodies(const struct sketch *s, struct base_arena *arena) {
  int *hidden = base_arena_ints(arena, mech_assembly_shapes(s->view.a));
  find_hidden(s, hidden, arena);
  for (int i = 0; i < mech_assembly_shapes(s->view.a); ++i) {
    if (mech_assembly_get_shape(s->view.a, i).kind == MECH_SHAPE_HALFSPACE) {
      draw_halfspace(s, i);
    }
  }
  for (int i = 0; i < mech_assembly_joints(s->view.a); ++i) {
    draw_joint(s, i);
  }
  for (int i = 0; i < mech_assembly_shapes(s->view.a); ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(s->view.a, i);
    if (shape.kind != MECH_SHAPE_HALFSPACE && !hidden[i] && sketch_is_there(&s->view, &shape)) {
      draw_shape(s, i);
    }
  }
  draw_dots(s, arena);
}

double sketch_round(double most) {
  const double power = pow(10, floor(log10(most)));
  return (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power;
}

double sketch_draw_bar(FILE *out, const char *class, double x, int y, double length, double value,
                       const char *unit) {
  const double end = x + length;
  fprintf(out, "<path class=\"%s\" d=\"M%g %dV%dH%.1fV%d\"/>\n", class, x, y - 3, y, end, y - 3);
  fprintf(out, "<text x=\"%.1f\" y=\"%d\">%g %s</text>\n", end + 4, y + 1, value, unit);
  return end;
}

static const char head[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
    "role=\"img\">\n<title>%s</title>\n"
    "<style>path,circle{fill:none;stroke:#4a86c5;stroke-linejoin:round}"
    ".b{fill:#4a86c5;fill-opacity:.3}.w{fill:#8a8a8a;fill-opacity:.3;stroke:#8a8a8a}"
    ".h{fill:url(#d);stroke:none}.g,.s{stroke:#8a8a8a}.g{stroke-width:1.5}"
    ".l{stroke-width:2}.r{stroke-dasharray:4 3}.j{fill:#8a8a8a;stroke:#8a8a8a;stroke-width:1.5}"
    ".v{stroke:#d9662b;stroke-width:1.8}text{font:11px sans-serif;fill:#8a8a8a}</style>\n"
    "<defs><pattern id=\"d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><path style=\"stroke:#8a8a8a;stroke-opacity:.6\" "
    "d=\"M0 0V6\"/></pattern></defs>\n";

void sketch_put_head(FILE *out, int width, int height, const char *title) {
  fprintf(out, head, width, height, width, height, title);
}
