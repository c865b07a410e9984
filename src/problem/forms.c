/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of problems' files, known by how a file begins: ours (io.c), Siconos' text
 * (siconos_text.c), and FCLIB's HDF5, which goes through the program coulombench-fclib
 * (src/fclib.c): bytes on its standard input, bytes on its standard output, in a process of its
 * own. `make` builds that program where HDF5 is.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/process/child.h"
#include "base/status.h"
#include "base/text.h"
#include "problem/foreign.h"

#define FCLIB_PROGRAM "coulombench-fclib"
/* Reading an HDF5 file is a matter of seconds; a damaged one may lead its library in circles. */
static const double FCLIB_SECONDS = 300;
static const size_t FCLIB_OUTPUT_MOST = (size_t)1 << 30;

/* What coulombench-fclib makes of some bytes, in so many seconds; how: "read" or "write". */
static int ask_fclib(const char *file, const char *how, const char *bytes, size_t size,
                     double seconds, struct base_arena *arena, struct base_child_end *end) {
  const char *program = base_program_path(FCLIB_PROGRAM, arena);
  if (program == NULL) {
    return base_fail(BASE_E_INPUT,
                     "%s: a file of FCLIB (HDF5), and this build has no " FCLIB_PROGRAM
                     "; 'make PEERS=1' installs the library and builds it",
                     file);
  }
  const char *const argv[] = {program, how, NULL};
  const struct base_child child = {.argv = argv,
                                   .input = bytes,
                                   .input_size = size,
                                   .output_most = FCLIB_OUTPUT_MOST,
                                   .limit = fmin(seconds, FCLIB_SECONDS)};
  const int status = base_child_run(&child, file, arena, end);
  if (status == BASE_OK && end->says[0] != '\0') {
    fprintf(stderr, "%s: %s\n", base_text_clean(file, arena), end->says);
  }
  if (status == BASE_TIMEOUT && seconds < FCLIB_SECONDS) {
    return base_fail(BASE_TIMEOUT, "the problem was not read in %.3g s", seconds);
  }
  return status == BASE_OK ? BASE_OK : (int)BASE_E_INPUT;
}

static int read_fclib(const char *file, const char *bytes, size_t size, double seconds,
                      struct base_arena *arena, struct problem *p) {
  struct base_child_end end = {0};
  int status = ask_fclib(file, "read", bytes, size, seconds, arena, &end);
  if (status != BASE_OK) {
    return status;
  }
  cJSON *root = base_json_parse(end.output, file);
  status = root != NULL ? problem_from_json(root, file, arena, p) : (int)BASE_E_INPUT;
  cJSON_Delete(root);
  return status;
}

int problem_print_fclib(const char *file, const struct problem *p, struct base_arena *arena,
                        const char **bytes, size_t *size) {
  if (p->is_raw || p->model.dim < 2 || p->model.law != CONTACT_LAW_NCP) {
    return base_fail(BASE_E_INPUT,
                     "%s: FCLIB's form holds planar and spatial problems of law ncp alone", file);
  }
  if (p->A.compliance != NULL) {
    return base_fail(BASE_E_INPUT, "%s: FCLIB's form holds rigid contacts alone", file);
  }
  cJSON *root = problem_to_json(file, p, arena);
  if (root == NULL) {
    return BASE_E_INPUT;
  }
  char *text = base_json_text(root);
  cJSON_Delete(root);
  struct base_child_end end;
  const int status = ask_fclib(file, "write", text, strlen(text), FCLIB_SECONDS, arena, &end);
  free(text);
  *bytes = end.output;
  *size = end.size;
  return status;
}

/* ---- any form ---- */

enum form { FORM_JSON, FORM_SICONOS, FORM_FCLIB };

/* By the first bytes of a regular file; of what can be read only once ours is taken for granted. */
static enum form form_of(const char *path) {
  static const char hdf5[8] = "\211HDF\r\n\032\n";
  struct stat state;
  char head[64] = "";
  FILE *file = stat(path, &state) == 0 && S_ISREG(state.st_mode) ? fopen(path, "rb") : NULL;
  const size_t n = file != NULL ? fread(head, 1, sizeof head - 1, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  if (n >= sizeof hdf5 && memcmp(head, hdf5, sizeof hdf5) == 0) {
    return FORM_FCLIB;
  }
  return isdigit((unsigned char)head[strspn(head, " \t\r\n")]) ? FORM_SICONOS : FORM_JSON;
}

int problem_file_is_foreign(const char *path) { return form_of(path) != FORM_JSON; }

/* A name of its own has none of these: that of the file stands for it. */
static const char *file_name(const char *path, struct base_arena *arena) {
  const char *slash = strrchr(path, '/');
  char *name = base_arena_copy(arena, slash != NULL ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name) {
    *dot = '\0';
  }
  return name;
}

static int read_foreign(const char *path, enum form form, double seconds, struct base_arena *arena,
                        struct problem *p) {
  char *bytes;
  size_t size;
  int status = base_file_read(path, &bytes, &size);
  if (status != BASE_OK) {
    return status;
  }
  status = form == FORM_FCLIB      ? read_fclib(path, bytes, size, seconds, arena, p)
           : strlen(bytes) != size ? base_fail(BASE_E_INPUT, "%s: holds NUL", path)
                                   : problem_read_siconos(path, bytes, arena, p);
  free(bytes);
  if (status == BASE_OK && p->name[0] == '\0') {
    p->name = file_name(path, arena);
  }
  return status;
}

int problem_read_within(const char *path, double seconds, struct base_arena *arena,
                        struct problem *p) {
  *p = (struct problem){.name = ""};
  const enum form form = form_of(path);
  if (form != FORM_JSON) {
    return read_foreign(path, form, seconds, arena, p);
  }
  cJSON *root = base_json_read(path);
  const int status = root != NULL ? problem_from_json(root, path, arena, p) : (int)BASE_E_INPUT;
  cJSON_Delete(root);
  return status;
}

int problem_read(const char *path, struct base_arena *arena, struct problem *p) {
  return problem_read_within(path, INFINITY, arena, p);
}

int problem_file_is_fclib(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}
