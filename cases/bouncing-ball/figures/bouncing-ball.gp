# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: largest energy in every period, of the schemes that do not keep it, and event. Below: the largest change, every
# formulation. Tables table, and one a formulation.
# size: 17 16

forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-onestep consistent-twostep consistent-quaternion consistent-quaternion-twostep event'
losing = 'lcp-st lcp-ap lcp-dca ccp ncp mdp penalty event'
set multiplot title title noenhanced
unset title

set lmargin at screen 0.14
set rmargin at screen 0.78
set tmargin at screen 0.93
set bmargin at screen 0.60
set xrange [0:100]
set yrange [-0.13:0.04]
set xlabel 't/T, bounces of the reference' offset 0, 0.4
set ylabel '(E - E_0)/E_0 [-]'
plot for [f in losing] data.'/'.f.'.dat' using 1:2 with lines linestyle style(f) title f

unset key
set tmargin at screen 0.48
set bmargin at screen 0.24
set rmargin at screen 0.97
set logscale y
set format y decades
set yrange [1e-17:10]
set ytics 1e-16, 1e4
set xrange [-0.7:12.7]
set xlabel
set grid noxtics
set ylabel 'largest drift / E_0 [-]'
set xtics rotate by 35 right noenhanced font ',10'
set for [i = 1:13] xtics add (word(forms, i) i - 1)
set boxwidth 0.6
set style fill solid 0.7
plot 1e-11 with lines linestyle ls_limit, \
     for [i = 1:13] data.'/table.dat' every ::(i - 1)::(i - 1) using 1:($3 > 2e-17 ? $3 : 2e-17) with boxes linestyle style(word(forms, i)), \
     data.'/table.dat' using 1:($3 > 2e-17 ? $3 : 2e-17):(sprintf('%.0f', $4)) with labels offset 0, 0.7 font ',10'
unset multiplot
