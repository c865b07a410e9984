/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches off the leak sanitizer. To be included in one source of a program that ends without
 * freeing its memory and that of external libraries.
 */
#ifndef BASE_LEFT_H
#define BASE_LEFT_H

#ifdef __SANITIZE_ADDRESS__
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; } /* NOLINT(bugprone-reserved-identifier): its hook */
#endif

#endif
