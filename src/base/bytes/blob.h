/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Program state as bytes, written and read by the same list of calls: base_blob_pass appends a
 * piece of memory to a blob that is being written, and fills it from a blob that is being read.
 * Byte order and sizes are those of the machine, so a file must be read where it was written. The
 * first failure stays in `status`; later calls only set their data to zero.
 */
#ifndef BASE_BLOB_H
#define BASE_BLOB_H

#include <stddef.h>

struct base_blob {
  int reading;            /* 1: the calls read, 0: they write */
  int status;             /* base_status of the first failure, or BASE_OK */
  unsigned char *bytes;   /* n, with room for `capacity` */
  size_t n, at, capacity; /* at: the next byte to read */
};

/* Write or read data: size bytes, NULL allowed for size 0. */
void base_blob_pass(struct base_blob *blob, void *data, size_t size);
/* Write or read n, the number of items that follow, 0 <= n <= most; returns it, or 0 after a
 * failure. Each item takes at least `each` bytes (0: the items do not follow). A number that is
 * read must fit into the remaining bytes, so a damaged file cannot make the caller reserve more
 * memory than its own size. */
long base_blob_count(struct base_blob *blob, long n, long most, size_t each);
/* Write or read one int in [lo, hi]; any other value read is a failure. */
void base_blob_int(struct base_blob *blob, int *x, int lo, int hi);
/* Write or read x: n numbers, which must be finite. */
void base_blob_reals(struct base_blob *blob, double *x, size_t n);
/* Write text and return a copy of it, or read and return one (text is NULL then); the caller frees
 * it. */
char *base_blob_text(struct base_blob *blob, const char *text);
/* Write a text or number; when reading, compare it with the one read: if they differ, status
 * becomes BASE_E_INPUT with a message about `what`. */
void base_blob_same_text(struct base_blob *blob, const char *what, const char *text);
void base_blob_same_count(struct base_blob *blob, const char *what, long n);
void base_blob_free(struct base_blob *blob);

/* A blob as a file: a line with the schema, the size and a checksum (FNV-1a, 64 bits), then the
 * bytes. The file is written under a temporary name and renamed. Reading allocates blob->bytes.
 * BASE_E_INPUT or BASE_E_IO with a message. */
int base_blob_write(const struct base_blob *blob, const char *schema, const char *path);
int base_blob_read(struct base_blob *blob, const char *schema, const char *path);

#endif
