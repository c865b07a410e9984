/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See asked.h.
 */
#include "bench/job/asked.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes/quote.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

/* ---- ensembles ---- */

enum { COUNT_MAX = 4096, MEMBERS_MAX = 65536 };

const struct base_option bench_ensemble_options[] = {
    BASE_OPTION_INT(struct bench_ensemble_spec, phase, 1, 1, COUNT_MAX,
                    "lengths of the first step"),
    BASE_OPTION_INT(struct bench_ensemble_spec, rotation, 1, 1, COUNT_MAX,
                    "rotations of the case as a whole"),
    BASE_OPTION_REAL(struct bench_ensemble_spec, start, 0, 0, CASE_START_PART, "",
                     "part of the system's length and speed by which each start is moved"),
    BASE_OPTION_INT(struct bench_ensemble_spec, seed, 1, 1, INT_MAX, "of what is drawn"),
    BASE_OPTION_END};

int bench_ensemble_is_asked(const struct bench_ensemble_spec *spec) {
  return spec->phase * spec->rotation > 1;
}

static int check_size(const struct bench_ensemble_spec *spec) {
  if (!bench_ensemble_is_asked(spec) || (long)spec->phase * spec->rotation > MEMBERS_MAX) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: phase = %d times rotation = %d: from 2 to %d members are taken",
                     spec->phase, spec->rotation, MEMBERS_MAX);
  }
  return BASE_OK;
}

static int set_pair(const char *pair, struct bench_ensemble_spec *spec) {
  char key[64];
  const char *value;
  const int status = base_options_split(pair, key, sizeof key, &value);
  return status != BASE_OK ? status
                           : base_options_set(bench_ensemble_options, spec, "ensemble", key, value);
}

/* Does the pair that stands at `at` name a key that one before it names? */
static int is_twice(const char *text, const char *at) {
  const size_t length = strcspn(at, "=,") + 1;
  for (const char *one = text; one < at; one = strchr(one, ',') + 1) {
    if (strncmp(one, at, length) == 0) {
      return 1;
    }
  }
  return 0;
}

int bench_ensemble_parse(const char *text, struct bench_ensemble_spec *spec) {
  int status = BASE_OK;
  base_options_default(bench_ensemble_options, spec);
  for (const char *at = text; at != NULL && status == BASE_OK;) {
    char pair[64];
    const char *comma = strchr(at, ',');
    const size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
    if (length >= sizeof pair) {
      return base_fail(BASE_E_INPUT, "--ensemble: '%.60s...' is too long", at);
    }
    snprintf(pair, sizeof pair, "%.*s", (int)length, at);
    status = is_twice(text, at)
                 ? base_fail(BASE_E_INPUT, "ensemble: '%s': its key is there twice", pair)
                 : set_pair(pair, spec);
    at = comma != NULL ? comma + 1 : NULL;
  }
  return status != BASE_OK ? status : check_size(spec);
}

int bench_ensemble_read(const cJSON *object, const char *file, struct base_arena *arena,
                        struct bench_ensemble_spec *spec) {
  const cJSON *item;
  int status = BASE_OK;
  base_options_default(bench_ensemble_options, spec);
  cJSON_ArrayForEach(item, object) {
    status = status != BASE_OK ? status
                               : base_options_set(bench_ensemble_options, spec, "ensemble",
                                                  item->string, bench_option_text(item, arena));
  }
  status = status != BASE_OK ? status : check_size(spec);
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'ensemble': ", file);
  }
  return status;
}

const char *bench_ensemble_text(const struct bench_ensemble_spec *spec, struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text = base_arena_printf(arena, "phase=%d,rotation=%d", spec->phase, spec->rotation);
  if (spec->start > 0) {
    text = base_arena_printf(arena, "%s,start=%s", text, base_json_number(spec->start, number));
  }
  return base_arena_printf(arena, "%s,seed=%d", text, spec->seed);
}

int bench_ensemble_check(const struct bench_ensemble_spec *spec, const struct bench_job *job) {
  int dimension;
  if (spec->rotation > 1 && case_rotation(job->parameters, &dimension) == NULL) {
    return base_fail(BASE_E_INPUT,
                     "ensemble: case %s names no parameter that turns it as a whole; leave "
                     "rotation at 1",
                     job->type->name);
  }
  return BASE_OK;
}

