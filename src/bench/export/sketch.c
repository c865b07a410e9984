/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sketches of scenes; see sketch.h, sketch_draw.h for how they are drawn, and sketch_view.h for
 * what is seen from where.
 */
#include "bench/export/sketch.h"

#include <math.h>

#include "base/data.h"
#include "base/status.h"
#include "bench/export/sketch_draw.h"
#include "cases/case.h"

enum {
  WIDTH = 240,
  HEIGHT = 160,
  ARROWS_MAX = 10 /* with more bodies that move the arrows would hide them */
};
static const double ARROW = 0.18; /* the longest, over the width */

static void draw_velocities(const struct sketch *s, double longest) {
  double fastest = 0;
  int moving = 0;
  for (int i = 0; i < mech_assembly_bodies(s->view.a); ++i) {
    double v[3];
    sketch_velocity(&s->view, i, v);
    const struct sketch_point p = sketch_project(&s->view, v);
    fastest = fmax(fastest, hypot(p.x, p.y));
    moving += p.x != 0 || p.y != 0;
  }
  for (int i = 0; i < mech_assembly_bodies(s->view.a) && fastest > 0 && moving <= ARROWS_MAX; ++i) {
    double v[3];
    sketch_velocity(&s->view, i, v);
    const struct sketch_point a = sketch_place(s, mech_assembly_pose(s->view.a, s->view.q, i).x),
                              p = sketch_project(&s->view, v);
    const double dx = longest * p.x / fastest, dy = -longest * p.y / fastest, size = hypot(dx, dy);
    if (size > 3) {
      const double ex = 4 * dx / size, ey = 4 * dy / size, x = a.x + dx, y = a.y + dy;
      fprintf(s->out,
              "<path class=\"v\" d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n", a.x,
              a.y, x, y, x - ex + 0.6 * ey, y - ey - 0.6 * ex, x, y, x - ex - 0.6 * ey,
              y - ey + 0.6 * ex);
    }
  }
}

int sketch_build(const struct case_type *type, struct base_arena *arena,
                 struct case_instance *instance) {
  const struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  const int status = p != NULL ? type->build(p, arena, instance) : BASE_E_INPUT;
  if (status != BASE_OK || mech_assembly_of(instance->mech) != NULL) {
    return status;
  }
  const char *path =
      base_data_path(arena, base_arena_printf(arena, "cases/%s/sketch.json", type->name));
  const struct case_type *scene = path != NULL ? case_open(path, NULL, arena) : NULL;
  p = scene != NULL ? case_parameters_load(scene, arena) : NULL;
  return p != NULL ? scene->build(p, arena, instance) : BASE_E_INPUT;
}

int bench_sketch(const struct case_type *type, FILE *out) {
  struct base_arena *arena = base_arena_alloc();
  struct case_instance instance = {0};
  const int status = sketch_build(type, arena, &instance);
  if (status == BASE_OK) {
    struct sketch s = {.out = out,
                       .width = WIDTH,
                       .height = HEIGHT,
                       .view = {.m = instance.mech,
                                .a = mech_assembly_of(instance.mech),
                                .q = instance.q,
                                .u = instance.u}};
    sketch_view_choose(&s.view);
    sketch_put_head(out, WIDTH, HEIGHT, type->name);
    sketch_fit(&s);
    sketch_draw_bodies(&s, arena);
    draw_velocities(&s, ARROW * WIDTH);
    const double length = sketch_round(0.25 * WIDTH / s.scale);
    sketch_draw_bar(out, "s", 8, HEIGHT - 6, s.scale * length, length, "m");
    fprintf(out, "</svg>\n");
  }
  base_arena_free(arena);
  return status;
}
