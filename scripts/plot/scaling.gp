# SPDX-License-Identifier: GPL-3.0-or-later
# size: 22 24
#
# Cost against the number of bodies: time a step above, a contact, and a contact and sweep below. A
# curve's table: n, step, ns a contact, ns a contact and sweep, bytes a body, first and third
# quartile of the time a step (NaN: none). present: curves with a table; powers[]: what the key says of the
# exponent of each.

set logscale xy
set format xy decades
set lmargin at screen 0.11
set rmargin at screen 0.56
set autoscale x noextend
set autoscale y noextend
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
set key noenhanced at screen 0.58, screen 0.96 left top Left reverse
bar(i) = valid(i) ? column(i) : column(2)
table(name) = data . '/' . name . '.dat'
dashes(name) = strstrt(name, '-threads') > 0 ? 2 : 1

set multiplot
set tmargin at screen 0.96
set bmargin at screen 0.68
unset xlabel
set ylabel axis('time a step', 's')
plot for [i = 1:words(present)] table(word(present, i)) using 1:2 with linespoints linestyle i \
       dashtype dashes(word(present, i)) title word(present, i) . powers[i], \
     for [i = 1:words(present)] table(word(present, i)) using 1:(bar(6)):(0):(bar(7) - bar(6)) \
       with vectors nohead linestyle i dashtype solid notitle
unset title
unset key
set tmargin at screen 0.64
set bmargin at screen 0.38
set autoscale y # to whole decades, which have labels
set offsets graph 0.04, graph 0.04, 0, 0
set ylabel axis('a contact', 'ns')
plot for [i = 1:words(present)] table(word(present, i)) using 1:3 with linespoints linestyle i \
       dashtype dashes(word(present, i))
set tmargin at screen 0.34
set bmargin at screen 0.08
set xlabel 'bodies'
set ylabel axis('a contact and sweep', 'ns')
plot for [i = 1:words(present)] table(word(present, i)) using 1:4 with linespoints linestyle i \
       dashtype dashes(word(present, i))
unset multiplot
