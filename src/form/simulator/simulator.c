/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question to a simulator of others, its answer, and the steps that hand its states out; see
 * simulator.h. Coordinates of an answer are those of our bodies (mech/assembly/assembly.h). Of a
 * quaternion, which stands for the same orientation as its negative, the one nearer to the state
 * before is taken, and it is brought to unit length: engines of single precision leave 1e-7.
 */
#include "form/simulator/simulator.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/data.h"
#include "base/json/json.h"
#include "base/process/command.h"
#include "base/status.h"
#include "base/text.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"

/* A quaternion farther from unit length is none. */
static const double UNIT_LENGTH = 1e-4;
/* Bytes that a number of an answer may take, with all that stands beside it. */
static const size_t OUTPUT_LEAST = (size_t)1 << 22;
enum { OUTPUT_A_NUMBER = 64 };

struct simulator {
  const struct form *form;
  struct form_setup setup;
  const struct mech *m;
  long taken;                 /* steps handed out */
  int is_asked;               /* the answer is here */
  double lag;                 /* as in form_report [s] */
  double *q, *u;              /* nq x steps, nu x steps */
  int *iterations, *contacts; /* steps; NULL: not told */
  double *time;               /* steps, that each took [s]; NULL: not told */
  const cJSON *told;          /* in the arena */
};

/* ---- the question ---- */

static double end_of(const struct form_setup *setup, long k) {
  return k == setup->steps ? setup->t_end : ((double)(k - 1) + setup->phase) * setup->dt;
}

static const char *column_body(const struct mech_assembly *a, int block, struct base_arena *arena) {
  const int body = mech_assembly_body_of_block(a, block);
  const char *name = mech_assembly_get_body(a, body).name;
  return name != NULL && name[0] != '\0' ? name : base_arena_printf(arena, "body%d", body);
}

static cJSON *question_of(const struct simulator *s, const struct form_state *state) {
  const struct form_setup *setup = &s->setup;
  const struct mech_assembly *a = mech_assembly_of(s->m);
  cJSON *scene = mech_assembly_scene(s->m, state->q, state->u, setup->arena);
  if (scene == NULL) {
    return NULL;
  }
  cJSON_AddStringToObject(scene, "schema", "coulombench.scene/1");
  base_json_add_real(scene, "dt", setup->dt);
  base_json_add_real(scene, "t_end", setup->t_end);
  cJSON *question = cJSON_CreateObject();
  cJSON_AddStringToObject(question, "schema", FORM_SIMULATOR_QUESTION);
  cJSON_AddItemToObject(question, "scene", scene);
  cJSON *bodies = cJSON_AddArrayToObject(question, "bodies");
  for (int b = 0; b < s->m->nb; ++b) {
    cJSON_AddItemToArray(bodies, cJSON_CreateString(column_body(a, b, setup->arena)));
  }
  base_json_add_real(question, "dt", setup->dt);
  cJSON *times = cJSON_AddArrayToObject(question, "times");
  for (long k = 1; k <= setup->steps; ++k) {
    cJSON_AddItemToArray(times, cJSON_CreateNumber(end_of(setup, k)));
  }
  cJSON_AddItemToObject(question, "options",
                        base_options_to_json(s->form->options, setup->options));
  if (setup->loop.deadline > 0) {
    base_json_add_real(question, "time_limit", setup->loop.deadline - base_clock_now());
  }
  return question;
}

/* ---- the answer ---- */

/* Where the orientations of bodies stand in q: 4 numbers from 3 on of every 7. */
static int take_quaternions(const struct simulator *s, const double *before, double *q,
                            const char *name, long k) {
  if (s->m->dim != 3 || s->m->nq != 7 * s->m->nb) {
    return BASE_OK;
  }
  for (int b = 0; b < s->m->nb; ++b) {
    double *A = q + 7L * b + 3;
    const double size = sqrt(la_dot(4, A, A));
    if (!(fabs(size - 1) <= UNIT_LENGTH)) {
      return base_fail(BASE_FAILED,
                       "%s: states[%ld].q: the quaternion of body %d has length %.9g, not 1", name,
                       k, b, size);
    }
    const double factor = (la_dot(4, A, before + 7L * b + 3) < 0 ? -1 : 1) / size;
    for (int i = 0; i < 4; ++i) {
      A[i] *= factor;
    }
  }
  return BASE_OK;
}

