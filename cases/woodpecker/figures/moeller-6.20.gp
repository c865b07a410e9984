# SPDX-License-Identifier: GPL-3.0-or-later
#
# Total energy from sticking to sliding, from its value at the start of the window: both schemes
# reach it with energies of their own. Tables twostep, moreau, event.

# The sample at 0.03 s; they are 0.1 ms apart.
array start[3]
do for [k = 1:3] {
  stats data.'/'.word('event twostep moreau', k).'.dat' \
    using (abs($1 - 0.03) < 5e-5 ? $2 : NaN) nooutput
  start[k] = STATS_mean
}
set xlabel axis('t', 's')
set ylabel axis('E - E(0.03 s)', 'μJ') enhanced
set xrange [0.03:0.075]
set yrange [-1.2:0.4]
# narrow: 8.5 7
set key inside left bottom
if (narrow) {
  set xtics 0.02
  set tmargin at screen 0.92
}
eval key_above
set rmargin 5
plot data.'/event.dat' using 1:(($2 - start[1])*1e6) with lines linestyle ls_reference linewidth 4 title 'event', \
     data.'/twostep.dat' using 1:(($2 - start[2])*1e6) with linespoints linestyle ls_consistent_twostep title 'two-step', \
     data.'/moreau.dat' using 1:(($2 - start[3])*1e6) with linespoints linestyle ls_moreau title 'moreau'
