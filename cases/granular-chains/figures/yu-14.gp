# SPDX-License-Identifier: GPL-3.0-or-later
#
# Energies of the chains and the number of pairs in contact; table energy.
# size: 17 14

set multiplot title title noenhanced
unset title
set lmargin at screen 0.13
set rmargin at screen 0.97
set xrange [0:8]

set tmargin at screen 0.92
set bmargin at screen 0.42
set ylabel axis('energy', 'J')
set format x ''
set key inside right top
plot data.'/energy.dat' using 1:4 with lines linewidth 2.5 linecolor rgb '#000000' title 'total', \
     data.'/energy.dat' using 1:3 with lines linewidth 1.5 linecolor rgb '#0072b2' \
       title 'potential', \
     data.'/energy.dat' using 1:2 with lines linewidth 1.5 linecolor rgb '#d55e00' title 'kinetic'

set tmargin at screen 0.37
set bmargin at screen 0.11
set format x '%g'
set xlabel axis('t', 's')
set ylabel 'pairs in contact'
set yrange [0:*]
set ytics 1
unset key
plot data.'/energy.dat' using 1:5 with impulses linewidth 0.8 linecolor rgb '#009e73' notitle
unset multiplot
