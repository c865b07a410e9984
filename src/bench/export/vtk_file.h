/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files for ParaView: one piece of polygonal data as VTK XML (PolyData, .vtp), its arrays appended
 * as raw binary behind a header of 64 bits each, and the list that makes a series in time of such
 * files (.pvd). Numbers go in as they are in memory: positions read back are the same doubles.
 */
#ifndef BENCH_VTK_FILE_H
#define BENCH_VTK_FILE_H

#include "base/memory/arena.h"

enum bench_vtk_type { BENCH_VTK_REAL, BENCH_VTK_INT, BENCH_VTK_LONG }; /* double, int, long */

struct bench_vtk_array {
  const char *name;
  int components;
  enum bench_vtk_type type;
  const void *data; /* components x n */
};

/* Points alone are drawn as vertices; polygons as given. */
struct bench_vtk_poly {
  double t; /* [s] */
  int n_points;
  const double *point; /* 3 x n_points [m] */
  int n_polygons;      /* 0 unless there is a polygon array */
  const int *end;      /* n_polygons, of each one's corners; NULL: vertices */
  const int *corner;   /* end[n_polygons - 1], points */
  int n_arrays;
  const struct bench_vtk_array *array; /* of points; of polygons where there are such */
};

/* Written whole or not at all; BASE_E_IO with a message. */
int bench_vtk_write(const char *path, const struct bench_vtk_poly *poly, struct base_arena *arena);
/* DIR/<name>.pvd with the files <name>_<k>.vtp of k = first ... first + n - 1, at the times t. */
int bench_vtk_write_series(const char *folder, const char *name, int first, int n, const double *t,
                           struct base_arena *arena);
/* DIR/<name>_<k>.vtp, from the arena. */
const char *bench_vtk_path(const char *folder, const char *name, int k, struct base_arena *arena);

#endif
