/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harness that the environment variable FUZZ_HARNESS names, as libFuzzer calls it. Half the
 * changes of JSON are made in its tree, the others, and all of other bytes, by libFuzzer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "la/dense.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

static const struct fuzz_harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = getenv("FUZZ_HARNESS");
  (void)argc;
  harness = name != NULL ? fuzz_find(name) : NULL;
  if (harness == NULL) {
    fprintf(stderr, "%s: FUZZ_HARNESS names none of:", (*argv)[0]);
    for (const struct fuzz_harness *h = fuzz_harnesses; h->name != NULL; ++h) {
      fprintf(stderr, " %s", h->name);
    }
    fprintf(stderr, "\n");
    exit(2);
  }
  la_init();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  harness->run(bytes, size);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  if (harness->is_json && seed % 4 != 0) {
    const size_t changed = fuzz_mutate_json((char *)bytes, size, most, seed);
    if (changed > 0) {
      return changed;
    }
  }
  return LLVMFuzzerMutate(bytes, size, most);
}
