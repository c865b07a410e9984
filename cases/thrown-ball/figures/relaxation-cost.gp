# SPDX-License-Identifier: GPL-3.0-or-later
#
# Distances from ncp with the same step. Above: over time, over the step; below: way and speed that
# the relaxation gains over mu and over v0. Tables time-*, far-*, dt, mu, v0.
# size: 17 18

kinds = 'thrown unstabilised ccp lcp-8 lcp-32'
names = '"ccp, from gap 0" "the same, unstabilised" "ccp, laid down" "lcp-st, n_dir = 8" "lcp-st, n_dir = 32"'
look(i) = word('#d55e00 #882255 #d55e00 #e69f00 #4a1f00', i)
dash(i) = int(word('1 3 2 1 4', i))
point(i) = int(word('9 4 8 5 7', i))
path(i) = data.'/time-'.word(kinds, i).'.dat'
far(i) = data.'/far-'.word(kinds, i).'.dat'

set multiplot title title noenhanced
unset title
set logscale y
set format y decades

set lmargin at screen 0.12
set rmargin at screen 0.50
set tmargin at screen 0.92
set bmargin at screen 0.66
set xrange [0:0.45]
set xtics 0, 0.1
set yrange [5e-7:5e-2]
set xlabel axis('t', 's') offset 0, 0.4
set ylabel axis('distance from ncp', 'm') offset 0.5
set label 1 'dt = 1 ms' at graph 0.97, 0.06 right font ',9'
unset key
plot for [i = 1:5] path(i) using 1:2 with lines linewidth 2 linecolor rgb look(i) dashtype dash(i)
unset label 1

set lmargin at screen 0.62
set rmargin at screen 0.97
set logscale x
set xrange [2e-4:5e-3]
set xtics ('0.25' 2.5e-4, '0.5' 5e-4, '1' 1e-3, '2' 2e-3, '4' 4e-3)
set xlabel axis('dt', 'ms') offset 0, 0.4
set ylabel axis('largest distance', 'm') offset 0.5
plot for [i = 1:5] far(i) using 1:2 with linespoints linewidth 2 linecolor rgb look(i) \
       dashtype dash(i) pointtype point(i), \
     data.'/dt.dat' using 1:3 with lines linestyle ls_limit, \
     data.'/dt.dat' using 1:2 with points linestyle ls_mark

# Legend of the two.
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset logscale
set lmargin at screen 0.06
set rmargin at screen 0.98
set tmargin at screen 0.585
set bmargin at screen 0.50
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 3 font ',8' samplen 3 spacing 1.1
plot for [i = 1:5] NaN with linespoints linewidth 2 linecolor rgb look(i) dashtype dash(i) \
       pointtype point(i) title word(names, i), \
     NaN with points linestyle ls_mark title 'way gained until it rolls', \
     NaN with lines linestyle ls_limit title 'μ^2 v_0 dt' enhanced

set border 3 linecolor rgb '#404040' linewidth 1
set xtics nomirror out scale 0.6 textcolor rgb '#202020'
set ytics nomirror out scale 0.6 textcolor rgb '#202020'
set grid xtics ytics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
set logscale xy
set format y decades
set key inside right bottom vertical maxrows auto font ',8' samplen 2 spacing 1.15
do for [k = 1:2] {
  set lmargin at screen (k == 1 ? 0.12 : 0.62)
  set rmargin at screen (k == 1 ? 0.50 : 0.97)
  set tmargin at screen 0.46
  set bmargin at screen 0.09
  set yrange [2e-7:1e-1]
  if (k == 1) {
    set xrange [0.04:1]
    set xtics ('0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.4' 0.4, '0.8' 0.8)
    set xlabel 'μ [-]' enhanced offset 0, 0.4
    set ylabel 'gained by ccp [m, m/s]' offset 0.5
    set key inside right bottom
  } else {
    set xrange [0.4:10]
    set xtics ('0.5' 0.5, '1' 1, '2' 2, '4' 4, '8' 8)
    set xlabel axis('v_0', 'm/s') enhanced offset 0, 0.4
    unset ylabel
    unset key
  }
  f = data.(k == 1 ? '/mu.dat' : '/v0.dat')
  plot f using 1:4 with points linestyle ls_ccp pointtype 6 pointsize 1.1 title 'speed in the end [m/s]', \
       f using 1:5 with lines linestyle ls_reference title 'k μ v_0^2 dt/(4 R (1 + k)^2)' enhanced, \
       f using 1:2 with points linestyle ls_mark title 'way until it rolls [m]', \
       f using 1:3 with lines linestyle ls_limit title 'μ^2 v_0 dt' enhanced
}
unset multiplot
