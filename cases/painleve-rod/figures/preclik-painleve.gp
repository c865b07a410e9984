# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: mu_* and the impulse (tables limit, least, edge). Middle: the maps, one a formulation (tables
# map-*: theta, mu, answer 0 slides, 1 sticks, 2 lifts off, 3 turns back, 4 none). Below: the rod that
# begins in the paradox and the one that slides towards it (tables inside-*, approach-*).
# size: 22 29

forms = 'moreau lcp-ap ncp mdp ccp consistent-twostep penalty event'
names = '"slides on" "sticks" "lifts off" "turns back" "no answer"'
shade(i) = int(word('12632256 29362 13983232 40563 0', int(i))) # c0c0c0 0072b2 d55e00 009e73 000000
colour(i) = sprintf('#%06x', shade(i))
point(i) = int(word('7 5 9 13 2', int(i)))
map(i) = data.'/map-'.word(forms, i).'.dat'
theta = axis('θ', 'deg')
limit = data.'/limit.dat'

set multiplot title title noenhanced
unset title

set tmargin at screen 0.955
set bmargin at screen 0.80
set lmargin at screen 0.09
set rmargin at screen 0.47
set xrange [0:90]
set xtics 0, 30, 90
set yrange [0:3.2]
set xlabel theta offset 0, 0.4
set ylabel axis('μ_*', '-') offset 0.5
set key inside center bottom
plot limit using 1:2 with lines linewidth 2 linecolor rgb '#000000' title 'μ_*' enhanced, \
     data.'/least.dat' using 1:2 with points linestyle ls_mark title 'least, 4/3 at 63.4 deg'

set lmargin at screen 0.60
set rmargin at screen 0.97
set yrange [0:1.3]
set ylabel axis('impulse/(m v_0)', '-') offset 0.5
set key inside right top
plot limit using 1:4 with lines linewidth 2 linecolor rgb '#0072b2' title 'tangential', \
     limit using 1:3 with lines linewidth 2 linecolor rgb '#d55e00' title 'normal', \
     data.'/edge.dat' using 1:4 with points linestyle ls_mark title 'records at μ_*' enhanced, \
     data.'/edge.dat' using 1:3 with points linestyle ls_mark notitle

unset key
set yrange [0:3.2]
set ytics 0, 1, 3
do for [i = 1:8] {
  column = (i - 1) % 4
  row = (i - 1) / 4
  set lmargin at screen 0.07 + 0.235*column
  set rmargin at screen 0.07 + 0.235*column + 0.20
  set tmargin at screen 0.715 - 0.165*row
  set bmargin at screen 0.715 - 0.165*row - 0.13
  if (column == 0) { set ylabel 'μ' offset 1.5 } else { unset ylabel }
  if (row == 1) { set xlabel theta offset 0, 0.4; set format x '%g' } else { unset xlabel; set format x '' }
  set title word(forms, i) offset 0, -0.8 noenhanced
  plot map(i) using 1:2:(point($3 + 1)):(shade($3 + 1)) with points pointtype variable \
         linecolor rgb variable pointsize 0.55, \
       limit using 1:2 with lines linewidth 1.5 linecolor rgb '#000000'
}
unset title

set tmargin at screen 0.315
set bmargin at screen 0.155
set lmargin at screen 0.09
set rmargin at screen 0.47
set xtics autofreq
set ytics autofreq
set xrange [0:0.3]
set yrange [56:70]
set xlabel axis('t', 's') offset 0, 0.4
set ylabel theta offset 0.5
set label 1 'begins in the paradox' at graph 0.03, 0.93
plot for [f in 'moreau lcp-ap ncp mdp ccp consistent-twostep penalty'] data.'/inside-'.f.'.dat' \
       using 1:2 with lines linestyle style(f)

set lmargin at screen 0.60
set rmargin at screen 0.97
set xrange [0:0.08]
set xtics 0, 0.02
set yrange [-21:6]
set ylabel axis('v_T', 'm/s') offset 0.5
set label 1 'slides towards it' at graph 0.03, 0.93
plot for [f in forms] data.'/approach-'.f.'.dat' using 1:3 with lines linestyle style(f)
unset label 1

# The keys alone: answers under the maps, formulations below all.
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set lmargin at screen 0.02
set rmargin at screen 0.98
set xrange [0:1]
set yrange [0:1]
set tmargin at screen 0.36
set bmargin at screen 0.335
set key inside center center horizontal maxrows 1
plot for [k = 1:5] NaN with points pointtype point(k) pointsize 1 linecolor rgb colour(k) \
       title word(names, k)
set tmargin at screen 0.10
set bmargin at screen 0.01
set key inside center center vertical maxrows 3
plot for [f in forms] NaN with lines linestyle style(f) title f
unset multiplot
