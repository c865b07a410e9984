/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames for ParaView, read back by a reader of their format that shares nothing with the writer:
 * bodies against the trajectory in the record, forces against the weight they carry, polygons
 * against the volumes they enclose; and that pictures change nothing.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "bench/suite/bench.h"
#include "mech/collision/collision.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

/* --- a reader --- */

struct vtp {
  char *bytes;
  size_t size;
  const char *appended; /* behind the "_" */
  int points, polygons;
};

static int number_at(const char *text, const char *key) {
  const char *at = strstr(text, key);
  CHECK_MESSAGE(at != NULL, "no %s", key);
  return at != NULL ? (int)strtol(at + strlen(key), NULL, 10) : 0;
}

static struct vtp read_vtp(const char *path) {
  struct vtp v = {0};
  CHECK_OK(base_file_read(path, &v.bytes, &v.size));
  if (v.bytes != NULL) {
    test_at_end(free, v.bytes);
    const char *at = strstr(v.bytes, "<AppendedData encoding=\"raw\">");
    CHECK(at != NULL && strstr(v.bytes, "header_type=\"UInt64\"") < at);
    v.appended = strchr(at, '_') + 1;
    v.points = number_at(v.bytes, "NumberOfPoints=\"");
    v.polygons = number_at(v.bytes, "NumberOfPolys=\"");
  }
  return v;
}

/* The array of that name, *n numbers as doubles, in the arena of the test; NULL: not there. */
static double *array_of(const struct vtp *v, const char *name, int *n) {
  char key[60];
  snprintf(key, sizeof key, "Name=\"%s\"", name);
  const char *at = strstr(v->bytes, key), *tag = at;
  if (at == NULL || at > v->appended) {
    return NULL;
  }
  while (*tag != '<') {
    --tag;
  }
  const char *data = v->appended + number_at(at, "offset=\"");
  uint64_t size;
  memcpy(&size, data, sizeof size);
  data += sizeof size;
  CHECK(data + size <= v->bytes + v->size);
  const int is_real = strncmp(tag, "<DataArray type=\"Float64\"", 25) == 0;
  const int is_short = strncmp(tag, "<DataArray type=\"Int32\"", 23) == 0;
  *n = (int)(size / (is_short ? 4 : 8));
  double *x = base_arena_doubles(test_arena(), *n + 1);
  for (int i = 0; i < *n; ++i) {
    int32_t small;
    int64_t large;
    if (is_real) {
      memcpy(&x[i], data + 8 * (size_t)i, 8);
    } else if (is_short) {
      memcpy(&small, data + 4 * (size_t)i, 4);
      x[i] = small;
    } else {
      memcpy(&large, data + 8 * (size_t)i, 8);
      x[i] = (double)large;
    }
  }
  return x;
}

/* Files and times of a series; their number. */
static int read_list(const char *path, int most, double *t) {
  char *text = NULL;
  size_t size;
  int n = 0;
  CHECK_OK(base_file_read(path, &text, &size));
  for (const char *at = text; at != NULL && (at = strstr(at, "timestep=\"")) != NULL; ++n) {
    at += strlen("timestep=\"");
    t[n < most ? n : 0] = strtod(at, NULL);
    char file[200], name[60];
    CHECK(sscanf(strstr(at, "file=\""), "file=\"%59[^\"]", name) == 1);
    snprintf(file, sizeof file, "%.*s/%s", (int)(strrchr(path, '/') - path), path, name);
    CHECK_MESSAGE(access(file, R_OK) == 0, "%s is not there", file);
  }
  free(text);
  return n;
}

static void run_into(const char *name, struct bench_request request) {
  CHECK_OK(trial_to_file(request, scratch_path(name)));
}

/* --- bodies --- */

/* Column of the trajectory in the record at sample k: q or u, "name.x". */
static double sampled(const cJSON *record, const char *block, const char *body, const char *suffix,
                      int k) {
  char name[60];
  snprintf(name, sizeof name, "%s.%s", body, suffix);
  const cJSON *column = cJSON_GetObjectItem(base_json_at(record, block), name);
  CHECK_MESSAGE(column != NULL, "no %s in %s", name, block);
  return column != NULL ? cJSON_GetArrayItem(column, k)->valuedouble : NAN;
}

/* w: in the world's axes, of the body's w0 under the quaternion A: A w0 A*. */
static void turn(const double A[4], const double w0[3], double w[3]) {
  const double s = A[0], *a = A + 1;
  const double dot = a[0] * w0[0] + a[1] * w0[1] + a[2] * w0[2];
  const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    w[i] = (s * s - aa) * w0[i] + 2 * dot * a[i] + 2 * s * (a[j] * w0[k] - a[k] * w0[j]);
  }
}

