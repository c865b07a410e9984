# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: error of penalty over K, with the depth of the impact and of rest; the step at which springs
# settle. Below: error over time and over work, both families. Tables rk4, verlet, rkf45, hertz,
# msbdf, formula, depth, limit-*, moreau, ccp, ncp, lcp-st, mdp.
# size: 17 20

springs = 'rk4 verlet rkf45 hertz msbdf'
names = '"penalty, rk4" "penalty, verlet" "penalty, rkf45" "Hertz, rkf45" "penalty, msbdf (implicit)"'
look(i) = word('#56b4e9 #0072b2 #332288 #999933 #882255', i)
dash(i) = int(word('1 3 4 5 2', i))
point(i) = int(word('7 5 9 13 11', i))
schemes = 'moreau ccp ncp lcp-st mdp'
spring(i) = data.'/'.word(springs, i).'.dat'

set multiplot title title noenhanced
unset title
set logscale xy
set format xy decades

set lmargin at screen 0.12
set rmargin at screen 0.50
set tmargin at screen 0.93
set bmargin at screen 0.67
set xrange [5e3:2e7]
set yrange [5e-7:3e-2]
set xlabel axis('K', 'N/m, N/m^{3/2}') enhanced offset 0, 0.4
set ylabel axis('largest error', 'm') offset 0.5
set key inside left bottom font ',8' samplen 2 spacing 1.1
plot for [i = 1:5] spring(i) using 1:2 with linespoints linewidth 2 linecolor rgb look(i) \
       dashtype dash(i) pointtype point(i) notitle, \
     data.'/formula.dat' using 1:2 with lines linestyle ls_reference linewidth 2 title 's (eps m/K)^{1/2}' enhanced, \
     data.'/formula.dat' using 1:3 with lines linestyle ls_limit title 'm g/K'

set lmargin at screen 0.62
set rmargin at screen 0.97
set xrange [5e3:2e8]
set yrange [1e-6:1e-1]
set xlabel axis('K', 'N/m') offset 0, 0.4
set ylabel axis('longest stable step', 's') offset 0.5
limits = 'rk4-0 verlet-0 rk4-1 verlet-1'
legend = '"rk4, eps = 1e-3" "verlet, eps = 1e-3" "rk4, eps = 0.1" "verlet, eps = 0.1"'
shade(i) = word('#56b4e9 #0072b2 #e69f00 #d55e00', i)
set key inside left bottom
plot for [i = 1:4] data.'/limit-'.word(limits, i).'.dat' using 1:2 with lines linewidth 1.5 \
       linecolor rgb shade(i) notitle, \
     for [i = 1:4] data.'/limit-'.word(limits, i).'.dat' using 1:3 with points pointtype 8 \
       pointsize 1.1 linecolor rgb shade(i) title word(legend, i), \
     for [i = 1:4] data.'/limit-'.word(limits, i).'.dat' using 1:4 with points pointtype 10 \
       pointsize 1.1 linecolor rgb shade(i) notitle

unset key
set yrange [1e-5:2e-1]
do for [k = 1:2] {
  set lmargin at screen (k == 1 ? 0.12 : 0.62)
  set rmargin at screen (k == 1 ? 0.50 : 0.97)
  set tmargin at screen 0.58
  set bmargin at screen 0.25
  set autoscale x noextend
  set offsets graph 0.04, graph 0.04, 0, 0
  set xlabel (k == 1 ? axis('time', 's') : 'evaluations + sweeps [-]') offset 0, 0.4
  set ylabel axis('largest error', 'm') offset 0.5
  plot for [i = 1:5] data.'/'.word(schemes, i).'.dat' using (column(2 + k)):2 with linespoints \
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
set lmargin at screen 0.04
set rmargin at screen 0.98
set tmargin at screen 0.165
set bmargin at screen 0.02
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 5 font ',9' samplen 3 spacing 1.1
plot for [i = 1:5] NaN with linespoints linewidth 2 linecolor rgb look(i) dashtype dash(i) \
       pointtype point(i) title word(names, i), \
     for [i = 1:5] NaN with linespoints linestyle style(word(schemes, i)) title word(schemes, i)
unset multiplot
