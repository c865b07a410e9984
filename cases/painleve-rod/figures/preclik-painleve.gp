# SPDX-License-Identifier: GPL-3.0-or-later
#
# Above: mu_* and the impulse (tables limit, least, edge). Middle: the maps, one a formulation (tables
# map-*: theta, mu, answer 0 slides, 1 sticks, 2 lifts off, 3 turns back, 4 none). Below: the rod that
# begins in the paradox and the one that slides towards it (tables inside-*, approach-*).
# size: 22 29
# narrow: 8.5 24.5

forms = 'moreau lcp-ap ncp mdp ccp consistent-twostep penalty event'
names = '"slides on" "sticks" "lifts off" "turns back" "no answer"'
answers = '#c0c0c0 '.hue('violet').' '.hue('red').' '.hue('leaf').' #000000'
hex_of(c) = int('0x'.c[2:7])
shade(i) = hex_of(word(answers, int(i)))
colour(i) = sprintf('#%06x', shade(i))
point(i) = int(word('7 5 9 13 2', int(i)))
impulses = hue('turquoise').' '.hue('brown')
map(i) = data.'/map-'.word(forms, i).'.dat'
theta = axis('θ', 'deg')
limit = data.'/limit.dat'

stacked = 12
stack_columns = 2
stack_foot = 3
stack_left = 1.3
stack_right = 0.4
stack_label = 1.1
if (narrow) { set ylabel font ''.pt(9) }
set multiplot
unset title

eval frame(0.09, 0.47, 0.80, 0.955)
set xrange [0:90]
set xtics 0, 30, 90
set yrange [0:3.2]
set xlabel theta offset 0, 0.4
set ylabel axis('μ_*', '-') offset 0.5
set key inside center bottom
if (narrow) { unset key }
plot limit using 1:2 with lines linewidth 2 linecolor rgb '#000000' title 'μ_*' enhanced, \
     data.'/least.dat' using 1:2 with points linestyle ls_mark title 'least, 4/3 at 63.4 deg'

eval frame(0.60, 0.97, 0.80, 0.955)
set yrange [0:1.3]
set ylabel axis('impulse/(m v_0)', '-') offset 0.5
set key inside right top
if (narrow) { unset key }
plot limit using 1:4 with lines linewidth 2 linecolor rgb word(impulses, 1) title 'tangential', \
     limit using 1:3 with lines linewidth 2 linecolor rgb word(impulses, 2) title 'normal', \
     data.'/edge.dat' using 1:4 with points linestyle ls_mark title 'records at μ_*' enhanced, \
     data.'/edge.dat' using 1:3 with points linestyle ls_mark notitle

unset key
set yrange [0:3.2]
set ytics 0, 1, 3
do for [i = 1:8] {
  column = (i - 1) % 4
  row = (i - 1) / 4
  eval frame(0.07 + 0.235*column, 0.07 + 0.235*column + 0.20, 0.715 - 0.165*row - 0.13, 0.715 - 0.165*row)
  if (narrow ? column % 2 == 0 : column == 0) { set ylabel 'μ' offset (narrow ? 0.3 : 1.5) } else { unset ylabel }
  if (row == 1 && (!narrow || column > 1)) { set xlabel theta offset 0, 0.4; set format x '%g' } else { unset xlabel; set format x '' }
  set title word(forms, i) offset 0, -0.8 noenhanced
  plot map(i) using 1:2:(point($3 + 1)):(shade($3 + 1)) with points pointtype variable \
         linecolor rgb variable pointsize 0.55, \
       limit using 1:2 with lines linewidth 1.5 linecolor rgb '#000000'
}
unset title

eval frame(0.09, 0.47, 0.155, 0.315)
set xtics autofreq
set ytics autofreq
set xrange [0:0.3]
if (narrow) {
  set xtics 0.1
  set ytics 5
}
set yrange [56:70]
set xlabel axis('t', 's') offset 0, 0.4
set ylabel theta offset (narrow ? -0.3 : -0.6)
set label 1 'begins in the paradox' at graph 0.03, (narrow ? 1.08 : 0.93) font ''.pt(narrow ? 9 : 12)
plot for [f in 'moreau lcp-ap ncp mdp ccp consistent-twostep penalty'] data.'/inside-'.f.'.dat' \
       using 1:2 with lines linestyle style(f)

eval frame(0.60, 0.97, 0.155, 0.315)
set xrange [0:0.08]
set xtics 0, (narrow ? 0.03 : 0.02)
if (narrow) { set ytics 10 }
set yrange [-21:6]
set ylabel axis('v_T', 'm/s') offset (narrow ? 0.8 : 0.5)
set label 1 'slides towards it' at graph 0.03, (narrow ? 1.08 : 0.93) font ''.pt(narrow ? 9 : 12)
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
set tmargin at screen (narrow ? 2.9/page_high : up(0.36))
set bmargin at screen (narrow ? 1.6/page_high : up(0.335))
set key inside center center horizontal maxrows 1
if (narrow) { set key vertical maxrows 4 font ''.pt(9) }
plot for [k = 1:5] NaN with points pointtype point(k) pointsize 1 linecolor rgb colour(k) \
       title word(names, k), \
     for [k = 1:(narrow ? 2 : 0)] (narrow ? NaN : 2) with lines linewidth 2 linecolor rgb word(impulses, k) \
       title narrow ? word('tangential normal', k) : ''
set tmargin at screen (narrow ? 1.5/page_high : up(0.10))
set bmargin at screen 0.01
set key inside center center vertical maxrows 3
if (narrow) { set key samplen 1.5 width key_width(24) }
plot for [f in forms] NaN with lines linestyle style(f) title f
unset multiplot
