/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzzing the readers: a harness gives any bytes to one reader, which must refuse or take them, and
 * no more: no crash, no write out of bounds, no undefined arithmetic, no leak, no hang. What it
 * takes must hold what the reader promises (a file written again reads as the same). Harnesses are
 * run by libFuzzer (libfuzzer.c, `make fuzz`), and by test_fuzz.c over the committed corpus.
 *
 *   corpus/HARNESS/   inputs: small files of every kind, and whatever once was a finding
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_harness {
  const char *name;
  int is_json; /* the bytes are JSON: fuzz_mutate_json knows how to change them */
  void (*run)(const uint8_t *bytes, size_t size);
};

extern const struct fuzz_harness fuzz_harnesses[]; /* ends with a NULL name */
/* The harness of a name; NULL: none. */
const struct fuzz_harness *fuzz_find(const char *name);

/* The bytes as a file in memory; its path stays the same from call to call. */
const char *fuzz_file(const uint8_t *bytes, size_t size);
/* A promise was broken: say which, and abort. */
void fuzz_broken(const char *what) __attribute__((noreturn));

void fuzz_checkpoint(const uint8_t *bytes, size_t size); /* checkpoint.c */

/* Change one place of a JSON text: a value for another, a key, an element more or fewer. At most
 * `most` bytes in place; the new size, 0 where the text is no JSON. */
size_t fuzz_mutate_json(char *text, size_t size, size_t most, unsigned seed);

#endif