/* A frame's bodies, those numbered from `first` on, against sample k; a scalable body's length
 * may differ from one by round-off. */
static void compare_bodies(const char *path, const cJSON *record, int k, int planar, int first,
                           int n, const char *const names[]) {
  static const char *const axes[] = {"x", "y", "z"}, *const speeds[] = {"vx", "vy", "vz"};
  static const char *const turns[] = {"wx", "wy", "wz"}, *const attitude[] = {"a0", "a1", "a2",
                                                                              "a3"};
  struct vtp v = read_vtp(path);
  int m;
  double *x = array_of(&v, "points", &m), *u = array_of(&v, "velocity", &m);
  double *w = array_of(&v, "angular_velocity", &m), *A = array_of(&v, "orientation", &m);
  double *id = array_of(&v, "id", &m);
  CHECK(v.points >= first + n);
  for (int b = 0; b < n; ++b) {
    const int i = first + b;
    double A0[4] = {0}, w0[3] = {0}, world[3];
    CHECK(id[i] == i);
    for (int d = 0; d < 3; ++d) {
      CHECK(x[3 * i + d] ==
            (planar && d == 2 ? 0 : sampled(record, "trajectory.q", names[b], axes[d], k)));
      CHECK(u[3 * i + d] ==
            (planar && d == 2 ? 0 : sampled(record, "trajectory.u", names[b], speeds[d], k)));
      w0[d] = !planar  ? sampled(record, "trajectory.u", names[b], turns[d], k)
              : d == 2 ? sampled(record, "trajectory.u", names[b], "w", k)
                       : 0;
    }
    const double half = planar ? 0.5 * sampled(record, "trajectory.q", names[b], "phi", k) : 0;
    A0[0] = cos(half), A0[3] = sin(half);
    for (int d = 0; d < 4; ++d) {
      A0[d] = planar ? A0[d] : sampled(record, "trajectory.q", names[b], attitude[d], k);
      CHECK_NEAR(A[4 * i + d], A0[d], 1e-15);
    }
    turn(A0, w0, world);
    for (int d = 0; d < 3; ++d) {
      CHECK_NEAR(w[3 * i + d], world[d], 1e-14 * (1 + fabs(w0[0]) + fabs(w0[1]) + fabs(w0[2])));
    }
  }
}

static const struct {
  const char *case_name, *formulation;
  int planar, first, n;
  const char *names[3];
} scenes[] = {
    {"cases/scenes/planar.json", "ncp", 1, 1, 3, {"box", "disk", "arm"}},
    {"cases/scenes/compound.json", "moreau", 0, 1, 1, {"hammer"}},
    {"cases/scenes/spheres.json", "penalty", 0, 0, 2, {"cue", "target"}},
    {"cases/scenes/scalable.json", "consistent-twostep", 0, 0, 1, {"brick"}},
};

TEST(bodies_are_where_the_record_says) {
  for (size_t s = 0; s < sizeof scenes / sizeof *scenes; ++s) {
    const struct bench_request request = {.case_name = scenes[s].case_name,
                                          .formulation = scenes[s].formulation,
                                          .dt = 1e-3,
                                          .t_end = 0.25,
                                          .sample = 0.1};
    struct bench_request pictured = request;
    char vtk[220], path[220];
    snprintf(vtk, sizeof vtk, "%s/%zu:0.1", scratch_path("bodies"), s);
    pictured.vtk = vtk;
    run_into("plain.json", request);
    run_into("pictured.json", pictured);
    const cJSON *record = trial_read(scratch_path("pictured.json"));
    const cJSON *plain = trial_read(scratch_path("plain.json"));
    double t[8];
    snprintf(path, sizeof path, "%s/%zu/bodies.pvd", scratch_path("bodies"), s);
    const int n = read_list(path, 8, t);
    CHECK_INT(n, 4); /* 0, 0.1, 0.2, 0.25 s */
    for (int k = 0; k < n; ++k) {
      CHECK(t[k] == cJSON_GetArrayItem(base_json_at(record, "trajectory.t"), k)->valuedouble);
      snprintf(path, sizeof path, "%s/%zu/bodies_%06d.vtp", scratch_path("bodies"), s, k);
      compare_bodies(path, record, k, scenes[s].planar, scenes[s].first, scenes[s].n,
                     scenes[s].names);
    }
    CHECK_MESSAGE(strcmp(trial_lasting(record), trial_lasting(plain)) == 0,
                  "%s: pictures change the record", request.case_name);
  }
}

