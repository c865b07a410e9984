# SPDX-License-Identifier: GPL-3.0-or-later
# size: 24 21
# narrow: 8.5 24
#
# Error against work, one factor varied in each of three panels, with bands of the members' scatter;
# the shares of the variance of the error's logarithm. Tables of curves: work, error, 10 %, 90 %;
# laws, schemes, tolerances: their names, and <list>_titles[] what they are called (none of an empty
# list). shares (absent where no factor has two levels): factor, first-order share with its interval,
# total share with its; factors[]; intervals (0: too few scenes have none).

table(name) = data . '/' . name . '.dat'
clip(x) = x < 1e-15 ? 1e-15 : x
# Laws that are formulations too have their colours.
colour(i) = panel == 1 && style(called(i)) > 0 ? colour_of(called(i)) : hue_of(i)

stacked = 4
set multiplot title title noenhanced
unset title
set logscale xy
set format xy decades
set key inside noenhanced bottom left samplen 2 font ''.pt(10)
set xlabel 'work'
set ylabel axis('error over length', '-')
do for [panel = 1:3] {
  names = panel == 1 ? laws : panel == 2 ? schemes : tolerances
  eval frame(panel % 2 == 1 ? 0.09 : 0.58, panel % 2 == 1 ? 0.48 : 0.97, \
      panel < 3 ? 0.58 : 0.10, panel < 3 ? 0.90 : 0.43)
  set label 1 word('law scheme tolerance', panel) at graph 0, graph 1.05
  if (words(names) > 0) {
    called(i) = panel == 1 ? laws_titles[i] : panel == 2 ? schemes_titles[i] : tolerances_titles[i]
    plot for [i = 1:words(names)] table(word(names, i)) using 1:(clip($3)):(clip($4)) \
           with filledcurves fillstyle transparent solid 0.12 noborder linecolor rgb colour(i) notitle, \
         for [i = 1:words(names)] table(word(names, i)) using 1:(clip($2)) \
           with linespoints linecolor rgb colour(i) linewidth 1.5 pointtype i title called(i)
  }
}

if (strstrt(' ' . present . ' ', ' shares ') > 0) {
  unset logscale
  set format xy '%g'
  eval frame(0.58, 0.97, 0.10, 0.43)
  set label 1 'share of the variance'
  unset xlabel
  set ylabel axis('share', '-')
  set yrange [0:1]
  set xrange [0.4:|factors| + 0.6]
  set style fill solid 1 noborder
  set boxwidth 0.35
  set xtics ()
  set for [i = 1:|factors|] xtics add (factors[i] i) font ''.pt(9)
  positive(x) = x > 0 ? x : 0
  known(x, value) = positive(intervals ? x : value)
  set key inside top left
  plot table('shares') using ($1 - 0.18):(positive($2)) with boxes linecolor rgb hue('violet') title 'gone once known', \
       table('shares') using ($1 + 0.18):(positive($5)) with boxes linecolor rgb '#c8b8ff' title 'left while unknown', \
       table('shares') using ($1 - 0.18):(known($3, $2)):(0):(known($4, $2) - known($3, $2)) \
         with vectors nohead linecolor rgb '#303030' notitle, \
       table('shares') using ($1 + 0.18):(known($6, $5)):(0):(known($7, $5) - known($6, $5)) \
         with vectors nohead linecolor rgb '#303030' notitle
}
unset multiplot
