/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HDF5 trusts a file: links and data sets may lead to other files, and a size may be arbitrary,
 * since data that were never stored are read as zeros. So a data set is read only if
 *
 *   - all links on the way to it are hard ones: soft, external and user-defined links are refused;
 *   - its bytes are in this file: neither external storage nor a virtual data set;
 *   - it was written, and its numbers fit into the bytes stored for it, and those into the file:
 *     one to one, or, behind filters, with the most that deflation can do.
 *
 * No plugin is loaded for a filter that the library does not have.
 */
#include "fclib_data.h"

#include <limits.h>
#include <string.h>

#include "base/status.h"

enum {
  NUMBER_BYTES_MOST = 16, /* of a number as stored: no wider ones are in use */
  DEFLATION_MOST = 1032   /* bytes from one byte: the format's limit (zlib, "Maximum Expansion") */
};

int fclib_open(struct fclib_file *f, char *bytes, size_t size, struct base_arena *arena) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5PLset_loading_state(0);
  H5Pset_fapl_core(access, (size_t)1 << 20, 0);
  H5Pset_file_image(access, bytes, size);
  *f = (struct fclib_file){
      .id = H5Fopen("problem", H5F_ACC_RDONLY, access), .size = size, .arena = arena};
  return f->id >= 0 ? BASE_OK : base_fail(BASE_E_INPUT, "not a whole HDF5 file");
}

/* Links on the way to the path, the last one included: 0 where one is missing, else 1; *leads: the
 * first that is no hard one, else NULL. Nothing behind that is looked at. */
static int look(const struct fclib_file *f, const char *path, const char **leads) {
  char *part = base_arena_copy(f->arena, path), *slash = part;
  *leads = NULL;
  while (slash != NULL) {
    H5L_info_t info;
    slash = strchr(slash, '/');
    if (slash != NULL) {
      *slash = '\0';
    }
    if (H5Lexists(f->id, part, H5P_DEFAULT) <= 0 ||
        H5Lget_info(f->id, part, &info, H5P_DEFAULT) < 0) {
      return 0;
    }
    if (info.type != H5L_TYPE_HARD) {
      *leads = part;
      return 1;
    }
    if (slash != NULL) {
      *slash++ = '/';
    }
  }
  return 1;
}

int fclib_has(const struct fclib_file *f, const char *path) {
  const char *leads;
  return look(f, path, &leads);
}

/* A data set that is open. What is open goes with the process. */
struct set {
  hid_t id, type, space;
  long long count;
};

/* Are its bytes in this file, as many as its size says? */
static int check_storage(const struct fclib_file *f, const char *path, const struct set *set) {
  const hid_t made = H5Dget_create_plist(set->id);
  H5D_space_status_t stored = H5D_SPACE_STATUS_ERROR;
  if (H5Pget_layout(made) == H5D_VIRTUAL || H5Pget_external_count(made) != 0) {
    return base_fail(BASE_E_INPUT, "%s: its numbers are in another file", path);
  }
  if (set->count > 0 &&
      (H5Dget_space_status(set->id, &stored) < 0 || stored == H5D_SPACE_STATUS_NOT_ALLOCATED)) {
    return base_fail(BASE_E_INPUT, "%s: its %lld numbers were never written", path, set->count);
  }
  const unsigned long long bytes = H5Dget_storage_size(set->id);
  const double most = (double)bytes * (H5Pget_nfilters(made) != 0 ? DEFLATION_MOST : 1);
  if (bytes > f->size || (double)set->count * (double)H5Tget_size(set->type) > most) {
    return base_fail(BASE_E_INPUT, "%s: promises %lld numbers in %llu bytes of a file of %zu", path,
                     set->count, bytes, f->size);
  }
  return BASE_OK;
}

static int open_set(const struct fclib_file *f, const char *path, H5T_class_t class,
                    struct set *set) {
  const char *leads;
  if (!look(f, path, &leads)) {
    return base_fail(BASE_E_INPUT, "%s is missing", path);
  }
  if (leads != NULL) {
    return base_fail(BASE_E_INPUT, "%s is a link, which is not followed", leads);
  }
  set->id = H5Dopen(f->id, path, H5P_DEFAULT);
  set->space = set->id >= 0 ? H5Dget_space(set->id) : -1;
  set->type = set->id >= 0 ? H5Dget_type(set->id) : -1;
  set->count = set->space >= 0 ? H5Sget_simple_extent_npoints(set->space) : -1;
  if (set->id < 0 || set->type < 0 || set->count < 0) {
    return base_fail(BASE_E_INPUT, "%s is no data set that can be read", path);
  }
  if (H5Tget_class(set->type) != class || H5Tget_size(set->type) > NUMBER_BYTES_MOST) {
    return base_fail(BASE_E_INPUT, "%s does not hold %s", path,
                     class == H5T_FLOAT ? "reals" : "integers");
  }
  return check_storage(f, path, set);
}

int fclib_count(const struct fclib_file *f, const char *path) {
  struct set set;
  int status = open_set(f, path, H5T_FLOAT, &set);
  if (status == BASE_OK && set.count > INT_MAX) {
    status = base_fail(BASE_E_INPUT, "%s: %lld numbers are too many", path, set.count);
  }
  return status == BASE_OK ? (int)set.count : status;
}

/* All numbers of a data set, or the first n (`more`). */
static void *read_numbers(const struct fclib_file *f, const char *path, H5T_class_t class, int n,
                          int more) {
  struct set set = {0};
  if (open_set(f, path, class, &set) != BASE_OK) {
    return NULL;
  }
  if (more ? set.count < n : set.count != n) {
    base_fail(BASE_E_INPUT, "%s holds %lld numbers, not %d", path, set.count, n);
    return NULL;
  }
  const hsize_t first = 0, count = (hsize_t)n;
  if ((hsize_t)set.count > count &&
      (H5Sget_simple_extent_ndims(set.space) != 1 ||
       H5Sselect_hyperslab(set.space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0)) {
    base_fail(BASE_E_INPUT, "%s is no list of numbers", path);
    return NULL;
  }
  void *numbers = base_arena_array(f->arena, (size_t)count + 1, 1, sizeof(double));
  const hid_t native = class == H5T_FLOAT ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
  const hid_t memory = H5Screate_simple(1, &count, NULL);
  if (count > 0 && H5Dread(set.id, native, memory, set.space, H5P_DEFAULT, numbers) < 0) {
    base_fail(BASE_E_INPUT, "%s cannot be read", path);
    return NULL;
  }
  return numbers;
}

double *fclib_reals(const struct fclib_file *f, const char *path, int n) {
  return read_numbers(f, path, H5T_FLOAT, n, 0);
}

int *fclib_ints(const struct fclib_file *f, const char *path, int n) {
  return read_numbers(f, path, H5T_INTEGER, n, 0);
}

double *fclib_first_reals(const struct fclib_file *f, const char *path, int n) {
  return read_numbers(f, path, H5T_FLOAT, n, 1);
}

int *fclib_first_ints(const struct fclib_file *f, const char *path, int n) {
  return read_numbers(f, path, H5T_INTEGER, n, 1);
}

int fclib_int(const struct fclib_file *f, const char *path, int least, int *x) {
  const int *numbers = fclib_ints(f, path, 1);
  if (numbers == NULL) {
    return BASE_E_INPUT;
  }
  *x = numbers[0];
  return *x >= least ? BASE_OK : base_fail(BASE_E_INPUT, "%s is %d, less than %d", path, *x, least);
}
