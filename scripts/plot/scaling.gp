# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 20
#
# Cost against the number of bodies: time a step above, time a contact and sweep below. A curve's
# table: n, step, ns a contact and sweep, bytes a body. present: curves with a table.

set logscale xy
set format xy decades
set lmargin at screen 0.14
set rmargin at screen 0.66
set autoscale x noextend
set autoscale y noextend
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
set key noenhanced
table(name) = data . '/' . name . '.dat'

set multiplot
set tmargin at screen 0.94
set bmargin at screen 0.54
unset xlabel
set ylabel axis('time a step', 's')
plot for [i = 1:words(present)] table(word(present, i)) using 1:2 with linespoints linestyle i \
       title word(present, i)
unset title
unset key
set tmargin at screen 0.48
set bmargin at screen 0.09
set xlabel 'bodies'
set ylabel axis('step over contacts and sweeps', 'ns')
plot for [i = 1:words(present)] table(word(present, i)) using 1:3 with linespoints linestyle i
unset multiplot
