/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulations of registry.h, by number and by name (base/registry.h).
 */
#include "base/registry.h"
#include "base/process/command.h"
#include "form/form.h"

#define FORMULATION(name) BASE_REGISTRY_ONCE(form, name) extern const struct form form_##name;
#include "form/registry.h"
#undef FORMULATION

static const struct form *const forms[] = {
#define FORMULATION(name) &form_##name,
#include "form/registry.h"
#undef FORMULATION
};

BASE_REGISTRY_LIST(form, form, "formulation", forms)

const struct form *form_find(const char *name) {
  return base_command_of(name) != NULL ? form_of_command(name) : form_listed(name);
}
