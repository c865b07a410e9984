/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure without runs is a study: of the records of the folder that is reported, as a frame.
 *
 *   "tables": { "NAME": {"columns": ["case.name", "formulation.name", "dt", "constraints.penetration_max"],
 *                        "transform": [{"aggregate": ...}]} },
 *   "panels": [ {"facet": "case.name", "x": {...}, "y": {...}, "key": "foot", "layer": [
 *     {"mark": "band", "table": "NAME", "x": "dt", "y": "lower", "y2": "upper", "color": "formulation.name"},
 *     {"mark": "linespoint", "table": "NAME", "x": "dt", "y": "median", "color": "formulation.name"}]} ]
 *
 * "columns" are paths into records, "transform" what is made of them (bench/frame/transform.c). With
 * "facet" there is a panel for each value of the column in the table of the first layer. Where
 * "color" is a column, there is a curve for each of its values.
 */
#ifndef BENCH_FIGURE_STUDY_H
#define BENCH_FIGURE_STUDY_H

#include "bench/figure/file.h"

/* Make its tables from a folder of records, and its panels: *drawn gets those of the study with a
 * curve for each value. BASE_E_INPUT with a message. */
int figure_study_make(const struct figure *study, const char *folder, struct base_arena *arena,
                      struct case_plot *plot, struct figure *drawn);

#endif
