# SPDX-License-Identifier: GPL-3.0-or-later
# size: 27 13
# wide: 17 13
# narrow: 8.5 21
#
# Change of the answer by the tolerance over the error of the step. cases: names of tables <case>,
# columns tol, n^2 tol, quotient, and <case>-worst, tol and worst quotient; envelope: n^2 tol and the
# worst quotient of all runs with at most that; tenth, balanced: the limit, and n^2 tol of the default.

set logscale xy
set format xy decades
set yrange [1e-8:1e2]
set ytics 1e2
table(i) = data . '/' . word(cases, i) . '.dat'
worst(i) = data . '/' . word(cases, i) . '-worst.dat'
symbol(i) = 1 + (i - 1) % 13 # with the colours 104 that differ
set pointsize 0.8
eval set_longest('cases')
key_columns = columns_of(longest)
in_grid = printed
stacked = 2
stack_columns = narrow ? 1 : 2
stack_foot = key_cm(words(cases) + 1)
stack_top = 0.8
set multiplot
eval frame(0.09, 0.41, 0.15, 0.92)
set arrow 1 from graph 0, first tenth to graph 1, first tenth nohead linestyle ls_limit
set xlabel 'tolerance of a solve, tol [-]'
set ylabel 'change by it over error of the step [-]'
set title 'worst of all laws and steps' noenhanced
unset key
plot for [i = 1:words(cases)] worst(i) using 1:2 with linespoints pointtype symbol(i) linecolor rgb hue_of(i) linewidth 1.5
eval frame(0.45, 0.77, 0.15, 0.92)
if (!narrow) {
  unset ylabel
  set format y ''
}
set title 'every run, and their envelope' noenhanced
set xlabel 'n^2 tol [-], n: steps of the run'
set arrow 2 from balanced, graph 0 to balanced, graph 1 nohead linestyle ls_limit
set label 1 'default' at balanced, graph 0.03 right offset -0.5, 0 textcolor rgb '#707070'
set label 2 'a tenth' at graph 0.02, first tenth left offset 0, 0.6 textcolor rgb '#707070'
set key noenhanced at screen 0.775, screen 0.93 left top Left reverse font ''.pt(9)
if (printed) { unset key }
plot for [i = 1:words(cases)] table(i) using 2:3 with points pointtype symbol(i) linecolor rgb hue_of(i) \
       title word(cases, i), \
     data . '/envelope.dat' using 1:2 with lines linecolor rgb '#000000' linewidth 2 title 'envelope'
if (printed) {
  unset title
  key_rows_all = key_rows(words(cases) + 1)
  eval key_alone
  plot for [i = 1:words(cases)] NaN with points pointtype symbol(i) linecolor rgb hue_of(i) \
         title word(cases, i), NaN with lines linecolor rgb '#000000' linewidth 2 title 'envelope'
}
unset multiplot
