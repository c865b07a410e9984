# SPDX-License-Identifier: GPL-3.0-or-later
#
# Iterations and time of a step by friction set; table cost.
# size: 17 14

set multiplot title title noenhanced
unset title
set lmargin at screen 0.13
set rmargin at screen 0.96
set boxwidth 0.55
unset key
set grid noxtics
set xrange [-0.6:4.6]
set yrange [0:*]

set tmargin at screen 0.91
set bmargin at screen 0.56
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4)
set ylabel 'iterations a step'
set offsets 0, 0, 4, 0
plot data.'/cost.dat' using 1:2 with boxes linestyle 1, \
     data.'/cost.dat' using 1:2:(sprintf('%.1f', $2)) with labels offset 0, 0.6

set tmargin at screen 0.48
set bmargin at screen 0.14
set xtics ("B_F" 0, "E_F" 1, "S_F" 2, "B_F, scaled" 3, "E_F by S_F\n(2.52)" 4) enhanced
set ylabel 'time a step [μs]' enhanced
plot data.'/cost.dat' using 1:3 with boxes linestyle 4, \
     data.'/cost.dat' using 1:3:(sprintf('%.1f', $3)) with labels offset 0, 0.6
unset multiplot