static int read_states(struct simulator *s, const cJSON *answer, const char *name,
                       const struct form_state *start) {
  const cJSON *states = cJSON_GetObjectItemCaseSensitive(answer, "states");
  const long n = cJSON_IsArray(states) ? cJSON_GetArraySize(states) : -1;
  const int nq = s->m->nq, nu = s->m->nu;
  long k = 0;
  if (n != s->setup.steps) {
    return n < 0 ? base_fail(BASE_FAILED, "%s: the answer has no list 'states'", name)
                 : base_fail(BASE_FAILED, "%s: states: %ld of them for %ld times", name, n,
                             s->setup.steps);
  }
  for (const cJSON *item = states->child; item != NULL; item = item->next, ++k) {
    double *q = s->q + nq * k, *u = s->u + nu * k;
    int status = base_json_get_reals(item, "q", name, nq, q, NULL);
    status = status != BASE_OK ? status : base_json_get_reals(item, "u", name, nu, u, NULL);
    if (status != BASE_OK) {
      const char *message =
          base_arena_copy(s->setup.arena, base_message() + strlen(name) + strlen(": "));
      return base_fail(BASE_FAILED, "%s: states[%ld]: %s", name, k, message);
    }
    status = take_quaternions(s, k > 0 ? q - nq : start->q, q, name, k);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

/* A count a step, where it is told. */
static int read_counts(const struct simulator *s, const cJSON *answer, const char *key,
                       const char *name, int **counts) {
  if (cJSON_GetObjectItemCaseSensitive(answer, key) == NULL) {
    return BASE_OK;
  }
  *counts = base_arena_push(s->setup.arena, (size_t)s->setup.steps * sizeof **counts);
  return base_json_get_ints(answer, key, name, (int)s->setup.steps, *counts, NULL);
}

static int read_times(struct simulator *s, const cJSON *answer, const char *name) {
  const int n = (int)s->setup.steps;
  if (cJSON_GetObjectItemCaseSensitive(answer, "step_times") == NULL) {
    return BASE_OK;
  }
  s->time = base_arena_doubles(s->setup.arena, n);
  int status = base_json_get_reals(answer, "step_times", name, n, s->time, NULL);
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    if (s->time[k] < 0) {
      status = base_fail(BASE_FAILED, "%s: step_times[%d] is negative", name, k);
    }
  }
  return status;
}

/* Velocities of the ends of steps, or, as a leapfrog has them, half a step from there. */
static int read_lag(struct simulator *s, const cJSON *answer, const char *name) {
  const char *text = base_json_text_at(answer, "velocities");
  if (text[0] != '\0' && strcmp(text, "end") != 0 && strcmp(text, "half-step") != 0) {
    return base_fail(BASE_FAILED, "%s: key 'velocities': must be end or half-step", name);
  }
  s->lag = strcmp(text, "half-step") == 0 ? 0.5 * s->setup.dt : 0;
  return BASE_OK;
}

/* The refusal of a scene names its key. */
static int refusal_of(const struct simulator *s, const cJSON *answer, const char *name) {
  const char *key = base_text_clean(base_json_text_at(answer, "key"), s->setup.arena);
  const int status = base_command_status(answer, name, s->setup.arena);
  if (status == BASE_UNSUPPORTED && key[0] != '\0') {
    const char *reason = base_text_clean(base_json_text_at(answer, "reason"), s->setup.arena);
    return base_fail(status, "%s: %s: %s", name, key, reason);
  }
  return status;
}

static int read_answer(struct simulator *s, const cJSON *answer, const char *name,
                       const struct form_state *start) {
  const cJSON *told = cJSON_GetObjectItemCaseSensitive(answer, "simulator");
  s->told = cJSON_IsObject(told) ? base_json_copy(told, s->setup.arena) : NULL;
  int status = refusal_of(s, answer, name);
  status = status != BASE_OK ? status : read_states(s, answer, name, start);
  status = status != BASE_OK ? status : read_counts(s, answer, "iterations", name, &s->iterations);
  status = status != BASE_OK ? status : read_counts(s, answer, "contacts", name, &s->contacts);
  status = status != BASE_OK ? status : read_times(s, answer, name);
  return status != BASE_OK ? status : read_lag(s, answer, name);
}

static int ask(struct simulator *s, const struct form_state *start) {
  const char *command = base_command_of(s->form->name);
  const char *name = command != NULL ? "exec" : s->form->name;
  const char *program = command != NULL ? "/bin/sh" : form_engine_program(s->form, s->setup.arena);
  const char *const shell[] = {program, "-c", command, NULL}, *const own[] = {program, NULL};
  const size_t numbers = (size_t)s->setup.steps * (size_t)(s->m->nq + s->m->nu + 5);
  const struct base_child child = {.argv = command != NULL ? shell : own,
                                   .output_most = OUTPUT_LEAST + OUTPUT_A_NUMBER * numbers,
                                   .deadline = s->setup.loop.deadline,
                                   .limit = INFINITY};
  struct base_child_end end;
  cJSON *question = question_of(s, start), *answer;
  if (question == NULL) {
    return BASE_UNSUPPORTED;
  }
  int status = base_command_ask(&child, name, question, s->setup.arena, &end, &answer);
  status = status == BASE_OK ? read_answer(s, answer, name, start) : status;
  cJSON_Delete(answer);
  s->is_asked = status == BASE_OK;
  return status < 0 ? (int)BASE_FAILED : status;
}

/* ---- the formulation ---- */

uint64_t form_simulator_hash(const struct form *form, uint64_t hash) {
  const char *command = base_command_of(form->name);
  if (!form_is_simulator(form)) {
    return hash;
  }
  if (command != NULL) {
    return base_command_hash(command, hash);
  }
  struct base_arena *arena = base_arena_alloc();
  const char *program = form_engine_program(form, arena);
  hash = program != NULL ? base_command_hash_file(program, hash) : hash;
  base_arena_free(arena);
  return hash;
}

const char *form_engine_program(const struct form *form, struct base_arena *arena) {
  return base_program_path(base_arena_printf(arena, "peers/%s", form->name), arena);
}

static int is_engine(const struct form *form) {
  return form_is_simulator(form) && form->options != NULL;
}

const char *form_engine_version(const struct form *form, struct base_arena *arena) {
  const char *program = is_engine(form) ? form_engine_program(form, arena) : NULL;
  if (program == NULL) {
    return is_engine(form) ? "absent" : NULL;
  }
  const char *const argv[] = {program, "version", NULL};
  const struct base_child child = {.argv = argv, .output_most = OUTPUT_LEAST, .limit = 10};
  struct base_child_end end;
  if (base_child_run(&child, form->name, arena, &end) != BASE_OK) {
    return base_message();
  }
  end.output[strcspn(end.output, "\n")] = '\0';
  return base_text_clean(end.output, arena);
}

static int check_form(const struct form *form) {
  struct base_arena *arena = base_arena_alloc();
  int status = BASE_OK;
  if (strcmp(form->name, "exec") == 0) {
    status = base_fail(BASE_UNSUPPORTED, "exec: needs a command: exec:COMMAND");
  } else if (base_command_of(form->name) == NULL && form_engine_program(form, arena) == NULL) {
    status = base_fail(BASE_UNSUPPORTED,
                       "%s: this build has no program peers/%s; 'make PEERS=1' installs the engine "
                       "and builds it",
                       form->name, form->name);
  }
  base_arena_free(arena);
  return status;
}

int form_simulator_check(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  const struct mech_assembly *a = mech_assembly_of(m);
  const int status = check_form(setup->form);
  if (status != BASE_OK) {
    return status;
  }
  if (a == NULL || mech_assembly_kind_of(a) == MECH_SCALABLE) {
    return base_fail(BASE_UNSUPPORTED, "%s: simulators take scenes: %s", m->name,
                     a == NULL ? "it is not made of rigid bodies" : "its bodies are scalable");
  }
  return BASE_OK;
}

void *form_simulator_alloc(const struct form_setup *setup, const struct form_state *start) {
  struct simulator *s = base_arena_push(setup->arena, sizeof *s);
  (void)start;
  *s = (struct simulator){.form = setup->form, .setup = *setup, .m = setup->mech};
  return s;
}

int form_simulator_step(void *workspace, struct form_state *state, double dt,
                        struct form_report *report) {
  struct simulator *s = workspace;
  const int nq = s->m->nq, nu = s->m->nu;
  (void)dt;
  if (!s->is_asked) {
    if (s->setup.steps > INT_MAX) {
      return base_fail(BASE_UNSUPPORTED, "more than %d steps", INT_MAX);
    }
    s->q = base_arena_matrix(s->setup.arena, nq, (int)s->setup.steps);
    s->u = base_arena_matrix(s->setup.arena, nu, (int)s->setup.steps);
    const int status = ask(s, state);
    report->simulator = s->told;
    if (status != BASE_OK) {
      return status;
    }
  }
  const long k = s->taken++;
  la_copy(nq, s->q + nq * k, state->q);
  la_copy(nu, s->u + nu * k, state->u);
  report->iterations = s->iterations != NULL ? s->iterations[k] : -1;
  report->contacts = s->contacts != NULL ? s->contacts[k] : -1;
  report->time = s->time != NULL ? s->time[k] : 0;
  report->internal_steps = 1;
  report->is_outside = 1;
  report->lag = s->lag;
  report->simulator = s->told;
  report->work.friction = report->work.impact = report->work.damping = report->work.applied = NAN;
  return BASE_OK;
}
