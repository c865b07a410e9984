/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FNV-1a, 64 bits (Fowler, Noll and Vo): tells texts and states apart that differ by accident, not
 * by intent. Begin with BASE_HASH_EMPTY and add piece by piece; adding two pieces is adding both in
 * one. As text a hash has 16 hexadecimal digits: a JSON number could not hold it.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BASE_HASH_EMPTY UINT64_C(14695981039346656037)
enum { BASE_HASH_TEXT = 17 }; /* bytes of a hash as text, the end included */

static inline uint64_t base_hash(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < n; ++i) {
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  }
  return hash;
}

/* A text with its end, so that "a" and "bc" are not "ab" and "c". */
uint64_t base_hash_text(uint64_t hash, const char *text);
/* Returns buffer. */
const char *base_hash_print(uint64_t hash, char buffer[BASE_HASH_TEXT]);

#endif
