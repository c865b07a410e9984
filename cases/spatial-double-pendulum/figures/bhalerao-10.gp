# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rebounds of P1: a table each formulation and event (t, vertical velocity), and ratio-<formulation>
# (number of the impact, speed after over speed before).
# size: 17 22
# narrow: 8.5 16

set multiplot
unset title
forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion consistent-quaternion-twostep consistent-twostep'
set xrange [0:1.5]
set xlabel axis('t', 's')

eval set_longest('forms')
key_columns = columns_of(longest)
stacked = 2
stack_foot = key_cm(words(forms) + 2)
stack_top = 0.2
eval frame(0.15, 0.97, 0.63, 0.94)
set ylabel axis('vertical velocity of P_1', 'm/s') enhanced
set yrange [-3.5:2.8]
unset key
plot data.'/event.dat' using 1:2 with lines linestyle ls_reference linewidth 5 notitle, \
     for [name in forms] data.'/'.name.'.dat' using 1:2 every 4 with lines linestyle style(name) \
       linewidth 1 notitle

eval frame(0.15, 0.97, 0.28, 0.55)
set xrange [0.5:5.5]
set xtics 1
set yrange [0.6:1]
set xlabel 'impact'
set ylabel 'speed after / before [-]'
set key at screen 0.56, 0.01 center bottom maxrows 7 vertical Left reverse
if (narrow) { unset key }
place(i) = 0.7*(i - 0.5)/words(forms) - 0.35
plot NaN with lines linestyle ls_reference linewidth 5 title 'event', \
     0.7 with lines linestyle ls_limit title '0.7', \
     for [i = 1:words(forms)] data.'/ratio-'.word(forms, i).'.dat' using ($1 + place(i)):2 \
       with points linestyle style(word(forms, i)) title word(forms, i)
if (narrow) {
  key_rows_all = key_rows(words(forms) + 2)
  eval key_alone
  plot NaN with lines linestyle ls_reference linewidth 5 title 'event', \
       NaN with lines linestyle ls_limit title '0.7', \
       for [name in forms] NaN with points linestyle style(name) title name
}
unset multiplot
