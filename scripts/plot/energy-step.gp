# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 14
# narrow: 8.5 13
#
# Relative numerical energy drift against step for one case. A formulation's table: dt, drift.
# present: formulations with a table; dt_min, dt_max: range of the steps; rounding: drifts below are
# rounding.

set logscale xy
set format xy decades
set xrange [dt_min/1.4:dt_max*1.4]
eval set_step_tics
set autoscale y noextend
set offsets 0, 0, graph 0.04, graph 0.04
set xlabel axis('step dt', 's')
set ylabel 'numerical drift / largest energy [-]'
names = words(present) + 1
eval set_key_below
set key maxrows key_rows(names)
set bmargin at screen (key_cm(names) + (printed ? 1.3 : 1.6))/page_high
table(name) = data . '/' . name . '.dat'
plot for [i = 1:words(present)] table(word(present, i)) using 1:2 with linespoints \
       linestyle style(word(present, i)) title word(present, i), \
     [dt_min:dt_max] rounding with lines linestyle ls_limit title 'rounding'
