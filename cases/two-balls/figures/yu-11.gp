# SPDX-License-Identifier: GPL-3.0-or-later
#
# Energies by the CCP; table ccp.

set xrange [0:2]
set yrange [0:*]
set xlabel axis('t', 's')
set ylabel axis('energy', 'J')
set key inside right center
plot data.'/ccp.dat' using 1:4 with lines linewidth 2.5 linecolor rgb '#000000' title 'total', \
     data.'/ccp.dat' using 1:3 with lines linewidth 2 linecolor rgb '#0072b2' title 'potential', \
     data.'/ccp.dat' using 1:2 with lines linewidth 2 linecolor rgb '#d55e00' title 'kinetic'
