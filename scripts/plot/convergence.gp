# SPDX-License-Identifier: GPL-3.0-or-later
# size: 22 10
# wide: 17 9
# narrow: 8.5 15
#
# Residual over iterations, left, and over the solver's time, right. present: names of tables, one a
# solver, columns iterations, residual, time.

in_grid = printed
stacked = 2
stack_columns = narrow ? 1 : 2
eval set_longest('present')
key_columns = printed ? columns_of(longest) : 5
stack_foot = key_cm(words(present))
set logscale xy
set format xy decades
unset key
table(i) = data . '/' . word(present, i) . '.dat'
look(i) = solver_style(word(present, i))
foot = (1.4 + 0.5*ceil(words(present)/5.0))/page_high
set multiplot title title noenhanced
unset title
do for [k = 1:2] {
  eval frame(k == 1 ? 0.09 : 0.57, k == 1 ? 0.5 : 0.98, foot, 0.92)
  set xlabel (k == 1 ? 'iterations [-]' : axis('time of the solver', 's'))
  set ylabel (k == 1 || narrow ? 'residual over that of no impulses [-]' : '')
  plot for [i = 1:words(present)] table(i) using (k == 1 ? column(1) : column(3)):2 \
         with linespoints linestyle look(i) pointinterval 24
}
unset title
key_rows_all = key_rows(words(present))
eval key_alone
plot for [i = 1:words(present)] NaN with linespoints linestyle look(i) title word(present, i)
unset multiplot
