# SPDX-License-Identifier: GPL-3.0-or-later
#
# Error of the direction against the number of facets (tables lcp-st, lcp-ap, lcp-dca), and of the other
# formulations (table cones).
# size: 17 17

cones = 'moreau ccp ncp mdp penalty consistent-twostep consistent-quaternion consistent-quaternion-twostep event'
least(x) = x > 1e-17 ? x : 1e-17
deg(x) = x*180/pi
set multiplot title title noenhanced
unset title

set lmargin at screen 0.14
set rmargin at screen 0.97
set tmargin at screen 0.93
set bmargin at screen 0.57
set logscale xy
set xrange [2.7:72]
set xtics (3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
set yrange [1:100]
set ytics (1, 2, 5, 10, 20, 50, 100)
set xlabel 'facets of the cone, n_{dir}' offset 0, 0.4
set ylabel axis('error of the direction', 'deg') offset 0.5
set key inside left bottom enhanced font ',9' spacing 1
plot data.'/lcp-st.dat' using 1:(deg($6)) with lines linestyle ls_reference linewidth 4 title 'polygon, worst push, about π/n', \
     data.'/lcp-st.dat' using 1:(deg($5)) with points linestyle ls_lcp_st pointsize 1.2 title 'lcp-st, worst push', \
     data.'/lcp-ap.dat' using 1:(deg($5)) with points linestyle ls_lcp_ap pointsize 1.7 title 'lcp-ap, worst push', \
     data.'/lcp-dca.dat' using 1:(deg($5)) with points linestyle style('lcp-dca') pointtype 8 pointsize 2.6 linewidth 1.5 title 'lcp-dca, worst push', \
     data.'/lcp-st.dat' using 1:(deg($3)) with points pointtype 1 linewidth 1.5 linecolor rgb '#000000' title 'pushed along y', \
     data.'/lcp-st.dat' using 1:(deg($4)) with points pointtype 2 linewidth 1.5 linecolor rgb '#000000' title 'along the diagonal'

unset logscale x
set tmargin at screen 0.47
set bmargin at screen 0.24
set format y decades
set yrange [1e-17:1]
set ytics 1e-16, 1e4
set xrange [-0.6:8.6]
set xlabel ''
set grid noxtics
set ylabel axis('error of the direction', 'rad') offset 0.5
set key at graph 0.99, 0.72 right top font ',9' spacing 1
unset xtics
set xtics rotate by 35 right nomirror noenhanced font ',10'
set for [i = 1:9] xtics add (word(cones, i) i - 1)
plot data.'/cones.dat' using 1:(least($2)) with points pointtype 6 linewidth 1.5 linecolor rgb '#000000' title 'along x', \
     data.'/cones.dat' using 1:(least($3)) with points pointtype 1 linewidth 1.5 linecolor rgb '#000000' title 'along y', \
     data.'/cones.dat' using 1:(least($4)) with points pointtype 2 linewidth 1.5 linecolor rgb '#000000' title 'along the diagonal', \
     data.'/cones.dat' using 1:(least($5)) with points pointtype 4 linewidth 1.5 linecolor rgb '#d55e00' title 'along 0.3 rad'
unset multiplot
