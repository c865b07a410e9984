/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `make EXTRA=DIR` registers beside the program's own: the lines of DIR/registry.h, at the end
 * of each registry. The build defines EXTRA_REGISTRY, as that header, where registries are read,
 * and EXTRA_FOLDER, as DIR. No guard: read as often as the registries are.
 */
#ifdef EXTRA_REGISTRY
#ifndef CASE
#define CASE(name)
#define EXTRA_WITHOUT_CASE
#endif
#ifndef FORMULATION
#define FORMULATION(name)
#define EXTRA_WITHOUT_FORMULATION
#endif
#ifndef SOLVER
#define SOLVER(name)
#define EXTRA_WITHOUT_SOLVER
#endif
#include EXTRA_REGISTRY
#ifdef EXTRA_WITHOUT_CASE
#undef CASE
#undef EXTRA_WITHOUT_CASE
#endif
#ifdef EXTRA_WITHOUT_FORMULATION
#undef FORMULATION
#undef EXTRA_WITHOUT_FORMULATION
#endif
#ifdef EXTRA_WITHOUT_SOLVER
#undef SOLVER
#undef EXTRA_WITHOUT_SOLVER
#endif
#endif
