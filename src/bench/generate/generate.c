/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes of the families, to files; see generate.h. The stream of a scene begins anew with family
 * and seed, and goes to the parameters, to the scene's rotation, then to what the family draws.
 */
#include "bench/generate/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/names.h"
#include "base/rng.h"
#include "base/status.h"
#include "bench/generate/draft.h"
#include "cases/case.h"

enum { SEED_MAX = 1000000, FAMILIES_MAX = 32 };

/* "slope 0.31, mu 0.4523 ..." from the parameters drawn. */
static const char *describe(const struct generate_family *f, const double *p,
                            struct base_arena *arena) {
  const char *text = "Drawn:";
  for (int i = 0; i < GENERATE_PARAMETERS_MAX && f->parameters[i].name != NULL; ++i) {
    const char *unit = f->parameters[i].unit;
    text = base_arena_printf(arena, "%s%s %s = %.8g%s%s", text, i > 0 ? "," : "",
                             f->parameters[i].name, p[i], unit[0] != '-' ? " " : "",
                             unit[0] != '-' ? unit : "");
  }
  return text;
}

struct cJSON *generate_scene(const struct generate_family *family, int seed) {
  static const double PI = 3.14159265358979323846;
  struct base_arena *arena = base_arena_alloc();
  const uint64_t stream = base_hash_text(BASE_HASH_EMPTY, family->name) + (uint64_t)seed;
  struct draft d = {.scene = cJSON_CreateObject(), .rng = base_rng_alloc(stream & UINT32_MAX)};
  double p[GENERATE_PARAMETERS_MAX] = {0}, rotation[3];
  for (int i = 0; i < GENERATE_PARAMETERS_MAX && family->parameters[i].name != NULL; ++i) {
    const struct generate_parameter *from = &family->parameters[i];
    p[i] = from->is_whole ? draft_whole(&d, (int)from->lo, (int)from->hi)
                          : draft_number(&d, from->lo, from->hi);
  }
  draft_vector(&d, draft_number(&d, 0.5, PI), rotation);
  cJSON_AddStringToObject(d.scene, "schema", CASE_SCENE_SCHEMA);
  cJSON_AddStringToObject(d.scene, "name", base_arena_printf(arena, "%s-%d", family->name, seed));
  cJSON_AddStringToObject(d.scene, "title", family->summary);
  cJSON_AddStringToObject(
      d.scene, "source",
      base_arena_printf(arena, "coulombench scene --family %s --seed %d", family->name, seed));
  cJSON_AddStringToObject(d.scene, "notes", describe(family, p, arena));
  base_json_add_real(d.scene, "dt", family->dt);
  base_json_add_real(d.scene, "t_end", family->t_end);
  base_json_add_reals(d.scene, "rotation", 3, rotation);
  family->build(&d, p);
  cJSON_AddStringToObject(cJSON_AddObjectToObject(d.scene, "reference"), "kind", family->reference);
  base_rng_free(d.rng);
  base_arena_free(arena);
  return d.scene;
}

/* "7" or "1..60". */
static int parse_seeds(const char *text, int *first, int *last) {
  char *end;
  const long from = strtol(text, &end, 10);
  long to = from;
  if (end != text && strncmp(end, "..", 2) == 0) {
    const char *second = end + 2;
    to = strtol(second, &end, 10);
    end = end == second ? "?" : end;
  }
  if (end == text || *end != '\0' || from < 1 || to < from || to > SEED_MAX) {
    return base_fail(BASE_E_INPUT,
                     "--seed = '%s': must be a whole number from 1 to %d, or two of them, "
                     "rising, as 1..60",
                     text, SEED_MAX);
  }
  *first = (int)from;
  *last = (int)to;
  return BASE_OK;
}

static int write_scene(const struct generate_family *family, int seed, const char *path) {
  cJSON *scene = generate_scene(family, seed);
  const int status = base_json_write(path, scene);
  cJSON_Delete(scene);
  return status;
}

/* Scenes of a family below a folder. */
static int write_family(const struct generate_family *family, int first, int last,
                        const char *folder) {
  struct base_arena *arena = base_arena_alloc();
  const char *below = base_arena_printf(arena, "%s/%s", folder, family->name);
  int status = base_file_make_folder(below);
  for (int seed = first; status == BASE_OK && seed <= last; ++seed) {
    status = write_scene(family, seed, base_arena_printf(arena, "%s/%d.json", below, seed));
  }
  base_arena_free(arena);
  return status;
}

int generate_to_files(const char *family, const char *seeds, const char *output) {
  const char *names[FAMILIES_MAX];
  for (int i = 0; i < generate_family_count; ++i) {
    names[i] = generate_families[i].name;
  }
  const int is_all = strcmp(family, "all") == 0;
  const int one = is_all ? 0 : base_name_find("family", family, generate_family_count, names);
  int first = 0, last = 0;
  if (one < 0 || parse_seeds(seeds, &first, &last) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (!is_all && first == last) {
    return write_scene(&generate_families[one], first, output);
  }
  if (strcmp(output, "-") == 0) {
    return base_fail(BASE_E_INPUT, "scene: many scenes need a folder, -o FOLDER");
  }
  int status = BASE_OK;
  for (int i = one; status == BASE_OK && i < (is_all ? generate_family_count : one + 1); ++i) {
    status = write_family(&generate_families[i], first, last, output);
  }
  return status;
}

void generate_list(void) {
  for (int i = 0; i < generate_family_count; ++i) {
    const struct generate_family *f = &generate_families[i];
    printf("%s: %s\n", f->name, f->summary);
    for (int k = 0; k < GENERATE_PARAMETERS_MAX && f->parameters[k].name != NULL; ++k) {
      const struct generate_parameter *p = &f->parameters[k];
      printf("  %-14s %g to %g%s%s%s\n", p->name, p->lo, p->hi, p->unit[0] != '-' ? " " : "",
             p->unit[0] != '-' ? p->unit : "",
             draft_is_wide(p->lo, p->hi) ? ", small ones more often" : "");
    }
  }
}
