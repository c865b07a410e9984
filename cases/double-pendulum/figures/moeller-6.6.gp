# SPDX-License-Identifier: GPL-3.0-or-later
#
# Total energy over its initial value; tables twostep, onestep, moreau.
# size: 17 15

set multiplot title title noenhanced
unset title
set lmargin at screen 0.16
set rmargin at screen 0.97
set xrange [0:4]
set xlabel axis('t', 's')

set tmargin at screen 0.93
set bmargin at screen 0.58
set yrange [0.65:1.35]
set ylabel axis('E/E_0', '-') enhanced
set key inside right top horizontal
plot data.'/moreau.dat' using 1:2 with lines linestyle ls_moreau title 'moreau', \
     data.'/onestep.dat' using 1:2 with lines linestyle ls_consistent_onestep linewidth 4 \
       title 'one-step', \
     data.'/twostep.dat' using 1:2 with lines linestyle ls_consistent_twostep title 'two-step'

set tmargin at screen 0.45
set bmargin at screen 0.11
set logscale y
set format y decades
set yrange [1e-17:10]
set ytics (1e-16, 1e-12, 1e-8, 1e-4, 1)
set ylabel axis('|E/E_0 - 1|', '-') enhanced
unset key
plot 1e-11 with lines linestyle ls_limit notitle, \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau notitle, \
     data.'/onestep.dat' using 1:3 with lines linestyle ls_consistent_onestep notitle, \
     data.'/twostep.dat' using 1:3 with lines linestyle ls_consistent_twostep notitle
unset multiplot
