/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * State as bytes, there and back by one and the same list of calls: base_blob_pass appends a
 * piece of memory to a blob that is being written, and fills it from one that is being read. For
 * files read on the machine that wrote them. The first failure stays (status), later calls do
 * nothing but zero what they were to fill.
 */
#ifndef BASE_BLOB_H
#define BASE_BLOB_H

#include <stddef.h>

struct base_blob {
  int reading, status; /* base_status */
  unsigned char *bytes;
  size_t n, at, capacity;
};

/* data: size bytes, NULL allowed for size 0. */
void base_blob_pass(struct base_blob *blob, void *data, size_t size);
/* The count of things that follow, `each` bytes or more for one (0: nothing follows): from 0 to
 * most and, when read, no more than there are bytes left, so that what it makes one reserve is
 * bounded by the file; 0 after a failure. */
long base_blob_count(struct base_blob *blob, long n, long most, size_t each);
/* One int from lo to hi. */
void base_blob_int(struct base_blob *blob, int *x, int lo, int hi);
/* n numbers, which must be finite. */
void base_blob_reals(struct base_blob *blob, double *x, size_t n);
/* A text: what was read, or a copy of `text` (NULL where read); to be freed. */
char *base_blob_text(struct base_blob *blob, const char *text);
/* A text or number that must be the same when read; BASE_E_INPUT with a message about `what`. */
void base_blob_same_text(struct base_blob *blob, const char *what, const char *text);
void base_blob_same_count(struct base_blob *blob, const char *what, long n);
void base_blob_free(struct base_blob *blob);

/* Files: a line with the schema, the size and a checksum (FNV-1a, 64 bits), then the bytes. Written
 * beside its place and renamed. Reading allocates; BASE_E_INPUT or BASE_E_IO with a message. */
int base_blob_write(const struct base_blob *blob, const char *schema, const char *path);
int base_blob_read(struct base_blob *blob, const char *schema, const char *path);

#endif
