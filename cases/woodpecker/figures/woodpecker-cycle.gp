# SPDX-License-Identifier: GPL-3.0-or-later
#
# Limit cycle against dt; one table a formulation and event.
# size: 17 18

forms = 'moreau lcp-ap ncp consistent-twostep'
set multiplot title title noenhanced
unset title
set logscale x
set format x decades
set xrange [8e-6:1.25e-4]
set lmargin at screen 0.17
set rmargin at screen 0.63
unset xlabel

set tmargin at screen 0.93
set bmargin at screen 0.70
set ytics 0.001
set ylabel axis('period', 's')
set key at screen 0.99, screen 0.93 right top
stats data.'/event.dat' using 2 nooutput
T = STATS_mean
plot T with lines linestyle ls_reference linewidth 3 title 'event', \
     for [f in forms] data.'/'.f.'.dat' using 1:2 with linespoints linestyle style(f) title f

unset key
set tmargin at screen 0.62
set bmargin at screen 0.40
set ytics 0.5
set ylabel axis('drop', 'mm')
stats data.'/event.dat' using 3 nooutput
D = STATS_mean
plot D*1e3 with lines linestyle ls_reference linewidth 3, \
     for [f in forms] data.'/'.f.'.dat' using 1:($3*1e3) with linespoints linestyle style(f)

set tmargin at screen 0.32
set bmargin at screen 0.10
set ytics 0.002
set xlabel axis('Δt', 's') enhanced
set ylabel axis('lowest φ', 'rad') enhanced
stats data.'/event.dat' using 4 nooutput
P = STATS_mean
plot P with lines linestyle ls_reference linewidth 3, \
     for [f in forms] data.'/'.f.'.dat' using 1:4 with linespoints linestyle style(f)
unset multiplot
