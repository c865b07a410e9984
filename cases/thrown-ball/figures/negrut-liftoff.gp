# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: gap of the ball laid down at mu dt v0 and of the one thrown from the plane. Middle: normal
# force, speeds. Below: errors against the step, every formulation. Tables ccp-laid-*, ncp-laid-*,
# ccp-thrown, speed-*, exact, steps-*.
# size: 17 21

forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-twostep consistent-quaternion consistent-quaternion-twostep event'
laid(f) = data.'/'.f.'-laid-0.001.dat'
set multiplot title title noenhanced
unset title

set lmargin at screen 0.13
set rmargin at screen 0.48
set tmargin at screen 0.93
set bmargin at screen 0.72
set xrange [0:0.5]
set xtics 0, 0.1
set yrange [-0.02:0.7]
set xlabel axis('t', 's') offset 0, 0.4
set ylabel axis('gap', 'mm') offset 0.5
set key inside right top font ',8' samplen 1.2 spacing 1
plot laid('ccp') using 1:(1e3 * $3) with lines linestyle ls_reference linewidth 5 title 'μ dt |v_T|' enhanced, \
     laid('ccp') using 1:(1e3 * $2) with lines linestyle ls_ccp title 'ccp, laid at μ dt v_0' enhanced, \
     laid('ncp') using 1:(1e3 * $2) with lines linestyle ls_ncp title 'ncp'

set lmargin at screen 0.63
set rmargin at screen 0.97
set yrange [-0.4:10]
plot data.'/ccp-thrown.dat' using 1:(1e3 * $2) with lines linestyle ls_ccp title 'ccp, thrown from gap 0', \
     laid('ncp') using 1:(1e3 * $2) with lines linestyle ls_ncp title 'ncp'

set lmargin at screen 0.13
set rmargin at screen 0.48
set tmargin at screen 0.63
set bmargin at screen 0.42
set yrange [-0.1:2]
set ylabel 'N/(m g) [-]' offset 0.5
set key inside right bottom font ',8' samplen 1.2 spacing 1
plot laid('ccp') using 1:4 with lines linestyle ls_ccp title 'ccp, laid', \
     data.'/ccp-thrown.dat' using 1:4 with lines linestyle ls_ccp dashtype (3,3) title 'ccp, thrown', \
     laid('ncp') using 1:4 with lines linestyle ls_ncp title 'ncp'

set lmargin at screen 0.63
set rmargin at screen 0.97
set yrange [0:2.1]
set ylabel axis('speed', 'm/s') offset 0.5
plot data.'/speed-ccp.dat' using 1:2 with lines linestyle ls_ccp title 'ccp: v', \
     data.'/speed-ccp.dat' using 1:3 with lines linestyle ls_ccp dashtype (3,3) title 'ccp: R ω' enhanced, \
     data.'/speed-ncp.dat' using 1:2 with lines linestyle ls_ncp dashtype 1 linewidth 1.5 title 'ncp: v', \
     data.'/speed-ncp.dat' using 1:3 with lines linestyle ls_ncp linewidth 1.5 title 'ncp: R ω' enhanced, \
     data.'/exact.dat' using 1:2 with points linestyle ls_mark title 'closed form'

set tmargin at screen 0.33
set bmargin at screen 0.165
set logscale xy
set xrange [4e-4:5e-3]
set xtics ('0.5' 5e-4, '1' 1e-3, '2' 2e-3, '4' 4e-3)
set xlabel axis('dt', 'ms') offset 0, 0.4
set format y decades
unset key
set lmargin at screen 0.13
set rmargin at screen 0.48
set yrange [1e-15:0.1]
set ytics 1e-15, 1e4
set ylabel 'v_{end}/(5/7 v_0) - 1 [-]' offset 1
plot for [f in forms] data.'/steps-'.f.'.dat' using 1:($2 > 1e-15 ? $2 : 1e-15) with linespoints linestyle style(f)
set lmargin at screen 0.63
set rmargin at screen 0.97
set yrange [1e-15:0.1]
set ylabel axis('error of t_{roll}', 's') offset 0.5
plot for [f in forms] data.'/steps-'.f.'.dat' using 1:($3 > 1e-15 ? $3 : 1e-15) with linespoints linestyle style(f)

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.105
set bmargin at screen 0.01
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 4 font ',7' samplen 2
plot for [f in forms] NaN with linespoints linestyle style(f) title f
unset multiplot
