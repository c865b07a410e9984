/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench scene`: families of scenes, a scene a seed, and which scenes are twins.
 *
 *   families.c  the table of families: name, ranges of parameters, the function that builds one
 *   draft.c     bodies, shapes and joints while they are put together
 *   twins.c     pairs of records whose motions are alike
 */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

enum { GENERATE_PARAMETERS_MAX = 10 };

struct draft;
struct generate_parameter {
  const char *name, *unit; /* name NULL: no more */
  double lo, hi;
  int is_whole;
};
struct generate_family {
  const char *name, *summary;
  double dt, t_end;      /* [s] */
  const char *reference; /* kind of the scene's: "none" where `event` hardly ever ends */
  /* Drawn in this order before all else. */
  struct generate_parameter parameters[GENERATE_PARAMETERS_MAX];
  /* p: their values. Gravity, material, bodies and joints into the draft. */
  void (*build)(struct draft *d, const double *p);
};
extern const struct generate_family generate_families[];
extern const int generate_family_count;

/* A scene of a family; to be deleted. */
struct cJSON *generate_scene(const struct generate_family *family, int seed);

/* One scene to a file, "-" for standard output. families "all" or seeds "A..B": each scene as
 * OUTPUT/FAMILY/SEED.json; output is then a folder. BASE_E_INPUT, BASE_E_IO with a message. */
int generate_to_files(const char *family, const char *seeds, const char *output);
/* Families with their parameters and ranges, on standard output. */
void generate_list(void);
/* Pairs of records of folders whose motions differ by less than GENERATE_TWIN, on standard output
 * with their distance; *found: how many. BASE_E_INPUT with a message. */
#define GENERATE_TWIN 0.02
int generate_find_twins(int n, char *const *folders, int *found);

#endif
