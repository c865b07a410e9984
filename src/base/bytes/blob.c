/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * State as bytes; see blob.h. Doubles keep their bits. A file that was cut short or changed is
 * found by its size and checksum before anything is made of it.
 */
#include "base/bytes/blob.h"

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOB_FIRST = 4096 };

void base_blob_pass(struct base_blob *b, void *data, size_t size) {
  if (size == 0) {
    return;
  }
  if (b->reading) {
    if (b->status == BASE_OK && size > b->n - b->at) {
      b->status = base_fail(BASE_E_INPUT, "ends too early, at byte %zu", b->at);
    }
    if (b->status != BASE_OK) {
      memset(data, 0, size);
      return;
    }
    memcpy(data, b->bytes + b->at, size);
    b->at += size;
    return;
  }
  while (b->n + size > b->capacity) {
    b->capacity = b->capacity > 0 ? 2 * b->capacity : BLOB_FIRST;
    b->bytes = base_memory_resize(b->bytes, b->capacity);
  }
  memcpy(b->bytes + b->n, data, size);
  b->n += size;
}

long base_blob_count(struct base_blob *b, long n, long most, size_t each) {
  base_blob_pass(b, &n, sizeof n);
  if (b->status == BASE_OK && (n < 0 || n > most)) {
    b->status = base_fail(BASE_E_INPUT, "holds a count of %ld where %ld is the most", n, most);
  }
  if (b->reading && b->status == BASE_OK && each > 0 && (size_t)n > (b->n - b->at) / each) {
    b->status = base_fail(BASE_E_INPUT, "ends too early, at byte %zu", b->at);
  }
  return b->status == BASE_OK ? n : 0;
}

void base_blob_int(struct base_blob *b, int *x, int lo, int hi) {
  base_blob_pass(b, x, sizeof *x);
  if (b->reading && b->status == BASE_OK && (*x < lo || *x > hi)) {
    b->status = base_fail(BASE_E_INPUT, "holds %d where %d to %d may stand", *x, lo, hi);
  }
  if (b->reading && b->status != BASE_OK) {
    *x = lo;
  }
}

void base_blob_reals(struct base_blob *b, double *x, size_t n) {
  base_blob_pass(b, x, n * sizeof *x);
  for (size_t i = 0; b->reading && i < n; i++) {
    if (!isfinite(x[i])) {
      b->status = b->status == BASE_OK
                      ? base_fail(BASE_E_INPUT, "holds a number that is not finite")
                      : b->status;
      x[i] = 0;
    }
  }
}

char *base_blob_text(struct base_blob *b, const char *text) {
  const long length = b->reading ? 0 : (long)strlen(text);
  const long n = base_blob_count(b, length, INT_MAX, 1);
  char *copy = base_memory_alloc((size_t)n + 1);
  if (!b->reading) {
    memcpy(copy, text, (size_t)n);
  }
  base_blob_pass(b, copy, (size_t)n);
  copy[n] = '\0';
  return copy;
}

void base_blob_same_text(struct base_blob *b, const char *what, const char *text) {
  char *copy = base_blob_text(b, text);
  if (b->status == BASE_OK && strcmp(copy, text) != 0) {
    b->status = base_fail(BASE_E_INPUT, "is of %s '%s', not '%s'", what, copy, text);
  }
  free(copy);
}

void base_blob_same_count(struct base_blob *b, const char *what, long n) {
  long copy = n;
  base_blob_pass(b, &copy, sizeof copy);
  if (b->status == BASE_OK && copy != n) {
    b->status = base_fail(BASE_E_INPUT, "has %ld %s, not %ld", copy, what, n);
  }
}

void base_blob_free(struct base_blob *b) {
  free(b->bytes);
  *b = (struct base_blob){0};
}

static int head_line(const struct base_blob *b, const char *schema, char *line, size_t size) {
  char checksum[BASE_HASH_TEXT];
  base_hash_print(base_hash(BASE_HASH_EMPTY, b->bytes, b->n), checksum);
  return snprintf(line, size, "%s %zu %s\n", schema, b->n, checksum);
}

int base_blob_write(const struct base_blob *b, const char *schema, const char *path) {
  char head[200];
  const size_t length = (size_t)head_line(b, schema, head, sizeof head);
  char *whole = base_memory_alloc(length + b->n);
  memcpy(whole, head, length);
  memcpy(whole + length, b->bytes, b->n);
  const int status = base_file_write(path, whole, length + b->n);
  free(whole);
  return status;
}

int base_blob_read(struct base_blob *b, const char *schema, const char *path) {
  char *text = NULL, head[200];
  size_t size = 0;
  const int status = base_file_read(path, &text, &size);
  *b = (struct base_blob){.reading = 1};
  if (status != BASE_OK) {
    return status;
  }
  const size_t word = strlen(schema);
  const char *end = memchr(text, '\n', size < sizeof head ? size : sizeof head);
  if (end == NULL || (size_t)(end - text) <= word || memcmp(text, schema, word) != 0 ||
      text[word] != ' ') {
    free(text);
    return base_fail(BASE_E_INPUT, "%s: is no %s file", path, schema);
  }
  const size_t length = (size_t)(end - text) + 1;
  b->n = size - length;
  b->bytes = base_memory_alloc(b->n + 1);
  memcpy(b->bytes, end + 1, b->n);
  head_line(b, schema, head, sizeof head);
  const int intact = strlen(head) == length && memcmp(head, text, length) == 0;
  free(text);
  if (!intact) {
    base_blob_free(b);
    return base_fail(BASE_E_INPUT, "%s: was cut short or changed (size or checksum)", path);
  }
  return BASE_OK;
}
