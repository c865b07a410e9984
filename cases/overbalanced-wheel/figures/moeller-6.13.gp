# SPDX-License-Identifier: GPL-3.0-or-later
#
# Traces of the masses; tables traces, rim, levers.
# size: 17 17

set size ratio -1
set xlabel axis('x', 'm')
set ylabel axis('y', 'm')
set xrange [-0.65:0.65]
set yrange [-0.65:0.65]
unset key
plot data.'/traces.dat' using 1:2 with lines linestyle ls_consistent_twostep linewidth 0.6, \
     data.'/rim.dat' using 1:2 with lines linestyle ls_reference linewidth 3, \
     data.'/levers.dat' using 1:2 with linespoints linestyle ls_mark linewidth 2
