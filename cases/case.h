/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A case: a model with parameters, an initial state, a horizon, a reference and its figures. Adding
 * one: a folder cases/<name>/ with <name>.c (defines `const struct case_type case_<name>`, dashes
 * as underscores), <name>.json (parameters, each with unit and source), figures/ and README.md, and
 * one line in cases/registry.h. Cases see mech and contact, never form or bench: a figure is made
 * from records alone, which arrive here as plain numbers.
 */
#ifndef CASES_CASE_H
#define CASES_CASE_H

#include "cases/figure/figure.h"
#include "mech/mech.h"

struct base_table;

struct cJSON;
struct case_parameters;

double case_real(const struct case_parameters *p, const char *key); /* must be in the JSON */
const char *case_choice(const struct case_parameters *p, const char *key);

/* Parameters of a case: the file's values, then --set. The file (schema coulombench.case/1):
 *
 *   { "schema": "coulombench.case/1", "name": "oscillator", "title": "...",
 *     "source": "moeller 6.1",
 *     "parameters": {
 *       "m1": {"value": 10, "unit": "kg", "source": "moeller table 6.1", "min": 0,
 *              "exclusive_min": true, "help": "upper mass"},
 *       "coordinates": {"value": "xy", "choices": ["xy", "angles"], "source": "..."} },
 *     "t_end": 1, "dt": 1e-3, "reference": {"kind": "event", "bound": 1e-9, "until": 2},
 *     "formulations": {"penalty": {"dt": 1e-5, "options": {"K": 1e7}}},
 *     "allow_start": true, "notes": "...",
 *     "rotation": "key of the angle that turns the whole case" }
 *
 * "formulations" has defaults by formulation; "=key" as an option's value is the value of that
 * parameter. Unknown keys are refused. NULL with a message on failure. */
struct case_type;
struct case_parameters *case_parameters_load(const struct case_type *type,
                                             struct base_arena *arena);
/* --set key=value: BASE_E_INPUT with a message naming case, key and what is accepted. */
int case_parameters_set(struct case_parameters *p, const char *key, const char *text);
struct cJSON *case_parameters_to_json(const struct case_parameters *p); /* {key: value} */
/* The whole parsed file, for `describe`, defaults and reports. */
const struct cJSON *case_parameters_file(const struct case_parameters *p);
/* The parameter that turns the case as a whole [rad]: of a scene the rotation of dimension 2 (a
 * number) or 3 (a list), of a case the angle that its file names as "rotation" (2). NULL: none. */
const char *case_rotation(const struct case_parameters *p, int *dimension);
/* Has --set changed a value? */
int case_parameters_changed(const struct case_parameters *p);

/* Results of a run beyond the final state and the trajectory: averages in time, maps,
 * distributions. `finish` writes the record's block `observables`. */
struct case_moment {   /* after a step */
  double t;            /* [s] */
  const double *q, *u; /* nq, nu */
  int carrying;        /* contacts that carried a normal impulse in the step */
};
struct case_observer {
  void *data; /* from the arena of the build */
  void (*accumulate)(void *data, const struct mech *m, const struct case_moment *now);
  void (*finish)(void *data, struct cJSON *observables);
  void (*checkpoint)(void *data, struct base_blob *blob); /* NULL: checkpoints are refused */
};

/* Initial states with gaps or constraints violated by more than this fraction of the system's
 * length are refused, unless the file has "allow_start": true. */
#define CASE_START_PART 1e-3

struct case_instance {
  struct mech *mech; /* from the arena */
  double *q, *u;     /* initial state, nq and nu */
  double t_end;      /* default horizon [s]; 0: the JSON's */
  int one_contact;   /* one contact is closed, of dim 2 or 3: the block `contact` of the record has
                        the solutions of its problem (src/bench/outcome/one_contact.h) */
  const char *notes; /* assumptions and changes, for the record; NULL or "": none */
  const char *q_shown, *u_shown; /* nq_out, nu_out flags: columns in the trajectory; NULL: all */
  const struct case_observer *observer; /* NULL: none */
};

/* Drawing of a case with its own coordinates at a state of a run: it places the bodies and contacts
 * of the scene in its file sketch.json. */
struct case_show {
  void (*place)(const struct mech *m, const double *q,
                double *shown); /* coordinates of the scene */
  /* Contact id in the scene: its point [m], and the directions of its impulse as columns, 3 x 3,
   * normal first [-]. */
  void (*contact)(const struct mech *m, const double *q, long id, double point[3], double frame[9]);
};

struct case_type {
  const char *name; /* of the folder: the identifier with dashes for underscores; of a scene as in
                       the file */
  const char *summary; /* one line */
  const char *source;  /* tag, section */
  /* Build model and initial state; BASE_E_INPUT with a message for parameters that make no
   * sense. */
  int (*build)(const struct case_parameters *p, struct base_arena *arena,
               struct case_instance *out);
  /* Closed-form solution at time t in published names (q: nq_out, u: nu_out); NULL: `event` is the
   * reference. Returns its error bound; NaN: there is none with these parameters. */
  double (*reference)(const struct case_parameters *p, double t, double *q, double *u);
  /* Works of friction, impact (of the normal impulses), damping and applied forces up to t > 0 in
   * the closed form [J], where they are not 0; NULL: `event` tells. */
  void (*work)(const struct case_parameters *p, double t, double work[4]);
  /* Functions called by name in its figures' files: lists, ended by NULL. NULL: none. */
  const struct case_function *const *functions;
  const struct case_show *show; /* NULL: it consists of bodies with shapes, or is not drawn */
  /* Scenes: made by case_open, elsewhere NULL. */
  const char *path;          /* how to open it again */
  const struct cJSON *scene; /* the parsed file */
};

/* A model in few coordinates, with one block of velocities and all coordinates in records, and its
 * instance at q = 0, u = 0. Sets name, ops, data, nq, nu, dim and derived values. The case sets
 * scales, names and all else. */
struct mech *case_model(const char *name, const struct mech_ops *ops, void *data, int nq, int nu,
                        int dim, struct base_arena *arena, struct case_instance *out);

int case_count(void);
const struct case_type *case_get(int i);
const struct case_type *case_find(const char *name); /* NULL with a message that lists near names */

/* --- Scenes: cases without a line of C, from files (schema coulombench.scene/1, cases/scenes) ---
 *
 * A case by name, or a scene by the name of its file (it has a slash or ends in .json), which is
 * looked for in a folder (NULL: the working directory) and then among the program's data. --set
 * then takes dotted paths into the file, and the parameters of a record are the scene itself.
 * NULL with a message. */
int case_is_file(const char *name);
const struct case_type *case_open(const char *name, const char *folder, struct base_arena *arena);
/* The same of a parsed scene; shown: its name in messages. */
const struct case_type *case_of_scene(const struct cJSON *scene, const char *shown,
                                      struct base_arena *arena);
#define CASE_SCENE_SCHEMA "coulombench.scene/1"
extern const struct base_table case_scene_keys; /* keys of these files: base/json/keys.h */

#endif
