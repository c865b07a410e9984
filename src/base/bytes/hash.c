/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hashes of texts and as text; see hash.h.
 */
#include "base/bytes/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t base_hash_text(uint64_t hash, const char *text) {
  return base_hash(hash, text, strlen(text) + 1);
}

const char *base_hash_print(uint64_t hash, char buffer[BASE_HASH_TEXT]) {
  snprintf(buffer, BASE_HASH_TEXT, "%016" PRIx64, hash);
  return buffer;
}
