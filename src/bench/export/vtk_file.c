/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * VTK XML files; see vtk_file.h. A file is a header in XML, which names for every array its type
 * and its offset, then "_" and the arrays, each behind its size in bytes:
 *
 *   <VTKFile type="PolyData" header_type="UInt64" ...> ... <AppendedData encoding="raw"> _ ...
 */
#include "bench/export/vtk_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes/blob.h"
#include "base/json/json.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_NAME "BigEndian"
#else
#define BYTE_ORDER_NAME "LittleEndian"
#endif

static const struct {
  const char *name;
  size_t size;
} types[] = {[BENCH_VTK_REAL] = {"Float64", sizeof(double)},
             [BENCH_VTK_INT] = {sizeof(int) == 8 ? "Int64" : "Int32", sizeof(int)},
             [BENCH_VTK_LONG] = {sizeof(long) == 8 ? "Int64" : "Int32", sizeof(long)}};

/* A file under way: the header first, the arrays noted in it afterwards. */
enum { ARRAYS_MAX = 16 };
struct vtk_file {
  struct base_blob blob;
  struct base_arena *arena;
  size_t offset; /* of the next array [bytes] */
  int n;
  const void *data[ARRAYS_MAX];
  size_t size[ARRAYS_MAX];
};

/* A blob that is written reads what it is given. */
static void put_bytes(struct vtk_file *f, const void *bytes, size_t size) {
  base_blob_pass(&f->blob, (void *)bytes, size);
}

static void put(struct vtk_file *f, const char *text) { put_bytes(f, text, strlen(text)); }

static void put_array(struct vtk_file *f, const struct bench_vtk_array *a, int n) {
  const size_t size = (size_t)n * (size_t)a->components * types[a->type].size;
  put(f, base_arena_printf(f->arena,
                           "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                           "format=\"appended\" offset=\"%zu\"/>\n",
                           types[a->type].name, a->name, a->components, f->offset));
  f->data[f->n] = a->data;
  f->size[f->n++] = size;
  f->offset += sizeof(uint64_t) + size;
}

static void put_cells(struct vtk_file *f, const char *tag, int n_corners, const int *corner, int n,
                      const int *end) {
  put(f, base_arena_printf(f->arena, "<%s>\n", tag));
  put_array(f, &(struct bench_vtk_array){"connectivity", 1, BENCH_VTK_INT, corner}, n_corners);
  put_array(f, &(struct bench_vtk_array){"offsets", 1, BENCH_VTK_INT, end}, n);
  put(f, base_arena_printf(f->arena, "</%s>\n", tag));
}

static void put_header(struct vtk_file *f, const struct bench_vtk_poly *p) {
  char t[BASE_JSON_NUMBER_SIZE];
  const int of_polygons = p->end != NULL;
  put(f, base_arena_printf(
             f->arena,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
             "\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
             "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
             "format=\"ascii\">%s</DataArray>\n</FieldData>\n"
             "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
             base_json_number(p->t, t), p->n_points, of_polygons ? 0 : p->n_points, p->n_polygons));
  put(f, of_polygons ? "<CellData>\n" : "<PointData>\n");
  for (int i = 0; i < p->n_arrays; ++i) {
    put_array(f, &p->array[i], of_polygons ? p->n_polygons : p->n_points);
  }
  put(f, of_polygons ? "</CellData>\n<Points>\n" : "</PointData>\n<Points>\n");
  put_array(f, &(struct bench_vtk_array){"points", 3, BENCH_VTK_REAL, p->point}, p->n_points);
  put(f, "</Points>\n");
  if (of_polygons) {
    put_cells(f, "Polys", p->n_polygons > 0 ? p->end[p->n_polygons - 1] : 0, p->corner,
              p->n_polygons, p->end);
  } else {
    int *count = base_arena_ints(f->arena, p->n_points + 1);
    for (int i = 0; i <= p->n_points; ++i) {
      count[i] = i;
    }
    put_cells(f, "Verts", p->n_points, count, p->n_points, count + 1);
  }
  put(f, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

int bench_vtk_write(const char *path, const struct bench_vtk_poly *poly, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct vtk_file f = {.arena = arena};
  put_header(&f, poly);
  for (int i = 0; i < f.n; ++i) {
    const uint64_t size = f.size[i];
    put_bytes(&f, &size, sizeof size);
    put_bytes(&f, f.data[i], f.size[i]);
  }
  put(&f, "\n</AppendedData>\n</VTKFile>\n");
  const int status = base_file_write(path, (const char *)f.blob.bytes, f.blob.n);
  base_blob_free(&f.blob);
  base_arena_release(arena, mark);
  return status;
}

const char *bench_vtk_path(const char *folder, const char *name, int k, struct base_arena *arena) {
  return base_arena_printf(arena, "%s/%s_%06d.vtp", folder, name, k);
}

int bench_vtk_write_series(const char *folder, const char *name, int first, int n, const double *t,
                           struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct vtk_file f = {.arena = arena};
  put(&f, "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
          "\">\n<Collection>\n");
  for (int k = 0; k < n; ++k) {
    char line[200], number[BASE_JSON_NUMBER_SIZE];
    snprintf(line, sizeof line,
             "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"%s_%06d.vtp\"/>\n",
             base_json_number(t[k], number), name, first + k);
    put(&f, line);
  }
  put(&f, "</Collection>\n</VTKFile>\n");
  const int status = base_file_write(base_arena_printf(arena, "%s/%s.pvd", folder, name),
                                     (const char *)f.blob.bytes, f.blob.n);
  base_blob_free(&f.blob);
  base_arena_release(arena, mark);
  return status;
}
