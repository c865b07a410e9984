# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 22
# wide: 17 16
# narrow: 8.5 16
#
# Error against step for one case: coordinates above, velocity graphs below. A formulation's table:
# dt, q_linf, u_hausdorff. present: formulations with a table; dt_min, dt_max: range of the steps;
# guide_q, guide_u: error at dt_max where the line of slope 1 passes (0: no such errors).

set logscale xy
set format xy decades
set xrange [dt_min/1.4:dt_max*1.4]
eval set_step_tics
set autoscale y noextend
set offsets 0, 0, graph 0.04, graph 0.04
table(name) = data . '/' . name . '.dat'

names = words(present) + 1
eval set_key_below
set key maxrows key_rows(names)
foot = (key_cm(names) + 1.6)/page_high
in_grid = printed
stacked = 2
stack_foot = key_cm(names)
stack_top = 0.2
height = (0.95 - foot - 0.05)/2 # of a panel

set multiplot
eval frame(0.14, 0.96, 0.95 - height, 0.95)
if (printed) { unset key }
unset xlabel
set ylabel 'largest error of q [m, rad]'
plot for [i = 1:words(present)] table(word(present, i)) using 1:2 with linespoints \
       linestyle style(word(present, i)) title word(present, i), \
     [dt_min:dt_max] guide_q*x/dt_max with lines linestyle ls_limit title 'slope 1'
unset title
unset key
eval frame(0.14, 0.96, foot, foot + height)
set xlabel axis('step dt', 's')
set ylabel 'Hausdorff distance of u [-]'
if (guide_u > 0) {
  plot for [i = 1:words(present)] table(word(present, i)) using 1:3 with linespoints \
         linestyle style(word(present, i)), \
       [dt_min:dt_max] guide_u*x/dt_max with lines linestyle ls_limit
}
if (printed) {
  key_rows_all = key_rows(names)
  eval key_alone
  plot for [i = 1:words(present)] NaN with linespoints linestyle style(word(present, i)) \
         title word(present, i), NaN with lines linestyle ls_limit title 'slope 1'
}
unset multiplot
