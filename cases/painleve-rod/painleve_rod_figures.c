/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cases/painleve-rod/painleve_rod.h"
const struct case_figure painleve_rod_figures[] = {{.id = NULL}};
