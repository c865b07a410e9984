/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the one source of a program that ends with its task and leaves its memory, and that of
 * libraries of others, to the system: the leak sanitizer does not look for it.
 */
#ifndef BASE_LEFT_H
#define BASE_LEFT_H

#ifdef __SANITIZE_ADDRESS__
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; } /* NOLINT(bugprone-reserved-identifier): its hook */
#endif

#endif
