# SPDX-License-Identifier: GPL-3.0-or-later
#
# Three motions of scene files; tables exact and <motion>--<formulation>.
# size: 17 22

all = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion'. \
      ' consistent-quaternion-twostep event'
set multiplot layout 3,1 title title noenhanced
unset title
set lmargin 12
set rmargin 36
set key at graph 1.03, graph 1 left top Left reverse samplen 2 maxcols 1 spacing 0.85
set xlabel axis('t', 's')
set ylabel axis('v, Rω', 'm/s')
set xrange [0:0.1]
set yrange [0:1.05]
set xtics 0.05
plot data.'/exact.dat' using 1:2 with lines linestyle ls_reference linewidth 5 title 'closed form', \
     data.'/exact.dat' using 1:3 with lines linestyle ls_reference linewidth 5 notitle, \
     for [f in all] data.'/sphere--'.f.'.dat' using 1:2 with lines linestyle style(f) title f, \
     for [f in all] data.'/sphere--'.f.'.dat' using 1:3 with lines linestyle style(f) dashtype 2 notitle

set ylabel axis('path down the incline', 'm')
unset key
set rmargin 3
set xrange [0:0.9]
set xtics 0.2
set yrange [-0.1:0.7]
set label 1 'thrown, μ = 0.5: stops' at 0.03, 0.52 left
set label 2 'μ = 0.2: slides' at 0.55, 0.1 left
set label 3 'μ = 0.5: sticks' at 0.3, -0.05 left
plot data.'/exact.dat' using 1:4 with lines linestyle ls_reference linewidth 5 title 'closed form', \
     data.'/exact.dat' using 1:5 with lines linestyle ls_reference linewidth 5 notitle, \
     for [f in all] data.'/stops--'.f.'.dat' using 1:2 with lines linestyle style(f) title f, \
     for [f in all] data.'/slides--'.f.'.dat' using 1:2 with lines linestyle style(f) notitle, \
     for [f in all] data.'/sticks--'.f.'.dat' using 1:2 with lines linestyle style(f) notitle
unset label 1
unset label 2
unset label 3

set ylabel axis('tilt of the top', 'deg')
set xrange [0:0.25]
set xtics 0.05
set yrange [*:*]
plot for [f in all] data.'/top--'.f.'.dat' using 1:2 with lines linestyle style(f) title f
unset multiplot
