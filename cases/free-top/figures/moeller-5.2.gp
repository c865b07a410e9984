# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shear rate of the affine body; tables rates, long.
# size: 17 15

set multiplot title title noenhanced
unset title
set lmargin at screen 0.15
set rmargin at screen 0.97
set ylabel axis('e_{12}', '10^{-3}/s') enhanced
set xlabel axis('t', 's')

set tmargin at screen 0.92
set bmargin at screen 0.58
set xrange [0:1]
set yrange [-0.42:0.42]
set key inside right top horizontal noenhanced
plot data.'/rates.dat' using 1:(1e3 * $2) with linespoints linestyle ls_consistent_constant \
       pointsize 0.5 title 'consistent-constant', \
     data.'/rates.dat' using 1:(1e3 * $3) with lines linestyle ls_consistent_constant_gear \
       title 'consistent-constant-gear'

set tmargin at screen 0.44
set bmargin at screen 0.11
set xrange [0:50]
set yrange [-0.42:0.27]
unset key
plot data.'/long.dat' using 1:(1e3 * $2) with lines linestyle ls_consistent_constant \
       linewidth 0.7 notitle
unset multiplot
