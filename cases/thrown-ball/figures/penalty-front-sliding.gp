# SPDX-License-Identifier: GPL-3.0-or-later
#
# Error of penalty over K; error over time and over work, both families. Tables rk4, verlet, rkf45,
# hertz, msbdf, moreau, ccp, ncp, lcp-st, mdp, consistent-twostep.
# size: 17 18

springs = 'rk4 verlet rkf45 hertz msbdf'
names = '"penalty, rk4" "penalty, verlet" "penalty, rkf45" "Hertz, rkf45" "penalty, msbdf (implicit)"'
look(i) = word('#56b4e9 #0072b2 #332288 #999933 #882255', i)
dash(i) = int(word('1 3 4 5 2', i))
point(i) = int(word('7 5 9 13 11', i))
schemes = 'moreau ccp ncp lcp-st mdp consistent-twostep'
spring(i) = data.'/'.word(springs, i).'.dat'

set multiplot title title noenhanced
unset title
set logscale xy
set format xy decades
set ylabel axis('largest error', 'm, rad') offset 0.5

set lmargin at screen 0.12
set rmargin at screen 0.50
set tmargin at screen 0.92
set bmargin at screen 0.60
set xrange [5e5:2e8]
set yrange [1e-6:1e-1]
set xlabel axis('K', 'N/m, N/m^{3/2}') enhanced offset 0, 0.4
set key inside right top font ',9'
plot for [i = 1:5] spring(i) using 1:2 with linespoints linewidth 2 linecolor rgb look(i) \
       dashtype dash(i) pointtype point(i) notitle, \
     [1e6:1e8] 1e-3*1e6/x with lines linestyle ls_limit title 'slope -1'

unset key
set yrange [1e-9:3e-1]
do for [k = 1:2] {
  set lmargin at screen (k == 1 ? 0.12 : 0.62)
  set rmargin at screen (k == 1 ? 0.50 : 0.97)
  set tmargin at screen 0.46
  set bmargin at screen 0.10
  set autoscale x noextend
  set offsets graph 0.04, graph 0.04, 0, 0
  set xlabel (k == 1 ? axis('time', 's') : 'evaluations + sweeps [-]') offset 0, 0.4
  plot for [i = 1:6] data.'/'.word(schemes, i).'.dat' using (column(2 + k)):2 with linespoints \
         linestyle style(word(schemes, i)), \
       for [i = 1:6 - k] spring(i) using (column(2 + k)):2 with linespoints linewidth 2 \
         linecolor rgb look(i) dashtype dash(i) pointtype point(i)
}
set offsets 0, 0, 0, 0

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set lmargin at screen 0.60
set rmargin at screen 0.98
set tmargin at screen 0.93
set bmargin at screen 0.55
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 11 font ',9' samplen 3 spacing 1.1
plot for [i = 1:5] NaN with linespoints linewidth 2 linecolor rgb look(i) dashtype dash(i) \
       pointtype point(i) title word(names, i), \
     for [i = 1:6] NaN with linespoints linestyle style(word(schemes, i)) title word(schemes, i)
unset multiplot
