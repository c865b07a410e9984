# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cross-sections of the friction sets; table sets.
# size: 16 12

set size ratio -1
set xlabel 'force over μ r_N' enhanced
set ylabel 'torque over R_{bar} μ r_N' enhanced
set xrange [-1.15:1.15]
set yrange [-1.15:1.15]
set xtics 0.5
set ytics 0.5
plot data.'/sets.dat' using 1:2 with lines linestyle 1 title 'B_F, exact' enhanced, \
     data.'/sets.dat' using 3:4 with lines linestyle 4 dashtype (14,5) title 'E_F, ellipsoid' enhanced, \
     data.'/sets.dat' using 5:6 with lines linestyle ls_limit title 'Z_F, cylinder' enhanced
