/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of FCLIB that are made to harm, by HDF5 alone, for tests/cli/fclib.sh:
 *
 *   hostile make DIR FILE           variants of a sound local problem FILE with one contact in
 *   space
 *   hostile bend DIR FILE N SEED    N copies of FILE with up to 8 bytes changed at random
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder, *sound;
static char path[4096];

#define MU "fclib_local/vectors/mu"
#define Q "fclib_local/vectors/q"

enum { MANY = 200 * 1000 * 1000, CHUNK = 1000 * 1000, BENT_MOST = 8 };

static char *read_whole(const char *name, long *size) {
  FILE *file = fopen(name, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (*size = ftell(file)) < 0) {
    exit(1);
  }
  char *bytes = malloc((size_t)*size);
  rewind(file);
  if (fread(bytes, 1, (size_t)*size, file) != (size_t)*size) {
    exit(1);
  }
  fclose(file);
  return bytes;
}

static void write_whole(const char *name, const char *bytes, long size) {
  FILE *file = fopen(name, "wb");
  if (file == NULL || fwrite(bytes, 1, (size_t)size, file) != (size_t)size || fclose(file) != 0) {
    exit(1);
  }
}

/* A copy of the sound file, open; what: taken out of it. */
static hid_t copy_without(const char *name, const char *what) {
  long size;
  char *bytes = read_whole(sound, &size);
  snprintf(path, sizeof path, "%s/hostile-%s.hdf5", folder, name);
  write_whole(path, bytes, size);
  free(bytes);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, what, H5P_DEFAULT);
  return file;
}

static hid_t add(hid_t file, const char *what, hid_t type, hsize_t n, hid_t made) {
  const hid_t space = H5Screate_simple(1, &n, NULL);
  return H5Dcreate(file, what, type, space, H5P_DEFAULT, made, H5P_DEFAULT);
}

static hid_t deflated(hsize_t chunk) {
  const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(made, 1, &chunk);
  H5Pset_deflate(made, 9);
  return made;
}

static void make_sizes(void) {
  hid_t file = copy_without("unwritten", Q);
  add(file, Q, H5T_NATIVE_DOUBLE, 2000000000, H5P_DEFAULT);
  H5Fclose(file);
  file = copy_without("chunks", MU);
  add(file, MU, H5T_NATIVE_DOUBLE, MANY / 2, deflated(CHUNK));
  H5Fclose(file);
  /* Whole and well packed: nothing is wrong with it but that it has no sense. */
  file = copy_without("zeros", MU);
  double *zeros = calloc(MANY / 8, sizeof *zeros);
  H5Dwrite(add(file, MU, H5T_NATIVE_DOUBLE, MANY / 8, deflated(CHUNK)), H5T_NATIVE_DOUBLE, H5S_ALL,
           H5S_ALL, H5P_DEFAULT, zeros);
  free(zeros);
  H5Fclose(file);
  file = copy_without("wide", "fclib_local/spacedim");
  const hid_t wide = H5Tcopy(H5T_NATIVE_INT);
  H5Tset_size(wide, 4000);
  H5Tset_precision(wide, 8 * 4000);
  add(file, "fclib_local/spacedim", wide, 1, H5P_DEFAULT);
  H5Fclose(file);
  /* One chunk of many that are promised. */
  file = copy_without("holes", MU);
  const hid_t set = add(file, MU, H5T_NATIVE_DOUBLE, MANY, deflated(CHUNK / 100));
  const hsize_t first = 0, count = 1;
  const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
  const double one = 1;
  H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &one);
  H5Fclose(file);
}

static void make_links(void) {
  hid_t file = copy_without("external", Q);
  H5Lcreate_external(sound, Q, file, Q, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  file = copy_without("external-group", "fclib_local");
  H5Lcreate_external(sound, "fclib_local", file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  file = copy_without("soft", "fclib_local/vectors");
  H5Lcreate_external(sound, "fclib_local/vectors", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/elsewhere", file, "fclib_local/vectors", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  file = copy_without("circle", "fclib_local");
  H5Lcreate_soft("/fclib_local", file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  file = copy_without("storage", Q);
  hid_t made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(made, "/etc/passwd", 0, 24);
  add(file, Q, H5T_NATIVE_DOUBLE, 3, made);
  H5Fclose(file);
  file = copy_without("virtual", Q);
  const hsize_t n = 3;
  const hid_t space = H5Screate_simple(1, &n, NULL);
  made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(made, space, sound, "/" Q, space);
  add(file, Q, H5T_NATIVE_DOUBLE, n, made);
  H5Fclose(file);
}

/* Nothing wrong with it: a number behind a filter. */
static void make_packed(void) {
  const hid_t file = copy_without("packed", MU);
  const double half = 0.5;
  H5Dwrite(add(file, MU, H5T_NATIVE_DOUBLE, 1, deflated(1)), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
           H5P_DEFAULT, &half);
  H5Fclose(file);
}

/* xorshift64* of a seed other than 0 */
static uint64_t next(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 2685821657736338717U;
}

static void bend(int n, uint64_t state) {
  long size;
  char *bytes = read_whole(sound, &size), *bent = malloc((size_t)size);
  for (int i = 0; i < n; ++i) {
    memcpy(bent, bytes, (size_t)size);
    for (uint64_t k = 1 + (next(&state) >> 32) % BENT_MOST; k > 0; --k) {
      const uint64_t at = 8 + (next(&state) >> 16) % (uint64_t)(size - 8); /* past the signature */
      bent[at] = (char)(next(&state) >> 56);
    }
    snprintf(path, sizeof path, "%s/bent-%d.hdf5", folder, i);
    write_whole(path, bent, size);
  }
  free(bent);
  free(bytes);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    return 1;
  }
  folder = argv[2];
  sound = argv[3];
  if (argc == 6) {
    bend((int)strtol(argv[4], NULL, 10), strtoull(argv[5], NULL, 10));
  } else {
    make_sizes();
    make_links();
    make_packed();
  }
  return 0;
}