/* ---- searches ---- */

/* Nearer to each other doubles cannot be told apart; of steps, rounding decides what they do. */
static const double TOLERANCE_MIN = 1e-14, STEP_TOLERANCE_MIN = 1e-6;
/* Twenty bisections. */
static const double TOLERANCE = 1e-6;
/* An error of a tenth of the system's size still shows the motion; 2 % tell formulations apart. */
static const double LIMIT = 0.1, STEP_TOLERANCE = 0.02;

int bench_search_is_of_step(const struct bench_search_asked *asked) {
  return strcmp(asked->parameter, "dt") == 0;
}

/* Up to `most` numbers between commas; their count, -1: something else stands there. */
static int read_numbers(const char *at, int most, double *values) {
  const char *end;
  for (int n = 0; n < most; ++n, at = end + 1) {
    if (base_read_real(at, &end, &values[n]) != BASE_OK || (*end != ',' && *end != '\0')) {
      return -1;
    }
    if (*end == '\0') {
      return n + 1;
    }
  }
  return -1;
}

/* LO,HI[,LIMIT[,TOL]] is dt=LO,HI,TOL by two conditions: stable, and an error below LIMIT times the
 * system's length. */
static int expand_short(const char *text, struct base_arena *arena,
                        struct bench_search_asked *asked) {
  double values[] = {NAN, NAN, LIMIT, STEP_TOLERANCE};
  char number[BASE_JSON_NUMBER_SIZE];
  if (read_numbers(text, 4, values) < 2) {
    return base_fail(BASE_E_INPUT,
                     "--search = '%s': must be PARAM=LO,HI[,TOL] or LO,HI[,LIMIT[,TOL]]", text);
  }
  if (!(values[2] >= 0) || !isfinite(values[2])) {
    return base_fail(BASE_E_INPUT, "search: limit = %g: must be finite and not negative",
                     values[2]);
  }
  *asked = (struct bench_search_asked){
      .parameter = "dt", .lo = values[0], .hi = values[1], .tolerance = values[3]};
  asked->until[asked->n++] = "stable";
  if (values[2] > 0) {
    asked->until[asked->n++] = base_arena_printf(arena, "quality.measures.position<%s",
                                                 base_json_number(values[2], number));
  }
  return BASE_OK;
}

static int read_long(const struct bench_request *request, struct base_arena *arena,
                     struct bench_search_asked *asked) {
  const char *equals = strchr(request->search, '=');
  double values[] = {NAN, NAN, TOLERANCE};
  if (equals == request->search || read_numbers(equals + 1, 3, values) < 2) {
    return base_fail(BASE_E_INPUT, "--search = '%s': must be PARAM=LO,HI[,TOL]", request->search);
  }
  *asked = (struct bench_search_asked){
      .parameter =
          base_arena_printf(arena, "%.*s", (int)(equals - request->search), request->search),
      .lo = values[0],
      .hi = values[1],
      .tolerance = values[2]};
  while (asked->n < BENCH_UNTIL_MAX && request->until[asked->n] != NULL) {
    asked->until[asked->n] = base_arena_copy(arena, request->until[asked->n]);
    ++asked->n;
  }
  return BASE_OK;
}

int bench_search_check_range(const struct bench_search_asked *asked) {
  const int is_step = bench_search_is_of_step(asked);
  const double least = is_step ? STEP_TOLERANCE_MIN : TOLERANCE_MIN;
  if (!(asked->lo < asked->hi) || !isfinite(asked->hi - asked->lo) ||
      (is_step && !(asked->lo > 0))) {
    return base_fail(BASE_E_INPUT, "search: %s in [%g, %g]: needs %slo < hi, finite",
                     asked->parameter, asked->lo, asked->hi, is_step ? "0 < " : "");
  }
  if (!(asked->tolerance >= least && asked->tolerance < 1)) {
    return base_fail(BASE_E_INPUT, "search: tolerance = %g: must be in [%g, 1)", asked->tolerance,
                     least);
  }
  if (asked->parameter[0] == '\0' || asked->n == 0) {
    return base_fail(BASE_E_INPUT, "search: needs a parameter and a condition");
  }
  return BASE_OK;
}

