/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing and running the members of ensembles; see ensemble.h.
 */
#include "bench/ensemble/ensemble.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/rng.h"
#include "base/status.h"
#include "bench/outcome/members.h"
#include "bench/record/record.h"
#include "bench/repeat/repeat.h"

/* Least length of a first step over dt, that of its option. */
static const double LEAST_PHASE = 1e-3;

/* ---- what is drawn ---- */

struct draw {
  struct base_arena *arena;
  struct base_rng *rng;
};

static const char *number_text(const struct draw *d, double x) {
  char number[BASE_JSON_NUMBER_SIZE];
  return base_arena_copy(d->arena, base_json_number(x, number));
}

/* A rotation in space, all alike likely: the one of a quaternion with normal components. */
static const char *draw_in_space(const struct draw *d) {
  double q[4];
  base_rng_normals(d->rng, 4, q);
  const double sine = hypot(q[1], hypot(q[2], q[3])), angle = 2 * atan2(sine, q[0]);
  const double part = sine > 0 ? angle / sine : 0;
  return base_arena_printf(d->arena, "[%s,%s,%s]", number_text(d, part * q[1]),
                           number_text(d, part * q[2]), number_text(d, part * q[3]));
}

static void add_word(const struct draw *d, struct bench_member *m, const char *word) {
  m->options =
      m->options[0] == '\0' ? word : base_arena_printf(d->arena, "%s %s", m->options, word);
}

/* The options of all members. */
static void draw_members(const struct bench_ensemble_spec *spec, const struct bench_job *job,
                         struct base_arena *arena, struct bench_ensemble *e) {
  int dimension = 0;
  const char *turn = spec->rotation > 1 ? case_rotation(job->parameters, &dimension) : NULL;
  const struct draw d = {arena, base_rng_alloc((unsigned long)spec->seed)};
  for (int j = 0; j < spec->rotation; ++j) {
    const char *rotation = "";
    if (turn != NULL) {
      const char *value =
          dimension == 3
              ? draw_in_space(&d)
              : number_text(&d, base_rng_uniform(d.rng, j, j + 1) * 2 * M_PI / spec->rotation);
      rotation = base_arena_printf(arena, "--set %s=%s", turn, value);
    }
    for (int i = 0; i < spec->phase; ++i) {
      struct bench_member *m = &e->member[(long)j * spec->phase + i];
      m->options = rotation;
      if (spec->phase > 1) {
        const double phase = fmax(base_rng_uniform(d.rng, i, i + 1) / spec->phase, LEAST_PHASE);
        add_word(&d, m, base_arena_printf(arena, "--opt phase=%s", number_text(&d, phase)));
      }
      if (spec->start > 0) {
        add_word(&d, m,
                 base_arena_printf(arena, "--opt perturb=%s --opt seed=%d",
                                   number_text(&d, spec->start),
                                   1 + base_rng_below(d.rng, INT_MAX)));
      }
    }
  }
  base_rng_free(d.rng);
}

/* ---- running ---- */

/* The words "--set key=value --opt key=value" into a request. */
static void add_words(const char *words, struct base_arena *arena, struct bench_request *request) {
  struct base_words all = {0};
  base_words_split(&all, words, arena);
  for (int i = 0; i + 1 < all.n; i += 2) {
    base_words_add(strcmp(all.word[i], "--set") == 0 ? &request->set : &request->opt,
                   all.word[i + 1], arena);
  }
}

static int run_member(const struct bench_request *request, double seconds, const char *references,
                      struct base_arena *arena, struct bench_member *m, double *steps_s) {
  struct bench_request one = *request;
  struct bench_job job;
  struct bench_outcome out;
  one.time_limit = seconds;
  one.repeat = 0;
  one.sample = 0;
  one.references = references;
  add_words(m->options, arena, &one);
  int status = bench_job_resolve(&one, arena, &job);
  job.compared = BENCH_COMPARED_STATES;
  status = status != BASE_OK ? status : bench_run(&job, arena, &out);
  if (status == BASE_OK) {
    cJSON *record = bench_record(&job, &out);
    m->status = out.status;
    m->quality = out.quality.verdict;
    *steps_s = out.timing.steps;
    for (int k = 0; k < BENCH_ENSEMBLE_NUMBERS; ++k) {
      m->number[k] = base_json_real_at(record, bench_ensemble_numbers[k]);
    }
    cJSON_Delete(record);
  }
  return status;
}

/* Members of one rotation have one reference: where no folder keeps references, one does until the
 * members are done. */
static void forget(const char *folder, struct base_arena *arena) {
  DIR *dir = opendir(folder);
  for (const struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL;
       entry = readdir(dir)) {
    unlink(base_arena_printf(arena, "%s/%s", folder, entry->d_name));
  }
  if (dir != NULL) {
    closedir(dir);
  }
  rmdir(folder);
}

static int run_members(const struct bench_request *request, double begin, struct base_arena *arena,
                       struct bench_ensemble *e) {
  const char *tmp = getenv("TMPDIR");
  char *own =
      base_arena_copy(arena, base_arena_printf(arena, "%s/coulombench-XXXXXX",
                                               tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp"));
  const char *references = request->references;
  const int has_own = references == NULL && mkdtemp(own) != NULL;
  struct base_arena *room = base_arena_child(arena);
  int status = BASE_OK;
  for (int i = 0; i < e->n && status == BASE_OK; ++i) {
    status = run_member(request, bench_request_left(request, begin), has_own ? own : references,
                        room, &e->member[i], &e->steps_s[i]);
    base_arena_empty(room);
  }
  if (has_own) {
    forget(own, arena);
  }
  return status;
}

/* The outcome is that of the run asked for; what became of the members is said where it is ok. */
static void explain(const struct bench_ensemble *e, struct bench_outcome *out) {
  int n = 0, first = BASE_OK;
  for (int i = 0; i < e->n; ++i) {
    const int status = e->member[i].status;
    n += status != BASE_OK;
    first = first == BASE_OK ? status : first;
  }
  if (out->status == BASE_OK && n > 0) {
    out->status = first;
    snprintf(out->reason, sizeof out->reason,
             "%d of %d members of the ensemble did not end ok; "
             "the first: %s",
             n, e->n, base_status_name(first));
  }
}

int bench_ensemble(const struct bench_request *request, struct base_arena *arena,
                   struct bench_job *job, struct bench_outcome *outcome) {
  const double begin = base_clock_now();
  struct bench_request alone = *request;
  struct bench_ensemble *e = base_arena_push(arena, sizeof *e);
  alone.ensemble = (struct bench_ensemble_spec){0};
  *e = (struct bench_ensemble){.spec = request->ensemble,
                               .n = request->ensemble.phase * request->ensemble.rotation};
  e->member = base_arena_push(arena, (size_t)e->n * sizeof *e->member);
  e->steps_s = base_arena_doubles(arena, e->n);
  int status = bench_run_repeatedly(job, arena, outcome);
  if (status != BASE_OK || outcome->status == BASE_UNSUPPORTED) {
    return status;
  }
  draw_members(&e->spec, job, arena, e);
  status = run_members(&alone, begin, arena, e);
  if (status == BASE_OK) {
    explain(e, outcome);
    outcome->ensemble = e;
    outcome->timing.total = base_clock_now() - begin;
  }
  return status;
}
