/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registries: lists of constant objects in a fixed order, found by index or by their name.
 *
 * A registry is a header with lines such as FORMULATION(lcp_st). It is included twice: to declare
 * the objects, and to list them. BASE_REGISTRY_ONCE defines an enumeration constant for each line,
 * so that an identifier listed twice does not compile.
 *
 *   #define FORMULATION(name) BASE_REGISTRY_ONCE(form, name) extern const struct form form_##name;
 *   #include "form/registry.h"
 *   #undef FORMULATION
 *   static const struct form *const forms[] = {
 *   #define FORMULATION(name) &form_##name,
 *   #include "form/registry.h"
 *   #undef FORMULATION
 *   };
 *   BASE_REGISTRY(form, form, "formulation", forms)
 */
#ifndef BASE_REGISTRY_H
#define BASE_REGISTRY_H

#include "base/names.h"

#define BASE_REGISTRY_ONCE(prefix, name) enum { prefix##_##name##_is_registered = 1 };

/* Defines <prefix>_count(), the number of objects; <prefix>_get(i), NULL if there is no object i;
 * and <prefix>_find(name), NULL with a message that lists similar names. type: a struct with `const
 * char *name`; kind: its name in the message. */
#define BASE_REGISTRY(prefix, type, kind, objects)                                                 \
  BASE_REGISTRY_LIST(prefix, type, kind, objects)                                                  \
  const struct type *prefix##_find(const char *name) { return prefix##_listed(name); }

/* The same without <prefix>_find. A file whose objects are not all listed defines it, with the
 * static function <prefix>_listed(name) for the listed ones. */
#define BASE_REGISTRY_LIST(prefix, type, kind, objects)                                            \
  enum { prefix##_registered = sizeof(objects) / sizeof(objects)[0] };                             \
  int prefix##_count(void) { return prefix##_registered; }                                         \
  const struct type *prefix##_get(int i) {                                                         \
    return i >= 0 && i < prefix##_registered ? (objects)[i] : NULL;                                \
  }                                                                                                \
  static const struct type *prefix##_listed(const char *name) {                                    \
    const char *names[prefix##_registered];                                                        \
    for (int i = 0; i < prefix##_registered; ++i) {                                                \
      names[i] = (objects)[i]->name;                                                               \
    }                                                                                              \
    return prefix##_get(base_name_find(kind, name, prefix##_registered, names));                   \
  }

#endif