int bench_search_read(const struct bench_request *request, struct base_arena *arena,
                      const struct bench_search_asked **search) {
  struct bench_search_asked *asked = base_arena_push(arena, sizeof *asked);
  *search = NULL;
  if (request->search == NULL && request->until[0] == NULL) {
    return BASE_OK;
  }
  const int is_long = request->search != NULL && strchr(request->search, '=') != NULL;
  if (is_long != (request->until[0] != NULL)) {
    return base_fail(BASE_E_INPUT, "--search PARAM=LO,HI and --until CONDITION go together");
  }
  int status =
      is_long ? read_long(request, arena, asked) : expand_short(request->search, arena, asked);
  status = status != BASE_OK ? status : bench_search_check_range(asked);
  *search = asked;
  return status;
}

const char *bench_search_words(const struct bench_search_asked *asked, struct base_arena *arena) {
  const double values[] = {asked->lo, asked->hi, asked->tolerance};
  const char *text = base_arena_printf(arena, "%s=", asked->parameter);
  char number[BASE_JSON_NUMBER_SIZE];
  for (int i = 0; i < 3; ++i) {
    text = base_arena_printf(arena, "%s%s%s", text, i > 0 ? "," : "",
                             base_json_number(values[i], number));
  }
  text = base_arena_printf(arena, "--search %s", base_quote_shell(text, arena));
  for (int k = 0; k < asked->n; ++k) {
    text =
        base_arena_printf(arena, "%s --until %s", text, base_quote_shell(asked->until[k], arena));
  }
  return text;
}

/* ---- frames ---- */

int bench_vtk_parse(const char *text, struct base_arena *arena, const char **folder,
                    double *every) {
  const char *colon = strrchr(text, ':');
  *every = 0;
  *folder = colon == NULL ? text : base_arena_printf(arena, "%.*s", (int)(colon - text), text);
  if ((*folder)[0] == '\0' || (colon != NULL && (base_parse_real(colon + 1, every) != BASE_OK ||
                                                 !(*every > 0) || !isfinite(*every)))) {
    return base_fail(BASE_E_INPUT, "--vtk '%s': want DIR or DIR:DT, DT a time between frames > 0 s",
                     text);
  }
  return BASE_OK;
}

enum { FILM_FRAMES = 6, FILM_FRAMES_MAX = 12 };

int bench_film_parse(const char *text, struct base_arena *arena, const char **file, int *n) {
  const char *colon = strrchr(text, ':');
  double frames = FILM_FRAMES;
  *file = colon == NULL ? text : base_arena_printf(arena, "%.*s", (int)(colon - text), text);
  if ((*file)[0] == '\0' || (colon != NULL && base_parse_real(colon + 1, &frames) != BASE_OK) ||
      !(frames >= 2 && frames <= FILM_FRAMES_MAX) || frames != floor(frames)) {
    return base_fail(BASE_E_INPUT, "--film '%s': want FILE or FILE:N, N frames, 2 to %d", text,
                     FILM_FRAMES_MAX);
  }
  *n = (int)frames;
  return BASE_OK;
}

/* ---- solvers ---- */

cJSON *bench_solver_options_json(const struct problem_solver *solver, const void *options,
                                 const struct problem_loop *loop) {
  cJSON *all = base_options_to_json(solver->options, options);
  cJSON *others = base_options_to_json(problem_loop_options, loop);
  while (others->child != NULL) {
    cJSON *item = cJSON_DetachItemViaPointer(others, others->child);
    cJSON_AddItemToObject(all, item->string, item);
  }
  cJSON_Delete(others);
  return all;
}

cJSON *bench_job_solver_options_json(const struct bench_job *job) {
  cJSON *options = job->solver != NULL
                       ? bench_solver_options_json(job->solver, job->solver_options, &job->loop)
                       : cJSON_CreateObject();
  if (job->solver != NULL) {
    cJSON_AddBoolToObject(options, "warm_start", job->switches.warm_start);
  }
  return options;
}