/* --- contacts --- */

TEST(forces_on_the_floor_carry_the_weight) {
  const double weight = 3 * 2000 * 0.2 * 0.1 * 0.1 * 9.81; /* three boxes of the case's defaults */
  char vtk[220];
  snprintf(vtk, sizeof vtk, "%s:0.05", scratch_path("stack"));
  const struct bench_request request = {.case_name = "box-stack",
                                        .formulation = "ncp",
                                        .is_tight = 1,
                                        .set = BASE_WORDS("n=3"),
                                        .t_end = 0.1,
                                        .vtk = vtk};
  run_into("stack.json", request);
  struct vtp v = read_vtp(scratch_path("stack/contacts_000002.vtp"));
  int n, m;
  double *force = array_of(&v, "force", &n), *body = array_of(&v, "bodies", &m), sum[3] = {0};
  double *normal = array_of(&v, "normal", &m), *gap = array_of(&v, "gap", &m);
  double *point = array_of(&v, "points", &m), moment[2] = {0};
  CHECK_INT(v.points, 12);
  for (int i = 0; i < v.points; ++i) {
    CHECK_NEAR(gap[i], 0, 1e-12);
    CHECK_NEAR(normal[3 * i + 2], 1, 1e-12);
    CHECK(body[2 * i + 1] == body[2 * i] + 1);
    for (int d = 0; d < 3 && body[2 * i] < 0; ++d) {
      sum[d] += force[3 * i + d];
    }
    for (int d = 0; d < 2 && body[2 * i] < 0; ++d) {
      moment[d] += force[3 * i + 2] * point[3 * i + d];
    }
  }
  CHECK_NEAR(sum[0], 0, 1e-6 * weight);
  CHECK_NEAR(sum[1], 0, 1e-6 * weight);
  CHECK_NEAR(sum[2], weight, 1e-6 * weight);
  CHECK_NEAR(moment[0], 0, 1e-6 * weight);
  CHECK_NEAR(moment[1], 0, 1e-6 * weight);
}

/* --- polygons --- */

/* Six times the volume of the tetrahedra from o to the triangles of a polygon. */
static double cone_of(const double *x, const double *corner, int n, const double o[3]) {
  double sum = 0;
  for (int i = 1; i + 1 < n; ++i) {
    double e[3][3];
    const int at[3] = {0, i, i + 1};
    for (int k = 0; k < 3; ++k) {
      for (int d = 0; d < 3; ++d) {
        e[k][d] = x[3 * (int)corner[at[k]] + d] - o[d];
      }
    }
    sum += e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  }
  return sum;
}

/* What the polygons of a shape enclose: of round ones, with twelve corners about the axis, a prism
 * of base 3 R^2, and on a cap of circles at 0, 30, 60 degrees and the pole bands of frusta. */
static double volume_of(int kind, double R, double half_length) {
  double cap = 0;
  for (int k = 0; k < 3; ++k) {
    const double e = k * M_PI / 6, f = (k + 1) * M_PI / 6;
    const double low = cos(e), high = k < 2 ? cos(f) : 0;
    cap += R * (sin(f) - sin(e)) * R * R * (low * low + low * high + high * high);
  }
  const double prism = 3 * R * R * 2 * half_length;
  return kind == MECH_SHAPE_SPHERE ? 2 * cap : kind == MECH_SHAPE_CAPSULE ? 2 * cap + prism : prism;
}

TEST(polygons_enclose_the_shapes_from_outside) {
  const struct {
    int kind;
    double volume;
  } shapes[5] = {{MECH_SHAPE_SPHERE, 0},
                 {MECH_SHAPE_BOX, 8 * 0.1 * 0.2 * 0.3},
                 {MECH_SHAPE_CAPSULE, volume_of(MECH_SHAPE_CAPSULE, 0.11, 0.25)},
                 {MECH_SHAPE_CYLINDER, volume_of(MECH_SHAPE_CYLINDER, 0.12, 0.35)},
                 {MECH_SHAPE_SPHERE, volume_of(MECH_SHAPE_SPHERE, 0.13, 0)}};
  const struct bench_request request = {
      .case_name = "tests/scenes/solids.json", .formulation = "ncp", .vtk = scratch_path("solids")};
  run_into("out.json", request);
  struct vtp v = read_vtp(scratch_path("solids/shapes_000010.vtp"));
  struct vtp b = read_vtp(scratch_path("solids/bodies_000010.vtp"));
  int n;
  double *x = array_of(&v, "points", &n), *corner = array_of(&v, "connectivity", &n);
  double *end = array_of(&v, "offsets", &n), *shape = array_of(&v, "shape", &n);
  double *kind = array_of(&v, "kind", &n), *body = array_of(&v, "body", &n);
  double *radius = array_of(&b, "radius", &n), found[5] = {0};
  const double o[3] = {0.3, -0.7, 1.1}; /* anywhere: only closed surfaces do not care */
  for (int f = 0, begin = 0; f < v.polygons; begin = (int)end[f++]) {
    const int i = (int)shape[f];
    found[i] += cone_of(x, corner + begin, (int)end[f] - begin, o) / 6;
    CHECK(kind[f] == shapes[i].kind && body[f] == 1);
  }
  for (int i = 0; i < 5; ++i) {
    CHECK_NEAR(found[i], shapes[i].volume, 1e-14);
  }
  CHECK(radius[0] == 0.07 && radius[1] == 0);
}

