# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: the angle over time. Below left: period against amplitude, closed form as a line, Housner's formula for slender
# blocks dashed. Below right: energy left by the first impact against the shape.
# size: 17 15

forms = 'event moreau ncp consistent-twostep'
set multiplot title title noenhanced
unset title

set lmargin at screen 0.11
set rmargin at screen 0.97
set tmargin at screen 0.93
set bmargin at screen 0.60
set xlabel 't [s]' offset 0, 0.4
set ylabel 'angle [rad]'
set yrange [-0.12:0.18]
set key inside top right horizontal maxrows 1
plot for [f in forms] data.'/path-'.f.'.dat' using 1:2 with lines linestyle style(f) title f

set tmargin at screen 0.46
set bmargin at screen 0.11
set rmargin at screen 0.50
set autoscale y
set yrange [0:*]
set xlabel 'amplitude / alpha'
set ylabel 'period [s]' offset 1
set key inside top left vertical maxrows auto
set xtics 0.2
set ytics 1
plot data.'/period.dat' using 1:2 with lines linestyle ls_reference title 'closed form', \
     data.'/period.dat' using 1:3 with lines linestyle ls_limit title 'slender block', \
     for [f in forms] data.'/period-'.f.'.dat' using 1:2 with points linestyle style(f) notitle

set lmargin at screen 0.63
set rmargin at screen 0.97
set yrange [0.3:1.02]
set ytics 0.2
set xlabel 'b / h'
set ylabel 'energy left'
set key inside bottom left maxrows auto
plot data.'/left.dat' using 1:2 with lines linestyle ls_reference title '(1 − 1.5 sin² α)²', \
     for [f in forms] data.'/left-'.f.'.dat' using 1:2 with points linestyle style(f) notitle
unset multiplot
