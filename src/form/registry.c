/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulations of registry.h, by number and by name (base/registry.h).
 */
#include "base/registry.h"
#include "form/form.h"

#define FORMULATION(name) BASE_REGISTRY_ONCE(form, name) extern const struct form form_##name;
#include "form/registry.h"
#undef FORMULATION

static const struct form *const forms[] = {
#define FORMULATION(name) &form_##name,
#include "form/registry.h"
#undef FORMULATION
};

BASE_REGISTRY(form, form, "formulation", forms)
