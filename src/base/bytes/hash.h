/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash FNV-1a of 64 bits (Fowler, Noll and Vo). It detects accidental differences between texts
 * or states, not forged ones. Begin with BASE_HASH_EMPTY and add piece by piece; the result does
 * not depend on how the bytes are divided into pieces. As text a hash has 16 hexadecimal digits,
 * because a JSON number cannot hold 64 bits.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BASE_HASH_EMPTY UINT64_C(14695981039346656037)
enum { BASE_HASH_TEXT = 17 }; /* bytes of a hash as text, the end included */

/* The hash with n bytes added. */
static inline uint64_t base_hash(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < n; ++i) {
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  }
  return hash;
}

/* The hash with a text and its NUL added, so that "a", "bc" and "ab", "c" differ. */
uint64_t base_hash_text(uint64_t hash, const char *text);
/* Write the hash as text into buffer, which is returned. */
const char *base_hash_print(uint64_t hash, char buffer[BASE_HASH_TEXT]);

#endif
