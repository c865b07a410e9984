# SPDX-License-Identifier: GPL-3.0-or-later
#
# Free top: energy, orthogonality, errors; a table for each formulation, and errors.
# size: 17 22

set multiplot title title noenhanced
unset title
set lmargin at screen 0.15
set rmargin at screen 0.97
schemes = 'consistent-constant consistent-constant-gear consistent-coordinate consistent-decomposed consistent-quaternion consistent-quaternion-twostep'
do for [i = 1:6] {
  stats data.'/unknowns.dat' using i nooutput name sprintf('unknowns%d', i)
}
label(i) = sprintf('%s: %d', word(schemes, i), value(sprintf('unknowns%d_max', i)))
visible(x) = x > 1e-17 ? x : 1e-17

set logscale y
set format y decades
set xrange [0:50]
set xlabel axis('t', 's')

set tmargin at screen 0.94
set bmargin at screen 0.72
set yrange [1e-17:1e-11]
set ytics 100
set ylabel axis('|E/E_0 - 1|', '-') enhanced
unset key
plot for [name in schemes] data.'/'.name.'.dat' using 1:(visible($2)) every 5 with lines \
       linestyle style(name) linewidth 1.5 notitle

set tmargin at screen 0.63
set bmargin at screen 0.44
set yrange [1e-17:1e-12]
set ylabel axis('max |d_i d_j - δ_{ij}|', '-') enhanced
plot for [name in schemes] data.'/'.name.'.dat' using 1:(visible($3)) every 5 with lines \
       linestyle style(name) linewidth 1.5 notitle

set tmargin at screen 0.35
set bmargin at screen 0.07
set logscale x
set rmargin at screen 0.46
set xrange [0.002:0.025]
set xtics (0.0025, 0.005, 0.01, 0.02)
set yrange [1e-6:1]
set xlabel axis('dt', 's')
set ylabel axis('error', 'm or -')
set key at screen 0.5, screen 0.34 left top vertical noenhanced title 'unknowns a body'
plot for [i = 1:6] data.'/errors.dat' using 1:(column(i + 1)) with linespoints \
       linestyle style(word(schemes, i)) title label(i)
unset multiplot
