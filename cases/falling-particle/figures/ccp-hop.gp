# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rebounds under the convex relaxation; tables limit, ccp-dt*, ncp-dt*, steps, path-*. Steps differ by
# the shade of the formulation's colour and by the point.
# size: 17 16

steps = '0.01 0.001 0.0001'
names = '1e-2 1e-3 1e-4'
colour(i) = word('#eda06a #d55e00 #4a1f00', i)
point(i) = int(word('5 9 7', i))

set multiplot title title noenhanced
unset title

# Climb over the gap at which the impact step begins.
set lmargin at screen 0.12
set rmargin at screen 0.50
set tmargin at screen 0.92
set bmargin at screen 0.58
set xrange [-0.05:2.05]
set yrange [-0.2:3.8]
set xlabel 'gap at the impact, Φ/(dt μ w) [-]'
set ylabel 'climb [mm]' offset 0.5
set key inside right top
plot data.'/limit.dat' using 1:(1e3 * $2) with lines linestyle ls_reference title 'dt to 0', \
     for [i = 1:3] data.'/ccp-dt'.word(steps, i).'.dat' using 1:(1e3 * $2) with points \
       linestyle ls_ccp linecolor rgb colour(i) pointtype point(i) title 'ccp, '.word(names, i).' s', \
     data.'/ncp-dt0.001.dat' using 1:(1e3 * $2) with points linestyle ls_ncp title 'ncp, any dt'

# Climb over the step.
unset ylabel
set lmargin at screen 0.60
set rmargin at screen 0.97
set logscale x
set xrange [6e-5:1.7e-2]
set xtics ('1e-4' 1e-4, '1e-3' 1e-3, '1e-2' 1e-2)
set xlabel axis('dt, placed at Φ = 0', 's')
set key at graph 1.0, 0.55 right top
plot data.'/steps.dat' using 1:(1e3 * $2) with linespoints linestyle ls_ccp \
       title 'ccp, placed', \
     data.'/steps.dat' using 1:(1e3 * $3) with linespoints linestyle ls_ncp \
       title 'ncp, placed', \
     data.'/steps.dat' using 1:(1e3 * $4) with points linestyle ls_ccp pointtype 4 pointsize 1.8 \
       title 'ccp, falling'

# Height over time from Phi = 0.
unset logscale x
set xtics autofreq
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.45
set bmargin at screen 0.10
set xrange [0:30]
set yrange [-0.2:3.8]
set xlabel axis('t', 'ms')
set ylabel axis('y', 'mm') offset 0.5
set key at graph 1.0, 0.52 right top
plot for [i = 1:3] data.'/path-ccp-dt'.word(steps, i).'.dat' using (1e3 * $1):(1e3 * $3) \
       with linespoints linestyle ls_ccp linecolor rgb colour(i) pointtype point(i) \
       pointsize (i == 3 ? 0 : 0.7) title 'ccp, dt = '.word(names, i).' s', \
     data.'/path-ncp-dt0.001.dat' using (1e3 * $1):(1e3 * $3) with lines linestyle ls_ncp \
       title 'ncp, dt = 1e-3 s'
unset multiplot
