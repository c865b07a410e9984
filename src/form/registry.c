/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulations of registry.h by number and by name. Names come from the identifiers,
 * underscores becoming dashes; they are made once, before main, so that looking them up from
 * several threads is safe.
 */
#include "form/form.h"

#include "base/names.h"

#define FORMULATION(name) extern const struct form form_##name;
#include "form/registry.h"
#undef FORMULATION

enum { NAME_SIZE = 40 }; /* the longest identifier has 29 characters */

static const struct form *const forms[] = {
#define FORMULATION(name) &form_##name,
#include "form/registry.h"
#undef FORMULATION
};

enum { COUNT = sizeof forms / sizeof forms[0] };

static char buffers[COUNT][NAME_SIZE];
static const char *names[COUNT];

__attribute__((constructor)) static void registry_init(void) {
  static const char *const identifiers[] = {
#define FORMULATION(name) #name,
#include "form/registry.h"
#undef FORMULATION
  };
  for (int i = 0; i < COUNT; ++i) {
    names[i] = base_name_from_identifier(identifiers[i], buffers[i], NAME_SIZE);
  }
}

int form_count(void) { return COUNT; }

const struct form *form_get(int i) { return i >= 0 && i < COUNT ? forms[i] : NULL; }

const char *form_name(const struct form *form) {
  for (int i = 0; i < COUNT; ++i) {
    if (forms[i] == form) {
      return names[i];
    }
  }
  return "?";
}

const struct form *form_find(const char *name) {
  const int i = base_name_find("formulation", name, COUNT, names);
  return i >= 0 ? forms[i] : NULL;
}
