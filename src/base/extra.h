/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries that `make EXTRA=DIR` adds: the lines of DIR/registry.h are appended to each registry.
 * The build defines EXTRA_REGISTRY as the name of that header and EXTRA_FOLDER as DIR. There is no
 * include guard, because the header is read as often as the registries are.
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
