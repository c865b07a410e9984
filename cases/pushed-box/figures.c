/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the pushed box; see diagonal_push.c and stiction_threshold.c.
 */
#include "cases/pushed-box/pushed-box.h"
