/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes of JSON that stay JSON: bytes changed at random are mostly refused by the parser and
 * reach no reader behind it.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/rng.h"
#include "tests/fuzz/fuzz.h"

enum { NODES_MAX = 4096, LISTED = 20 };

struct tree {
  struct base_rng *rng;
  int n;
  cJSON *node[NODES_MAX], *parent[NODES_MAX];
};

static void collect(struct tree *tree, cJSON *value, cJSON *parent) {
  if (tree->n == NODES_MAX) {
    return;
  }
  tree->node[tree->n] = value;
  tree->parent[tree->n++] = parent;
  for (cJSON *item = value->child; item != NULL; item = item->next) {
    collect(tree, item, value);
  }
}

static int draw(struct tree *tree, int n) { return base_rng_below(tree->rng, n); }

/* Values at which readers go wrong: limits of types, signs, kinds. */
static cJSON *odd_value(struct tree *tree) {
  static const double numbers[LISTED] = {0,
                                         -1,
                                         1,
                                         1e-9,
                                         1e-300,
                                         1e300,
                                         -1e300,
                                         2147483647,
                                         2147483648,
                                         -2147483648.0,
                                         1e18,
                                         4294967296.0,
                                         4611686018427387904.0,
                                         0.5,
                                         1e9,
                                         5e-324,
                                         3,
                                         1000000,
                                         46341,
                                         1e-3};
  static const char *const texts[] = {"",
                                      "all",
                                      "none",
                                      "inf",
                                      "nan",
                                      "0x10",
                                      "../x",
                                      "$HOME",
                                      "event",
                                      "ncp",
                                      "lcp",
                                      "world",
                                      "ball",
                                      "a.b",
                                      "%s%n",
                                      "1e999",
                                      "-0",
                                      "cone",
                                      "\xc3\xa4\xe2\x80\xae", /* NOLINT: left open on purpose */
                                      "ok"};
  switch (draw(tree, 8)) {
  case 0:
    return cJSON_CreateNull();
  case 1:
    return cJSON_CreateBool(draw(tree, 2));
  case 2:
    return cJSON_CreateArray();
  case 3:
    return cJSON_CreateObject();
  case 4:
  case 5:
    return cJSON_CreateString(texts[draw(tree, sizeof texts / sizeof *texts)]);
  default:
    return cJSON_CreateNumber(numbers[draw(tree, LISTED)]);
  }
}

static void replace(struct tree *tree, int i, cJSON *value) {
  cJSON *parent = tree->parent[i];
  if (parent == NULL) {
    cJSON_Delete(value);
  } else if (cJSON_IsObject(parent)) {
    char *key = strdup(tree->node[i]->string);
    cJSON_ReplaceItemInObjectCaseSensitive(parent, key, value);
    free(key);
  } else {
    cJSON_ReplaceItemViaPointer(parent, tree->node[i], value);
  }
}

/* An item more in the container, by the key of another or a new one. */
static void insert(struct tree *tree, cJSON *container, cJSON *value) {
  const cJSON *other = tree->node[draw(tree, tree->n)];
  if (cJSON_IsArray(container)) {
    cJSON_AddItemToArray(container, value);
  } else if (cJSON_IsObject(container)) {
    cJSON_AddItemToObject(container, other->string != NULL ? other->string : "x", value);
  } else {
    cJSON_Delete(value);
  }
}

static void nudge(struct tree *tree, int i) {
  static const double factors[] = {-1, 0.5, 2, 10, 1e-6, 1e6, 1 + 1e-15};
  const cJSON *item = tree->node[i];
  const int k = draw(tree, 9);
  if (cJSON_IsNumber(item)) {
    replace(tree, i,
            cJSON_CreateNumber(k < 7 ? factors[k] * item->valuedouble
                                     : item->valuedouble + (k - 8) * 2 + 1));
  } else {
    replace(tree, i, odd_value(tree));
  }
}

static void change(struct tree *tree) {
  const int i = draw(tree, tree->n), j = draw(tree, tree->n);
  switch (draw(tree, 7)) {
  case 0:
    replace(tree, i, odd_value(tree));
    break;
  case 1:
    replace(tree, i, cJSON_Duplicate(tree->node[j], 1));
    break;
  case 2:
    insert(tree, tree->node[i], cJSON_Duplicate(tree->node[j], 1));
    break;
  case 3:
    insert(tree, tree->node[i], odd_value(tree));
    break;
  case 4:
    if (tree->parent[i] != NULL) {
      cJSON_Delete(cJSON_DetachItemViaPointer(tree->parent[i], tree->node[i]));
    }
    break;
  default:
    nudge(tree, i);
  }
}

size_t fuzz_mutate_json(char *text, size_t size, size_t most, unsigned seed) {
  static struct tree tree;
  cJSON *root = cJSON_ParseWithLength(text, size);
  size_t length = 0;
  if (root == NULL) {
    return 0;
  }
  tree.rng = base_rng_alloc(seed);
  for (int changes = 1 + draw(&tree, 3); changes > 0; --changes) {
    tree.n = 0;
    collect(&tree, root, NULL);
    change(&tree);
  }
  char *printed = cJSON_PrintUnformatted(root);
  if (printed != NULL && strlen(printed) <= most) {
    length = strlen(printed);
    memcpy(text, printed, length);
  }
  cJSON_free(printed);
  base_rng_free(tree.rng);
  cJSON_Delete(root);
  return length;
}
