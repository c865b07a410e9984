# SPDX-License-Identifier: GPL-3.0-or-later
# size: 22 24
# narrow: 8.5 24
#
# Cost against the number of bodies: time a step above, a contact, and a contact and sweep below. A
# curve's table: n, step, ns a contact, ns a contact and sweep, bytes a body, first and third
# quartile of the time a step (NaN: none). present: curves with a table; powers[]: what the key says of the
# exponent of each.

set logscale xy
set format xy decades
set autoscale x noextend
set autoscale y noextend
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
set key noenhanced at screen 0.58, screen up(0.96) left top Left reverse
if (narrow) {
  unset key
  key_columns = 1
  stacked = 3
  stack_foot = 0.3 + 0.34*words(present)
  stack_top = 0.2
}
bar(i) = valid(i) ? column(i) : column(2)
table(name) = data . '/' . name . '.dat'
dashes(name) = strstrt(name, '-threads') > 0 ? 2 : 1

set multiplot
eval frame(0.11, 0.56, 0.68, 0.96)
unset xlabel
set ylabel axis('time a step', 's')
plot for [i = 1:words(present)] table(word(present, i)) using 1:2 with linespoints linecolor rgb hue_of(i) pointtype i linewidth 1.5 \
       dashtype dashes(word(present, i)) title word(present, i) . powers[i], \
     for [i = 1:words(present)] table(word(present, i)) using 1:(bar(6)):(0):(bar(7) - bar(6)) \
       with vectors nohead linecolor rgb hue_of(i) dashtype solid notitle
unset title
unset key
eval frame(0.11, 0.56, 0.38, 0.64)
set autoscale y # to whole decades, which have labels
set offsets graph 0.04, graph 0.04, 0, 0
set ylabel axis('a contact', 'ns')
plot for [i = 1:words(present)] table(word(present, i)) using 1:3 with linespoints linecolor rgb hue_of(i) pointtype i linewidth 1.5 \
       dashtype dashes(word(present, i))
eval frame(0.11, 0.56, 0.08, 0.34)
set xlabel 'bodies'
set ylabel axis('a contact and sweep', 'ns')
plot for [i = 1:words(present)] table(word(present, i)) using 1:4 with linespoints linecolor rgb hue_of(i) pointtype i linewidth 1.5 \
       dashtype dashes(word(present, i))
if (narrow) {
  do for [i = 1:words(present)] {
    shown = word(present, i) . powers[i]
    longest = strlen(shown) > longest ? strlen(shown) : longest
  }
  key_rows_all = words(present)
  eval key_alone
  plot for [i = 1:words(present)] NaN with linespoints linecolor rgb hue_of(i) pointtype i linewidth 1.5 dashtype dashes(word(present, i)) \
         title word(present, i) . powers[i]
}
unset multiplot
