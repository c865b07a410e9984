/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --film FILE.svg[:N]`: a run as a strip of N sketches (sketch.h), evenly over its steps from
 * the initial state to the last one, the time [s] under each. What the first sketch says with
 * arrows, velocities, is left out; lines are the forces of contacts instead: from the point of the
 * contact along the force on its second body (on the body where the other is the world), as long as
 * the mean force over the step that ends there by the scale below the strip.
 *
 * One window holds all frames. Where it would be more than twice as large as the largest frame,
 * because bodies travel far, each frame is centred about its own bodies, all at the same scale.
 *
 * A case in coordinates of its own is drawn by the scene of its sketch, with the shapes of its
 * default parameters (case_show).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/sort.h"
#include "base/status.h"
#include "bench/export/contact.h"
#include "bench/export/sketch_draw.h"
#include "bench/job/output.h"
#include "bench/run/listener.h"
#include "cases/case.h"

enum {
  WIDTH = 150, /* of a frame; its height is between these */
  HEIGHT_MIN = 110,
  HEIGHT_MAX = 190,
  BETWEEN = 6, /* frames */
  BELOW = 40   /* them: times, scales */
};
/* The longest line of a force over the size of a frame, at the median of the frames that have any;
 * no line is longer than twice that, which bounds the forces of impacts. */
static const double LONGEST = 0.25;
static const double FAR = 2; /* window of all frames over that of one */

struct frame {
  double t, *q; /* of what is drawn */
  int n;        /* forces */
  double *line; /* 6 x n: point and force [m, N] */
};

struct film {
  const char *file;
  const struct mech *m;         /* of the run */
  const struct case_show *show; /* NULL: it is drawn as it is */
  struct sketch_view view;      /* chosen at the start; of the system that is drawn */
  int asked, n;
  struct frame *frame; /* asked */
  long next;           /* step of the next one */
  int is_told;         /* all forces are */
  struct mech_contacts contacts;
  struct base_arena *arena; /* of the run */
};

/* --- frames of the run --- */

static void add_force(struct film *film, const struct bench_run *run, int i, const double *impulse,
                      struct frame *frame) {
  const struct mech_contacts *c = &film->contacts;
  double *line = frame->line + 6L * frame->n++, axes[9];
  if (film->show != NULL) {
    film->show->contact(film->m, run->state.q, c->id[i], line, axes);
  } else {
    bench_contact_point(mech_assembly_of(film->m), c, run->state.q, i, line);
    mech_contacts_frame(c, i, axes);
  }
  bench_contact_force(c->dim, impulse, run->dt, axes, line + 3);
  for (int d = 3; d < 6 && film->show == NULL && c->body[2 * i + 1] < 0; ++d) {
    line[d] = -line[d];
  }
}

static void add_forces(struct film *film, const struct bench_run *run, struct frame *frame) {
  const struct form_report *report = run->report;
  struct mech_contacts *c = &film->contacts;
  if (report == NULL || report->n_carrying == 0) {
    return;
  }
  if (report->impulses == NULL) {
    film->is_told = 0;
    return;
  }
  mech_set_time(film->m, run->state.t);
  mech_contacts_find_named(film->m, run->state.q, report->n_carrying, report->carrying, c);
  frame->line = base_arena_matrix(film->arena, 6, c->n);
  for (int i = 0, cursor = 0; i < c->n; ++i) {
    const int k = base_sorted_find(report->n_carrying, report->carrying, c->id[i], &cursor);
    if (k >= 0) {
      add_force(film, run, i, report->impulses + (long)k * c->dim, frame);
    }
  }
}

static void add_frame(struct film *film, const struct bench_run *run) {
  struct frame *frame = &film->frame[film->n++];
  const int nq = film->view.m->nq;
  frame->t = run->state.t;
  frame->q = base_arena_doubles(film->arena, nq);
  if (film->show != NULL) {
    film->show->place(film->m, run->state.q, frame->q);
  } else {
    memcpy(frame->q, run->state.q, (size_t)nq * sizeof *frame->q);
  }
  add_forces(film, run, frame);
  film->next = lrint((double)film->n * (double)run->steps / (film->asked - 1));
}

static int start(void *data, struct bench_run *run) {
  struct film *film = data;
  const struct case_type *type = run->job->type;
  film->m = run->m;
  if (run->taken > 0) {
    return base_fail(BASE_E_INPUT, "--film: a run that goes on has no frames of its beginning");
  }
  if (run->m->ops->open.inflow_outflow != NULL) {
    return base_fail(BASE_E_INPUT, "--film: bodies of %s come and go, a film shows the same ones",
                     type->name);
  }
  struct case_instance drawn = *run->instance;
  if (mech_assembly_of(run->m) == NULL) {
    film->show = type->show;
    if (film->show == NULL) {
      return base_fail(BASE_E_INPUT,
                       "--film: %s is a model in coordinates of its own that does not tell where "
                       "its bodies are; no frame can be drawn",
                       type->name);
    }
    const int status = sketch_build(type, run->arena, &drawn);
    if (status != BASE_OK) {
      return status;
    }
  }
  film->view = (struct sketch_view){
      .m = drawn.mech, .a = mech_assembly_of(drawn.mech), .q = drawn.q, .u = drawn.u};
  sketch_view_choose(&film->view);
  mech_contacts_init(&film->contacts, run->m, run->arena);
  add_frame(film, run);
  return bench_output_check(film->file, type->path);
}

static int step(void *data, struct bench_run *run) {
  struct film *film = data;
  if (run->taken == film->next) {
    add_frame(film, run);
  }
  return BASE_OK;
}

/* --- the picture --- */

static double size_of(const struct sketch_view *v, int axis) { return v->top[axis] - v->low[axis]; }

/* The window of each frame, and the size of the picture and its scale from the largest. */
static void choose_windows(const struct film *film, struct sketch *s, struct sketch_view *window) {
  struct sketch_view all = s->view;
  double largest[2] = {0, 0};
  for (int k = 0; k < film->n; ++k) {
    window[k] = s->view;
    window[k].q = film->frame[k].q;
    sketch_view_measure(&window[k]);
    for (int i = 0; i < 2; ++i) {
      largest[i] = fmax(largest[i], size_of(&window[k], i));
      all.low[i] = fmin(all.low[i], window[k].low[i]);
      all.top[i] = fmax(all.top[i], window[k].top[i]);
    }
  }
  const int is_far = fmax(size_of(&all, 0), size_of(&all, 1)) > FAR * fmax(largest[0], largest[1]);
  for (int k = 0; k < film->n && !is_far; ++k) {
    memcpy(window[k].low, all.low, sizeof all.low);
    memcpy(window[k].top, all.top, sizeof all.top);
  }
  for (int i = 0; i < 2; ++i) {
    s->view.low[i] = is_far ? 0 : all.low[i];
    s->view.top[i] = is_far ? largest[i] : all.top[i];
  }
  s->width = WIDTH;
  s->height = (int)fmin(HEIGHT_MAX, fmax(HEIGHT_MIN, WIDTH * size_of(&s->view, 1) /
                                                         fmax(1e-30, size_of(&s->view, 0))));
  sketch_fit(s);
}

static int compare_reals(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Pixels over newtons, see LONGEST; 0 without forces. */
static double choose_scale(const struct film *film, const struct sketch *s) {
  double *most = base_arena_doubles(film->arena, film->n);
  int n = 0;
  for (int k = 0; k < film->n; ++k) {
    for (int i = 0; i < film->frame[k].n; ++i) {
      const struct sketch_point f = sketch_project(&s->view, film->frame[k].line + 6L * i + 3);
      most[n] = fmax(most[n], hypot(f.x, f.y));
    }
    n += most[n] > 0;
  }
  if (n == 0) {
    return 0;
  }
  qsort(most, (size_t)n, sizeof *most, compare_reals);
  return LONGEST * fmin(s->width, s->height) * fmin(1 / most[n / 2], 2 / most[n - 1]);
}

static void draw_forces(const struct sketch *s, const struct frame *frame, double scale) {
  const char *before = "<path class=\"f\" d=\"", *after = "";
  for (int i = 0; i < frame->n; ++i) {
    const struct sketch_point f = sketch_project(&s->view, frame->line + 6L * i + 3),
                              a = sketch_place(s, frame->line + 6L * i);
    if (scale * hypot(f.x, f.y) >= 0.5) {
      fprintf(s->out, "%sM%.1f %.1fl%.1f %.1f", before, a.x, a.y, scale * f.x, -scale * f.y);
      before = "", after = "\"/>\n";
    }
  }
  fputs(after, s->out);
}

static void draw_scales(const struct film *film, const struct sketch *s, double forces) {
  const int y = s->height + BELOW - 8;
  const double length = sketch_round(0.4 * WIDTH / s->scale);
  const double x = sketch_draw_bar(s->out, "s", 8, y, s->scale * length, length, "m") + 70;
  if (!film->is_told) {
    fprintf(s->out, "<text x=\"%.0f\" y=\"%d\">forces of contacts are not told</text>\n", x, y + 1);
  } else if (forces > 0) {
    const double force = sketch_round(0.4 * WIDTH / forces);
    sketch_draw_bar(s->out, "s f", x, y, forces * force, force, "N");
  }
}

static void draw(const struct film *film, const struct bench_run *run, FILE *out) {
  struct sketch_view *window = base_arena_push(film->arena, (size_t)film->n * sizeof *window);
  struct sketch s = {.out = out, .view = film->view};
  choose_windows(film, &s, window);
  const double forces = choose_scale(film, &s);
  sketch_put_head(out, film->n * (WIDTH + BETWEEN) - BETWEEN, s.height + BELOW,
                  run->job->type->name);
  fprintf(out, "<style>.f{stroke:#d9662b;stroke-width:1.5}.t{text-anchor:middle}</style>\n");
  for (int k = 0; k < film->n; ++k) {
    const int x = k * (WIDTH + BETWEEN);
    const struct base_arena_mark mark = base_arena_mark(film->arena);
    s.view = window[k];
    fprintf(out, "<svg x=\"%d\" width=\"%d\" height=\"%d\">\n", x, WIDTH, s.height);
    sketch_draw_bodies(&s, film->arena);
    draw_forces(&s, &film->frame[k], forces);
    fprintf(out, "</svg>\n<text class=\"t\" x=\"%d\" y=\"%d\">%.3g s</text>\n", x + WIDTH / 2,
            s.height + 13, film->frame[k].t);
    base_arena_release(film->arena, mark);
  }
  draw_scales(film, &s, forces);
  fprintf(out, "</svg>\n");
}

static int end(void *data, struct bench_run *run) {
  struct film *film = data;
  if (film->n == 0) {
    return BASE_OK;
  }
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  draw(film, run, out);
  fclose(out);
  const int status = base_file_write(film->file, text, size);
  free(text);
  return status;
}

void bench_film_listen(struct bench_run *run) {
  const struct bench_job *job = run->job;
  if (job->film_file == NULL) {
    return;
  }
  struct film *film = base_arena_push(run->arena, sizeof *film);
  const long frames = run->steps + 1 < job->film_frames ? run->steps + 1 : job->film_frames;
  *film = (struct film){
      .file = job->film_file, .asked = (int)frames, .is_told = 1, .arena = run->arena};
  film->frame = base_arena_push(run->arena, (size_t)frames * sizeof *film->frame);
  bench_run_listen(run, (struct bench_listener){
                            .data = film,
                            .on = {[BENCH_START] = start, [BENCH_STEP] = step, [BENCH_END] = end}});
}