/* --- series --- */

TEST(a_run_that_goes_on_completes_the_series) {
  struct bench_request request = {.case_name = "packing",
                                  .formulation = "ncp",
                                  .set = BASE_WORDS("n=12", "gap=0", "shape=mixed"),
                                  .t_end = 0.1,
                                  .vtk = scratch_path("whole"),
                                  .checkpoint = scratch_path("state"),
                                  .checkpoint_every = 0.043};
  run_into("out.json", request);
  request.vtk = scratch_path("resumed");
  request.checkpoint = NULL;
  request.checkpoint_every = 0;
  request.restart = scratch_path("state");
  run_into("out.json", request);
  double whole[200], resumed[200];
  const int n = read_list(scratch_path("whole/contacts.pvd"), 200, whole);
  const int m = read_list(scratch_path("resumed/contacts.pvd"), 200, resumed);
  CHECK_INT(n, 101);
  CHECK_INT(m, 14); /* from 0.087 s on */
  for (int k = 0; k < m; ++k) {
    char name[2][60];
    CHECK(resumed[k] == whole[n - m + k]);
    snprintf(name[0], sizeof name[0], "whole/contacts_%06d.vtp", n - m + k);
    snprintf(name[1], sizeof name[1], "resumed/contacts_%06d.vtp", n - m + k);
    CHECK(scratch_same_files(scratch_path(name[0]), scratch_path(name[1])));
  }
  request.vtk = scratch_path("whole"); /* where the earlier frames are */
  request.restart = scratch_path("state");
  unlink(scratch_path("whole/contacts.pvd"));
  run_into("out.json", request);
  CHECK_INT(read_list(scratch_path("whole/contacts.pvd"), 200, whole), 101);
}

TEST(what_cannot_be_shown_or_written_is_refused) {
  struct bench_request request = {.case_name = "falling-particle",
                                  .formulation = "ncp",
                                  .t_end = 0.1,
                                  .vtk = scratch_path("none")};
  CHECK_REFUSED(trial_to_file(request, scratch_path("refused.json")), BASE_E_INPUT,
                "only assemblies");
  request.case_name = "box-stack";
  static const char *const bad[] = {"", ":0.1", "a:b", "a:0", "a:-1", "a:nan", "a:inf", "a:"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    request.vtk = bad[i];
    CHECK_INT(trial_to_file(request, scratch_path("refused.json")), BASE_E_INPUT);
  }
  CHECK_OK(base_file_write(scratch_path("file"), "kept", 4));
  request.vtk = scratch_path("file");
  CHECK_REFUSED(trial_to_file(request, scratch_path("refused.json")), BASE_E_IO,
                "file: cannot create folder");
  CHECK(access(scratch_path("refused.json"), F_OK) != 0 && access(scratch_path("none"), F_OK) != 0);
}

TEST(a_frame_that_cannot_be_written_costs_no_record) {
  const struct bench_request request = {.case_name = "box-stack",
                                        .formulation = "ncp",
                                        .set = BASE_WORDS("n=1"),
                                        .t_end = 0.1,
                                        .vtk = scratch_path("broken")};
  CHECK(mkdir(scratch_path("broken"), 0777) == 0);
  CHECK(mkdir(scratch_path("broken/shapes_000003.vtp"), 0777) == 0);
  CHECK_REFUSED(trial_to_file(request, scratch_path("broken.json")), BASE_E_IO,
                "shapes_000003.vtp");
  cJSON *record = test_json(base_json_read(scratch_path("broken.json")));
  CHECK(base_json_real_at(record, "final.t") == 0.1);
  double t[8];
  CHECK_INT(read_list(scratch_path("broken/contacts.pvd"), 8, t), 3);
}
