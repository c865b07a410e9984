/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cases of registry.h, by number and by name (base/registry.h).
 */
#include "cases/case.h"
#include "base/registry.h"

#define CASE(name) BASE_REGISTRY_ONCE(case, name) extern const struct case_type case_##name;
#include "cases/registry.h"
#undef CASE

static const struct case_type *const cases[] = {
#define CASE(name) &case_##name,
#include "cases/registry.h"
#undef CASE
};

BASE_REGISTRY(case, case_type, "case", cases)
